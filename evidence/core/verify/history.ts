// One history: the facts of many pieces of verified evidence, and the first that contradicts an earlier one. A fork of a
// log, an order that can't be, or two truths for one place show here, however well each piece holds by itself.
import { BoundedMap } from "../bounded-map.ts";
import type { Fact, Facts, GrowthStep, LogKind } from "./fact-types.ts";

/** Two facts that can't both be true. */
export interface Contradiction {
  readonly log: LogKind;
  /** For people, in a sentence. */
  readonly sentence: string;
  /** The name of the fact or series. */
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
}

export class History {
  readonly #capacity: number;
  /** By name; the one that was confirmed last comes last. */
  readonly #values: BoundedMap<string, string>;
  /** By series, each in the order of `at`, then of `value`. */
  readonly #series: BoundedMap<string, GrowthStep[]>;

  /** The oldest are forgotten where there are more facts, series, or steps of one series than `capacity`. */
  constructor(capacity: number = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity;
    this.#values = new BoundedMap(capacity);
    this.#series = new BoundedMap(capacity);
  }

  /** Null where the facts go together with all that was added before; else nothing of them is added. */
  add({ facts, steps }: Facts): Contradiction | null {
    const contradiction = this.#contradictionIn(facts) ?? this.#contradictionAlong(steps);
    if (contradiction !== null) return contradiction;
    for (const { name, value } of facts) this.#values.set(name, value);
    for (const step of steps) this.#insert(step);
    return null;
  }

  /** The facts are compared with each other too. */
  #contradictionIn(facts: readonly Fact[]): Contradiction | null {
    const fresh = new Map<string, string>();
    for (const { log, name, what, value } of facts) {
      const known = this.#values.get(name) ?? fresh.get(name) ?? value;
      const sentence = `there are two versions of ${what}`;
      if (known !== value) return { log, sentence, name, expected: known, actual: value };
      fresh.set(name, value);
    }
    return null;
  }

  #contradictionAlong(steps: readonly GrowthStep[]): Contradiction | null {
    for (const step of steps) {
      const series = this.#series.get(step.series) ?? [];
      const before = series[placeIn(series, step.at, Number.NEGATIVE_INFINITY) - 1];
      const after = series[placeIn(series, step.at, Number.POSITIVE_INFINITY)];
      if (before !== undefined && !follows(before, step)) return contradiction(before, step, before, step);
      if (after !== undefined && !follows(step, after)) return contradiction(step, after, after, step);
    }
    return null;
  }

  #insert(step: GrowthStep): void {
    const series = this.#series.get(step.series) ?? [];
    const place = placeIn(series, step.at, step.value);
    const { [place]: known } = series;
    if (known?.at !== step.at || known.value !== step.value) series.splice(place, 0, step);
    if (series.length > this.#capacity) series.shift();
    this.#series.set(step.series, series);
  }
}

/** How many steps of a series come before this place. */
function placeIn(series: readonly GrowthStep[], at: number, value: number): number {
  let [low, high] = [0, series.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const step = series[middle];
    const isBefore = step !== undefined && (step.at < at || (step.at === at && step.value < value));
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

const follows = (earlier: GrowthStep, later: GrowthStep): boolean =>
  later.mustGrow ? later.value > earlier.value : later.value >= earlier.value;

const contradiction = (
  earlier: GrowthStep,
  later: GrowthStep,
  known: GrowthStep,
  added: GrowthStep,
): Contradiction => ({
  log: added.log,
  sentence: `${earlier.statement}, but ${later.statement}`,
  name: added.series,
  expected: known.statement,
  actual: added.statement,
});
