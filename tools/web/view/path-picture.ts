// The picture of a proof: from the receipt down to the published root and its timestamp, with every step between.

import { pathSides, type Side } from "../../../evidence/core/merkle/merkle-proof.ts";
import type { ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { firstValid, provenBy } from "../../../evidence/reader/times.ts";
import { STATIONS, type Station, stationHolds } from "../stations.ts";
import { svg } from "./dom.ts";
import { shortHash, shortTime } from "./format.ts";
import { disc, type State, stateOf } from "./icon.ts";
import type { View } from "./view.ts";

const WIDTH = 340;
const RAIL_X = 56;
const SIBLING_DISTANCE = 34;
const LABEL_X = 112;
const MARGIN = 24;
/** Between two stations that no step lies between. */
const GAP = 58;
const MIN_STEP = 9;
const MAX_STEP = 30;
/** The height that all steps together should take. */
const STEPS_HEIGHT = 240;

interface DrawnStation {
  readonly station: Station;
  readonly title: string;
  readonly note: string;
  readonly state: State;
  /** The steps that lead to it, and whether anything leads to it at all. */
  readonly sides: readonly Side[];
  readonly isReached: boolean;
}

/** `id` sets the stations of one turn apart from those of another; a station leads to `part-<id>-<station>`. */
export function pathPicture(view: View, turn: ExaminedTurn, id: string): SVGElement {
  const stations = stationsOf(view, turn);
  const steps = stations.flatMap(({ sides }) => sides).length;
  const stepHeight = Math.min(MAX_STEP, Math.max(MIN_STEP, STEPS_HEIGHT / Math.max(1, steps)));
  const lines = svg("g", { class: "lines" });
  const marks = svg("g");
  let y = MARGIN;
  for (const [i, station] of stations.entries()) {
    if (i > 0) {
      const start = y;
      y += GAP + station.sides.length * stepHeight;
      lines.append(rail(start, y, station.isReached));
      lines.append(
        ...station.sides.flatMap((side, step) =>
          stepLines(start + GAP / 2 + step * stepHeight, side, stepHeight),
        ),
      );
    }
    marks.append(mark(station, y, id));
  }
  const height = y + MARGIN;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      class: "path-picture",
      role: "group",
      "aria-label": view.text.picture.label,
    },
    lines,
    marks,
  );
}

function stationsOf(view: View, turn: ExaminedTurn): DrawnStation[] {
  const drafts: Record<Station, Draft> = {
    receipt: receiptStation(view, turn),
    chain: chainStation(view, turn),
    root: rootStation(view, turn),
    timestamp: timestampStation(view, turn),
  };
  // While pending the token covers the chain's own root, and the published one is still to come.
  const isPending = turn.evidence.merkle_proof.cross_tenant_proof === null;
  const order: readonly Station[] = isPending ? ["receipt", "chain", "timestamp", "root"] : STATIONS;
  return order.map((station) => {
    const state = stateOf(stationHolds(turn, view.entry.examination, station));
    return { station, sides: [], isReached: true, ...drafts[station], state };
  });
}

/** The words of a station. Unless it says otherwise, it is reached without a step. */
type Draft = Pick<DrawnStation, "title" | "note"> & Partial<Pick<DrawnStation, "sides" | "isReached">>;

function receiptStation({ text: { picture } }: View, { evidence }: ExaminedTurn): Draft {
  const { leaf_index, tree_size } = evidence.merkle_proof.event_inclusion_proof;
  const [raw] = evidence.receipts ?? [];
  const note = picture.of(String(leaf_index + 1), String(tree_size));
  return { title: raw ? picture.receipt : picture.proof, note };
}

function chainStation({ text: { picture } }: View, { evidence }: ExaminedTurn): Draft {
  const { root, leaf_index, tree_size, path } = evidence.merkle_proof.event_inclusion_proof;
  const sides = pathSides(leaf_index, tree_size).slice(0, path.length);
  return { title: picture.chain, note: shortHash(root), sides };
}

function rootStation({ text: { picture } }: View, { evidence }: ExaminedTurn): Draft {
  const { cross_tenant_proof: cross } = evidence.merkle_proof;
  if (cross === null) return { title: picture.unpublished, note: picture.pendingRoot, isReached: false };
  const sides = pathSides(cross.leaf_index, cross.tree_size).slice(0, cross.path.length);
  return { title: picture.root(String(cross.seal_index)), note: shortHash(cross.root), sides };
}

/** A time that a token merely states is not shown as one. */
function timestampStation({ text: { picture }, checked }: View, turn: ExaminedTurn): Draft {
  const proven = firstValid(turn.times, checked.checkedAt.toISOString());
  if (proven !== undefined) return { title: picture.timestamp, note: shortTime(provenBy(proven)) };
  const isReached = turn.evidence.tsa_timestamp?.timestamp_token != null;
  return {
    title: picture.timestamp,
    note: isReached ? picture.unproven : picture.pendingTimestamp,
    isReached,
  };
}

const rail = (from: number, to: number, isReached: boolean): SVGElement =>
  svg("path", { d: `M${RAIL_X} ${from} V${to}`, class: isReached ? "rail" : "rail is-missing" });

/** The sibling's node and the elbow with which it joins the way. */
function stepLines(y: number, side: Side, height: number): SVGElement[] {
  const x = RAIL_X + (side === "left" ? -SIBLING_DISTANCE : SIBLING_DISTANCE);
  const joint = y + height * 0.7;
  return [
    svg("path", { d: `M${x} ${y} C${x} ${joint} ${RAIL_X} ${y} ${RAIL_X} ${joint}`, class: "branch" }),
    svg("circle", { cx: x, cy: y, r: 3, class: "sibling" }),
    svg("circle", { cx: RAIL_X, cy: joint, r: 2.5, class: "joint" }),
  ];
}

function mark({ station, title, note, state }: DrawnStation, y: number, id: string): SVGElement {
  const link = svg(
    "a",
    { href: `#part-${id}-${station}`, class: `station is-${state}` },
    svg("rect", { x: LABEL_X - 8, y: y - 20, width: WIDTH - LABEL_X + 8, height: 42, rx: 4, class: "hit" }),
    svg("g", { transform: `translate(${RAIL_X} ${y})` }, disc(state)),
    svg("text", { x: LABEL_X, y: y - 2, class: "title" }, title),
    // Between two words, for those who read the label aloud.
    " ",
    svg("text", { x: LABEL_X, y: y + 15, class: "note" }, note),
  );
  return link;
}
