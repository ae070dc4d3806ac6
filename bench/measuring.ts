// The benchmarks share these: the machine that they ran on, where they keep data, and the middle of what they measured.
import { existsSync, statfsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";

export const machine = (): string => `${cpus()[0]?.model} × ${cpus().length}, Node ${process.version}`;

/** The value that `share` of the values, from 0 to below 1, are smaller than or equal to. */
export const quantileOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

export const medianOf = (values: readonly number[]): number => quantileOf(values, 0.5);

const MEMORY = "/dev/shm";
/** A run of hours may write so much. */
const ROOM_BYTES = 4 * 2 ** 30;

/** For data whose disk is not what is measured: in memory, where there is room. */
export function fastFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}
