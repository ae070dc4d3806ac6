// Choices that follow from a seed, for tests by chance that must be able to run one of their cases again.

export interface Chance {
  /** From 0 to below `end`. */
  readonly below: (end: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** Mulberry32: 32 bits of state are enough for what differs here. */
export function chanceFrom(seed: number): Chance {
  let state = Math.imul(seed + 1, 0x9e37_79b1);
  const next = (): number => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[below(list.length)];
    if (chosen === undefined) throw new Error("there is nothing to choose from");
    return chosen;
  };
  return { below, pick };
}
