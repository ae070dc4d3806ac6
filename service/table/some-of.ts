// Some of many, for a run that has no time for all.

/**
 * At most `count` of a list's members, from any one on and round its end: each has its turn, at whatever interval runs
 * come, and nobody knows when. `random` gives 0 to below 1.
 */
export function someOf<T>(list: readonly T[], count: number, random: () => number = Math.random): T[] {
  const start = Math.floor(random() * list.length);
  return [...list.slice(start), ...list.slice(0, start)].slice(0, count);
}
