// The benchmarks share these: the machine that they ran on, and the middle of the values that they measured.
import { cpus } from "node:os";

export const machine = (): string => `${cpus()[0]?.model} × ${cpus().length}, Node ${process.version}`;

/** The value that `share` of the values, from 0 to below 1, are smaller than or equal to. */
export const quantileOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

export const medianOf = (values: readonly number[]): number => quantileOf(values, 0.5);
