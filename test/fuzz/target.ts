// A target of fuzzing: inputs, and the property that holds for each. A run is told by its seed, and so is its failure.
import fc from "fast-check";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { mostStepsFor, type StepCounter } from "./steps.ts";

export interface Target {
  readonly name: string;
  /** How many inputs `npm test` takes. */
  readonly runs: number;
  /** Takes so many inputs of this seed. Throws with the smallest input that does not hold. */
  readonly run: (options: RunOptions) => Promise<void>;
}

/** A target in this process, of which the work can be counted. */
export interface CountedTarget extends Target {
  /** The same for the work: throws for an input that costs more steps than its length allows. */
  readonly countWork: (options: RunOptions, counter: StepCounter) => Promise<void>;
}

export interface RunOptions {
  readonly seed: number;
  readonly runs: number;
}

interface Property<T> {
  readonly name: string;
  readonly runs: number;
  readonly inputs: fc.Arbitrary<T>;
  /** Throws, or answers false, where the property does not hold. */
  readonly holds: (input: T) => unknown;
  /** The bytes of an input, by which its work is measured. */
  readonly sizeOf: (input: T) => number;
}

export function target<T>({ name, runs, inputs, holds, sizeOf }: Property<T>): CountedTarget {
  const assertAll = (check: (input: T) => unknown, { seed, runs: numRuns }: RunOptions): Promise<void> =>
    Promise.resolve(
      fc.assert(
        fc.asyncProperty(inputs, async (input) => (await check(input)) !== false),
        { seed, numRuns },
      ),
    );
  return {
    name,
    runs,
    run: (options) => assertAll(holds, options),
    countWork: (options, counter) =>
      assertAll((input) => assertBounded(counter, () => holds(input), sizeOf(input)), options),
  };
}

async function assertBounded(counter: StepCounter, work: () => unknown, bytes: number): Promise<void> {
  const [steps, most] = [await counter.count(work), mostStepsFor(bytes)];
  if (steps > most) throw new Error(`${bytes} bytes took ${steps} steps, and ${most} are allowed`);
}

/** The value, or null where the input was refused by one of our errors with one of these codes. */
export function refusedOr<T>(read: () => T, ...codes: Parameters<typeof isDisclosureError>[1][]): T | null {
  try {
    return read();
  } catch (error) {
    if (codes.some((code) => isDisclosureError(error, code))) return null;
    throw error;
  }
}

export async function laterRefusedOr<T>(
  read: () => Promise<T>,
  ...codes: Parameters<typeof isDisclosureError>[1][]
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (codes.some((code) => isDisclosureError(error, code))) return null;
    throw error;
  }
}
