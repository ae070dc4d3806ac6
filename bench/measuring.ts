// What the benchmarks share: the machine that they ran on, and the middle of what they measured.
import { cpus } from "node:os";

export const machine = (): string => `${cpus()[0]?.model} × ${cpus().length}, Node ${process.version}`;

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
