// The picture of a run: throughput, latency and faults over time, as an SVG that follows the reader's light or dark.
import type { MomentFigures } from "../load/measures.ts";
import type { RunFigures } from "./figures.ts";

const WIDTH = 960;
const LEFT = 70;
const RIGHT = 20;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
const PANEL_HEIGHT = 190;
const TOP = 54;
const GAP = 64;
const TICKS_HEIGHT = 26;
const HEIGHT = TOP + 2 * PANEL_HEIGHT + 2 * GAP + TICKS_HEIGHT + 44;
/** More points than that can't be told apart. */
const MAX_POINTS = 480;
const GRID_LINES = 5;
const TIME_MARKS = 10;
const MARK_GAP = 8;
const WORD_WIDTH = 34;
const LINE_HEIGHT = 16;

const STYLE = `
svg { font: 13px system-ui, sans-serif; --ink: #1b1f24; --pale: #6b7280; --grid: #e2e5e9; --paper: #ffffff; --one: #0b6bcb; --two: #0b6bcb; --three: #c2410c; --fault: #b42318; }
@media (prefers-color-scheme: dark) { svg { --ink: #e6e8eb; --pale: #9aa3ad; --grid: #30363d; --paper: #14171b; --one: #58a6ff; --two: #58a6ff; --three: #ffa657; --fault: #ff7b72; } }
text { fill: var(--ink); } .pale { fill: var(--pale); } .paper { fill: var(--paper); }
.grid { stroke: var(--grid); } .line { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
.one { stroke: var(--one); } .two { stroke: var(--two); } .three { stroke: var(--three); } .fault { stroke: var(--fault); }
.key-two { fill: var(--two); } .key-three { fill: var(--three); }`;

export interface PictureParts {
  readonly title: string;
  readonly figures: Pick<RunFigures, "moments">;
}

export function renderPicture({ title, figures }: PictureParts): string {
  const moments = thinned(figures.moments);
  const seconds = Math.max(1, ...figures.moments.map(({ second }) => second + 1));
  const x = (second: number): number => LEFT + (second / seconds) * PLOT_WIDTH;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style><rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    text(LEFT, TOP / 2, title),
    ...throughputPanel(moments, x),
    ...latencyPanel(moments, x),
    ...faultTicks(figures.moments, x),
    ...timeAxis(seconds, x),
    "</svg>",
    "",
  ].join("\n");
}

type Scale = (value: number) => number;

function throughputPanel(moments: readonly MomentFigures[], x: Scale): string[] {
  const most = niceAbove(Math.max(1, ...moments.map(({ attestations }) => attestations)));
  const y: Scale = (value) => TOP + PANEL_HEIGHT * (1 - value / most);
  const marks = Array.from({ length: GRID_LINES + 1 }, (_, at) => (most / GRID_LINES) * at);
  return [
    text(LEFT, TOP - MARK_GAP, "receipts a second", "pale"),
    ...gridLines(marks, y, (value) => value.toFixed(most < GRID_LINES ? 1 : 0)),
    polyline(
      "one",
      moments.map(({ second, attestations }) => [x(second), y(attestations)]),
    ),
  ];
}

/** Logarithmic: a fault holds calls up a thousand times longer than an ordinary call takes. */
function latencyPanel(moments: readonly MomentFigures[], x: Scale): string[] {
  const values = moments.flatMap(({ p50, p99 }) => [p50, p99]).filter((ms) => ms !== null);
  const lowest = Math.floor(Math.log10(Math.max(0.1, Math.min(1_000, ...values))));
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(1, ...values))));
  const top = TOP + PANEL_HEIGHT + GAP;
  const y: Scale = (ms) => top + PANEL_HEIGHT * (1 - (Math.log10(ms) - lowest) / (highest - lowest));
  const marks = Array.from({ length: highest - lowest + 1 }, (_, at) => 10 ** (lowest + at));
  const line = (className: string, of: (moment: MomentFigures) => number | null): string =>
    polyline(
      className,
      moments.flatMap((moment) => pointOf(moment, of(moment), x, y)),
    );
  return [
    text(LEFT, top - MARK_GAP, "latency of an attestation, ms (logarithmic)", "pale"),
    text(WIDTH - RIGHT - WORD_WIDTH, top - MARK_GAP, "p50", "key-two", "end"),
    text(WIDTH - RIGHT, top - MARK_GAP, "p99", "key-three", "end"),
    ...gridLines(marks, y, String),
    line("two", ({ p50 }) => p50),
    line("three", ({ p99 }) => p99),
  ];
}

const pointOf = ({ second }: MomentFigures, ms: number | null, x: Scale, y: Scale): [number, number][] =>
  ms === null ? [] : [[x(second), y(ms)]];

function faultTicks(moments: readonly MomentFigures[], x: Scale): string[] {
  const top = TOP + 2 * (PANEL_HEIGHT + GAP);
  const most = Math.max(1, ...moments.map(({ faults }) => faults));
  return [
    text(LEFT, top - MARK_GAP, "faults", "pale"),
    ...moments
      .filter(({ faults }) => faults > 0)
      .map(({ second, faults }) => {
        const height = TICKS_HEIGHT * Math.max(1 / GRID_LINES, faults / most);
        return `<path class="fault" d="M${fixed(x(second))} ${fixed(top + TICKS_HEIGHT)}v-${fixed(height)}"/>`;
      }),
  ];
}

function timeAxis(seconds: number, x: Scale): string[] {
  const y = HEIGHT - 2 * MARK_GAP;
  const step = niceAbove(seconds / TIME_MARKS);
  const marks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => step * at);
  return [
    ...marks.map((second) => text(x(second), y - LINE_HEIGHT, String(second), "pale", "middle")),
    text(LEFT + PLOT_WIDTH / 2, y, "seconds since the load began", "pale", "middle"),
  ];
}

const gridLines = (marks: readonly number[], y: Scale, label: (value: number) => string): string[] =>
  marks.flatMap((value) => [
    `<path class="grid" d="M${LEFT} ${fixed(y(value))}h${PLOT_WIDTH}"/>`,
    text(LEFT - MARK_GAP, y(value) + MARK_GAP / 2, label(value), "pale", "end"),
  ]);

const polyline = (className: string, points: readonly (readonly [number, number])[]): string =>
  `<polyline class="line ${className}" points="${points.map(([x, y]) => `${fixed(x)},${fixed(y)}`).join(" ")}"/>`;

const text = (x: number, y: number, words: string, className = "", anchor = "start"): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}" class="${className}" text-anchor="${anchor}">${escaped(words)}</text>`;

/** Every so many seconds, so that a long run has no more points than can be seen: the worst of them for latencies. */
function thinned(moments: readonly MomentFigures[]): MomentFigures[] {
  const width = Math.max(1, Math.ceil(moments.length / MAX_POINTS));
  const groups = Array.from({ length: Math.ceil(moments.length / width) }, (_, at) =>
    moments.slice(at * width, (at + 1) * width),
  );
  return groups.map((group) => ({
    second: group[0]?.second ?? 0,
    attestations: group.reduce((sum, { attestations }) => sum + attestations, 0) / group.length,
    p50: largest(group.map(({ p50 }) => p50)),
    p99: largest(group.map(({ p99 }) => p99)),
    faults: group.reduce((sum, { faults }) => sum + faults, 0),
  }));
}

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** 1, 2 or 5 times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power;
}

const fixed = (value: number): string => value.toFixed(1);
const escaped = (words: string): string =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
