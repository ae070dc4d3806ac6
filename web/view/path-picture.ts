// The picture of a proof: from the receipt down to the published root and its timestamp, with every step between.

import { pathSides, type Side } from "../../core/merkle/merkle-proof.ts";
import type { Turn } from "../examine.ts";
import { type Part, partHolds } from "../parts.ts";
import type { View } from "../sheet.ts";
import { firstStanding } from "../../reader/times.ts";
import { svg } from "./dom.ts";
import { instant, shortHash } from "./format.ts";
import { disc, type State, stateOf } from "./icon.ts";

const WIDTH = 340;
const RAIL_X = 56;
const SIBLING_DISTANCE = 34;
const LABEL_X = 112;
const MARGIN = 24;
/** Between two stations that no step lies between. */
const GAP = 58;
const MIN_STEP = 9;
const MAX_STEP = 30;
/** What all steps together should take. */
const STEPS_HEIGHT = 240;

interface Station {
  readonly part: Part;
  readonly title: string;
  readonly note: string;
  readonly state: State;
  /** The steps that lead to it, and whether anything leads to it at all. */
  readonly sides: readonly Side[];
  readonly isReached: boolean;
}

/** `id` sets the parts of one turn apart from those of another; a station leads to `part-<id>-<part>`. */
export function pathPicture(view: View, turn: Turn, id: string): SVGElement {
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

function stationsOf(view: View, turn: Turn): Station[] {
  const drafts: Record<Part, Draft> = {
    receipt: receiptStation(view, turn),
    chain: chainStation(view, turn),
    root: rootStation(view, turn),
    stamp: stampStation(view, turn),
  };
  // While pending the token covers the chain's own root, and the published one is still to come.
  const isPending = turn.evidence.merkle_proof.cross_tenant_proof === null;
  const order: Part[] = isPending
    ? ["receipt", "chain", "stamp", "root"]
    : ["receipt", "chain", "root", "stamp"];
  return order.map((part) => {
    const state = stateOf(partHolds(turn, view.sheet.examination, part));
    return { part, sides: [], isReached: true, ...drafts[part], state };
  });
}

/** What a station says. Unless it says so itself, it is reached without a step. */
type Draft = Pick<Station, "title" | "note"> & Partial<Pick<Station, "sides" | "isReached">>;

function receiptStation({ text: { picture } }: View, { evidence }: Turn): Draft {
  const { leaf_index, tree_size } = evidence.merkle_proof.event_inclusion_proof;
  const [raw] = evidence.receipts ?? [];
  const note = picture.of(String(leaf_index + 1), String(tree_size));
  return { title: raw ? picture.receipt : picture.proof, note };
}

function chainStation({ text: { picture } }: View, { evidence }: Turn): Draft {
  const { root, leaf_index, tree_size, path } = evidence.merkle_proof.event_inclusion_proof;
  const sides = pathSides(leaf_index, tree_size).slice(0, path.length);
  return { title: picture.chain, note: shortHash(root), sides };
}

function rootStation({ text: { picture } }: View, { evidence }: Turn): Draft {
  const { cross_tenant_proof: cross } = evidence.merkle_proof;
  if (cross === null) return { title: picture.unpublished, note: picture.pendingRoot, isReached: false };
  const sides = pathSides(cross.leaf_index, cross.tree_size).slice(0, cross.path.length);
  return { title: picture.root(String(cross.seal_index)), note: shortHash(cross.root), sides };
}

function stampStation({ text: { picture }, sheet }: View, turn: Turn): Draft {
  const proven = firstStanding(turn.times, sheet.checkedAt.toISOString());
  const isReached = proven !== undefined || turn.evidence.tsa_timestamp?.timestamp_token != null;
  const genTime = proven?.genTime ?? turn.stamp?.genTime;
  return { title: picture.stamp, note: isReached ? instant(genTime) : picture.pendingStamp, isReached };
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

function mark({ part, title, note, state }: Station, y: number, id: string): SVGElement {
  const link = svg(
    "a",
    { href: `#part-${id}-${part}`, class: `station is-${state}` },
    svg("rect", { x: LABEL_X - 8, y: y - 20, width: WIDTH - LABEL_X + 8, height: 42, rx: 4, class: "hit" }),
    svg("g", { transform: `translate(${RAIL_X} ${y})` }, disc(state)),
    svg("text", { x: LABEL_X, y: y - 2, class: "title" }, title),
    // Between two words, for those who read the label aloud.
    " ",
    svg("text", { x: LABEL_X, y: y + 15, class: "note" }, note),
  );
  return link;
}
