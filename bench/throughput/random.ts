// Chance that a seed repeats: arrivals and latencies are drawn from it.

/** Numbers from 0 to below 1 (mulberry32). */
export type Random = () => number;

const WORD = 2 ** 32;
const STEP = 0x6d2b79f5;
/** How far latencies spread around their mean: the standard deviation of their logarithm. */
const SPREAD = 0.25;

export function randomOf(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + STEP) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / WORD;
  };
}

/** The time until the next arrival where arrivals have this mean distance (a Poisson process). */
export const exponential = (random: Random, mean: number): number => -Math.log(1 - random()) * mean;

/** A latency with this mean, log-normally spread: none is below zero, and a few are long. */
export const spread = (random: Random, mean: number): number =>
  mean * Math.exp(SPREAD * standardNormal(random) - SPREAD ** 2 / 2);

/** Box and Muller's way. */
const standardNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** An index into a list of this length. */
export const indexIn = (random: Random, length: number): number => Math.floor(random() * length);
