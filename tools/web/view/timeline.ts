// The picture of a conversation: its receipts as a chain, row by row, and under them the roots that cover them.
import type { ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { textAt } from "../../../evidence/reader/text/format.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { isInOrder } from "../../../evidence/reader/wording.ts";
import { summarize } from "../stations.ts";
import { svg } from "./dom.ts";
import { clockTime } from "./format.ts";
import { disc, signMark, stateOf } from "./icon.ts";
import type { View } from "./view.ts";

/** A bead with its turn and time, or, for long conversations, without. */
const LARGE = { cell: 96, widest: 204, row: 124, labelled: true } as const;
const SMALL = { cell: 26, widest: 26, row: 40, labelled: false } as const;
const MAX_LARGE = 48;
const PADDING = 4;
const RADIUS = 10;
const ROOT_OFFSET = 76;
const BEAD_SCALE = 1.3;

type Layout = {
  readonly cell: number;
  readonly row: number;
  readonly labelled: boolean;
  readonly perRow: number;
};

/** `width` is the room there is, in CSS pixels. A bead leads to `turn-<index>`. */
export function timelinePicture(view: View, width: number): SVGElement {
  const { turns } = view.entry.examination;
  const size = turns.length > MAX_LARGE ? SMALL : LARGE;
  const perRow = Math.max(1, Math.min(turns.length, Math.floor((width - 2 * PADDING) / size.cell)));
  const cell = Math.max(size.cell, Math.min(size.widest, (width - 2 * PADDING) / perRow));
  const layout = { ...size, cell, perRow };
  const [w, h] = [perRow * cell + 2 * PADDING, Math.ceil(turns.length / perRow) * size.row];
  // With hundreds of beads the list below is the quicker way by keyboard: then this is one picture.
  const role = size.labelled ? "group" : "img";
  const label = view.text.timeline.label(turns.length);
  return svg(
    "svg",
    { viewBox: `0 0 ${w} ${h}`, width: w, height: h, class: "timeline", role, "aria-label": label },
    ...turns.map((turn, i) => link(turn, i, layout)),
    ...turns.map((turn, i) => bead(view, turn, i, layout)),
    ...(size.labelled ? roots(view, layout) : []),
  );
}

const xOf = (i: number, { cell, perRow }: Layout): number => PADDING + ((i % perRow) + 0.5) * cell;
const yOf = (i: number, { row, perRow }: Layout): number => Math.floor(i / perRow) * row + 2 * RADIUS;

/** The link to the bead before. At the start of a row it comes in from the margin. */
function link({ follows }: ExaminedTurn, i: number, layout: Layout): SVGElement {
  const [x, y] = [xOf(i, layout), yOf(i, layout)];
  const isRowStart = i % layout.perRow === 0;
  const from = isRowStart ? x - layout.cell / 2 : xOf(i - 1, layout);
  if (follows === null) return svg("g");
  const line = svg("path", { d: `M${from} ${y} H${x}`, class: follows ? "rail" : "rail is-broken" });
  if (follows) return line;
  const sign = svg("g", { transform: `translate(${(from + x) / 2} ${y})` }, signMark("unlinked"));
  return svg("g", {}, line, sign);
}

function bead(view: View, turn: ExaminedTurn, i: number, layout: Layout): SVGElement {
  const [receipt] = turn.evidence.receipts ?? [];
  const state = stateOf(summarize(turn.checks));
  const [x, y] = [xOf(i, layout), yOf(i, layout)];
  const scale = layout.labelled ? BEAD_SCALE : 1;
  const mark = svg(
    "g",
    { transform: `translate(${x} ${y}) scale(${scale})` },
    disc(state),
    ...remarkMark(turn),
  );
  if (!layout.labelled) return mark;
  const name = textAt(receipt, "turn").slice(0, 6);
  const time = clockTime(textAt(receipt, "issued_at"));
  const label = labelOf(view.text, turn, `${name} ${time}`);
  return svg(
    "a",
    { href: `#turn-${i}`, class: `bead is-${state}`, "aria-label": label },
    svg("rect", {
      x: x - layout.cell / 2 + 4,
      y: y - RADIUS - 8,
      width: layout.cell - 8,
      height: 72,
      rx: 4,
      class: "hit",
    }),
    mark,
    svg("text", { x, y: y + 34, class: "title", "text-anchor": "middle" }, name),
    // Between two words, for those who read the label aloud.
    " ",
    svg("text", { x, y: y + 51, class: "note", "text-anchor": "middle" }, time),
  );
}

/** A notice that was recorded with remarks is marked, however sound its receipt. */
const remarkMark = ({ evidence }: ExaminedTurn): readonly SVGElement[] =>
  evidence.receipts?.every(isInOrder) === false
    ? [svg("g", { transform: "translate(9 -8) scale(0.6)" }, signMark("remarked"))]
    : [];

function labelOf({ timeline, state }: Text, turn: ExaminedTurn, name: string): string {
  const words = [
    state[stateOf(summarize(turn.checks))],
    ...(turn.follows === false ? [timeline.unlinked] : []),
    ...(remarkMark(turn).length > 0 ? [timeline.remarked] : []),
  ];
  return timeline.bead(name, words.join(", "));
}

/** A bracket under neighbours in a row that one root covers. */
function roots(view: View, layout: Layout): SVGElement[] {
  const brackets: SVGElement[] = [];
  const indices = view.entry.examination.turns.map(sealOf);
  for (let start = 0; start < indices.length; ) {
    let end = start + 1;
    while (end < indices.length && indices[end] === indices[start] && end % layout.perRow !== 0) end++;
    brackets.push(bracket(view, indices[start] ?? null, start, end - 1, layout));
    start = end;
  }
  return brackets;
}

const sealOf = ({ evidence }: ExaminedTurn): number | null =>
  evidence.merkle_proof.cross_tenant_proof?.seal_index ?? null;

function bracket(
  { text }: View,
  seal: number | null,
  first: number,
  last: number,
  layout: Layout,
): SVGElement {
  const [from, to] = [xOf(first, layout) - layout.cell / 2 + 10, xOf(last, layout) + layout.cell / 2 - 10];
  const y = yOf(first, layout) + ROOT_OFFSET - RADIUS;
  return svg(
    "g",
    {},
    svg("path", {
      d: `M${from} ${y - 5} V${y} H${to} V${y - 5}`,
      class: seal === null ? "bracket is-missing" : "bracket",
    }),
    svg(
      "text",
      { x: (from + to) / 2, y: y + 16, class: "note", "text-anchor": "middle" },
      seal === null ? text.timeline.pending : text.timeline.root(String(seal)),
    ),
  );
}
