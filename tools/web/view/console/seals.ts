// The newest seals side by side: their receipts as bars, their tokens and cosignatures as dots, the delay of the first
// token as bars again. The table below says the same in figures.
import type { ConsoleSeal, ConsoleSeals } from "../../../../contract/console.ts";
import { el, section, svg } from "../dom.ts";
import { asTable, type ConsoleView, clockElement, number, remark, row, table } from "./part.ts";

const STEP = 21;
const LABELS = 92;
const BARS = 84;
const LANE = 34;
const DELAY = 46;
const FOOT = 22;
const HEIGHT = BARS + 2 * LANE + DELAY + FOOT;
const BAR = 12;
const DOT = 3.4;
const DOT_STEP = 9;
/** More dots than these do not fit into a lane. */
const MAX_DOTS = 3;
const SECOND_MS = 1_000;
/** Between two times at the foot of the picture, in seals. */
const TIME_EVERY = 4;

export function sealsView(
  view: ConsoleView,
  { seals, asks_witnesses: asksWitnesses }: ConsoleSeals,
): HTMLElement {
  const { seals: words } = view.text;
  if (seals.length === 0) return section("seals", words.heading, el("p", { class: "empty" }, words.none));
  return section(
    "seals",
    words.heading,
    remark(words.lead),
    pictureOf(view, seals, asksWitnesses),
    remark(words.legend),
    asTable("seal-table", words.asTable, sealTable(view, seals.toReversed(), asksWitnesses)),
  );
}

function pictureOf(view: ConsoleView, all: readonly ConsoleSeal[], asksWitnesses: boolean): SVGElement {
  const { seals: words } = view.text;
  const room = Math.max(1, Math.floor((view.width - LABELS) / STEP));
  const seals = all.slice(-room);
  const scales = { receipts: mostOf(seals, ({ receipts }) => receipts), delay: mostOf(seals, delayOf) };
  const newest = number(view, seals.at(-1)?.index ?? 0);
  const columns = seals.map((seal, i) =>
    svg(
      "g",
      { transform: `translate(${LABELS + i * STEP + STEP / 2} 0)` },
      ...columnOf(seal, scales, asksWitnesses),
      i % TIME_EVERY === 0 ? timeLabel(seal) : null,
    ),
  );
  return svg(
    "svg",
    {
      class: "seal-picture",
      role: "img",
      "aria-label": words.picture(number(view, seals.length), newest),
      viewBox: `0 0 ${view.width} ${HEIGHT}`,
      width: view.width,
      height: HEIGHT,
    },
    ...lanesOf(view, scales),
    ...(asksWitnesses ? [] : [svg("text", { x: LABELS, y: BARS + 2 * LANE - 12 }, words.notAsked)]),
    ...columns,
  );
}

interface Scales {
  readonly receipts: number;
  readonly delay: number;
}

const mostOf = (seals: readonly ConsoleSeal[], value: (seal: ConsoleSeal) => number | null): number =>
  Math.max(1, ...seals.map((seal) => value(seal) ?? 0));

/** Seconds from the seal to the earliest time that one of its tokens states; null without one. */
function delayOf({ sealed_at, tokens }: ConsoleSeal): number | null {
  const times = tokens.flatMap(({ time }) => (time === null ? [] : [Date.parse(time)]));
  if (times.length === 0) return null;
  return Math.max(0, (Math.min(...times) - Date.parse(sealed_at)) / SECOND_MS);
}

/** The names of the lanes, each with a line below it, and the largest values. */
function lanesOf(view: ConsoleView, scales: Scales): SVGElement[] {
  const { seals: words } = view.text;
  const lanes = [
    [words.receipts, BARS, number(view, scales.receipts)],
    [words.tokens, BARS + LANE, null],
    [words.cosigned, BARS + 2 * LANE, null],
    [words.delay, BARS + 2 * LANE + DELAY, words.seconds(secondsOf(view, scales.delay))],
  ] as const;
  return lanes.flatMap(([name, foot, most]) => [
    svg("line", { x1: 0, x2: view.width, y1: foot, y2: foot, class: "lane" }),
    svg("text", { x: 0, y: foot - (most === null ? 12 : 24), class: "lane-name" }, name),
    ...(most === null ? [] : [svg("text", { x: 0, y: foot - 8, class: "lane-most" }, `≤ ${most}`)]),
  ]);
}

function columnOf(seal: ConsoleSeal, scales: Scales, asksWitnesses: boolean): SVGElement[] {
  const delay = delayOf(seal);
  const delayFoot = BARS + 2 * LANE + DELAY;
  return [
    bar(seal.receipts / scales.receipts, BARS, BARS - 10, seal.is_published ? "bar" : "bar is-waiting"),
    ...dots(seal.tokens.length, seal.lacks_tokens || seal.tokens.length === 0, BARS + LANE / 2),
    ...dots(seal.cosigners.length, asksWitnesses && seal.cosigners.length === 0, BARS + LANE + LANE / 2),
    ...(delay === null ? [] : [bar(delay / scales.delay, delayFoot, DELAY - 10, "bar is-delay")]),
  ];
}

function bar(part: number, foot: number, height: number, name: string): SVGElement {
  const size = Math.max(1.5, part * height);
  return svg("rect", { x: -BAR / 2, y: foot - size, width: BAR, height: size, class: name });
}

/** One dot for each, and a hollow one where something is missing. */
function dots(count: number, isLacking: boolean, middle: number): SVGElement[] {
  const filled = Math.min(count, MAX_DOTS - (isLacking ? 1 : 0));
  const names = [...Array.from({ length: filled }, () => "dot"), ...(isLacking ? ["dot is-missing"] : [])];
  const top = middle - ((names.length - 1) * DOT_STEP) / 2;
  return names.map((name, i) => svg("circle", { cx: 0, cy: top + i * DOT_STEP, r: DOT, class: name }));
}

const timeLabel = ({ sealed_at }: ConsoleSeal): SVGElement =>
  svg("text", { x: -BAR / 2, y: HEIGHT - 5, class: "lane-time" }, sealed_at.slice(11, 16));

const secondsOf = ({ text }: ConsoleView, seconds: number): string =>
  new Intl.NumberFormat(text.locale, { maximumFractionDigits: 1 }).format(seconds);

function sealTable(view: ConsoleView, seals: readonly ConsoleSeal[], asksWitnesses: boolean): HTMLElement {
  const { seals: words } = view.text;
  const heads = [words.index, words.time, words.receipts, words.tokens, words.delayHead, words.cosigned];
  const rows = seals.map((seal) => {
    const delay = delayOf(seal);
    return row(
      heads,
      number(view, seal.index),
      seal.is_published ? clockElement(seal.sealed_at) : words.unpublished,
      number(view, seal.receipts),
      [number(view, seal.tokens.length), ...(seal.lacks_tokens ? [words.lacking] : [])].join(", "),
      delay === null ? "–" : words.seconds(secondsOf(view, delay)),
      cosignedWords(view, seal, asksWitnesses),
    );
  });
  return table(heads, rows, "listing dense", words.heading);
}

function cosignedWords(view: ConsoleView, seal: ConsoleSeal, asksWitnesses: boolean): string {
  const { seals: words } = view.text;
  if (!seal.has_checkpoint) return words.noCheckpoint;
  if (seal.cosigners.length > 0) return seal.cosigners.join(", ");
  return asksWitnesses ? number(view, 0) : words.notAsked;
}
