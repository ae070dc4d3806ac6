// When which fault comes, drawn from the seed before the run: the same seed gives the same schedule.
import { exponential, randomOf } from "../../throughput/random.ts";
import { FAULTS, type FaultName } from "./names.ts";

export interface PlannedFault {
  /** Milliseconds since the load began. */
  readonly at: number;
  readonly name: FaultName;
  /** The seed of whatever else is by chance about it. */
  readonly seed: number;
}

/** In a short run each fault comes all the same, as a rule. */
const LEAST_COMINGS = 2;
const SEEDS = 2 ** 31;

/** In the order of their time. A fault's moments do not depend on which others there are. */
export function scheduleOf(
  seed: number,
  names: readonly FaultName[],
  durationMs: number,
): readonly PlannedFault[] {
  return names.flatMap((name) => comingsOf(seed, name, durationMs)).sort((a, b) => a.at - b.at);
}

function comingsOf(seed: number, name: FaultName, durationMs: number): PlannedFault[] {
  const random = randomOf(seedOf(seed, name));
  const gapMs = Math.min(FAULTS[name].meanGapMs, durationMs / LEAST_COMINGS);
  const comings: PlannedFault[] = [];
  for (let at = exponential(random, gapMs); at < durationMs; at += exponential(random, gapMs))
    comings.push({ at, name, seed: Math.floor(random() * SEEDS) });
  return comings;
}

/** A seed of its own for every purpose of a run. */
export function seedOf(seed: number, purpose: string): number {
  let mixed = seed | 0;
  for (const character of purpose) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return mixed >>> 0;
}
