// What can be wrong in a run: a case changes one thing, and names the checks of the oracle that must find it.
import type { Lie } from "./lying-proxy.ts";
import type { CallOfRun, RecordedRun } from "./oracle-run.ts";

type Calls = readonly CallOfRun[];

export interface Tampered {
  readonly calls?: (calls: Calls) => Calls;
  readonly run?: (run: RecordedRun) => Readonly<Record<string, unknown>>;
  readonly lie?: Lie;
  readonly finds: readonly (readonly [check: string, told: RegExp])[];
}

export interface Titled extends Tampered {
  readonly title: string;
}

export const HOUR_MS = 3_600_000;

export const flipped = (old: unknown): string =>
  String(old).replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
export const plus = (more: number) => (old: unknown) => Number(old) + more;
export const withoutLast = (old: unknown): unknown => (Array.isArray(old) ? old.slice(0, -1) : old);
export const anHourLater = (old: unknown): string =>
  new Date(Date.parse(String(old)) + HOUR_MS).toISOString();

/** Flips one bit; a negative place counts from the end. */
export const flipAt = (place: number) => (body: Buffer) => {
  const at = place < 0 ? body.length + place : place;
  body[at] = (body[at] ?? 0) ^ 1;
};
