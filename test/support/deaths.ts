// Runs that a fault may end in the middle.
import type { DisclosureError } from "../../evidence/core/errors.ts";
import type { FaultMode, Step } from "./faults.ts";
import { faultAt } from "./faults.ts";
import type { Ledger } from "./ledger-stack.ts";
import type { TestProcess, TestProcessOptions } from "./test-process.ts";

/** What became of one call: its answer, its error, or nothing, because the process died before it could say. */
export type Outcome<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "refused"; readonly error: DisclosureError }
  | { readonly kind: "died" };

/** Makes `calls` side by side in a new process that meets the fault. */
export async function runWithFault<T>(
  ledger: Ledger,
  step: Step,
  mode: FaultMode,
  rival: () => Promise<void>,
  calls: (process: TestProcess) => Promise<T>[],
  options: TestProcessOptions = {},
): Promise<Outcome<T>[]> {
  const death = Promise.withResolvers<void>();
  const process = ledger.newProcess(faultAt(step, mode, { rival, died: death.resolve }), options);
  const died = death.promise.then(() => ({ kind: "died" }) as const);
  return Promise.all(calls(process).map((call) => Promise.race([outcomeOf(call), died])));
}

export const outcomeOf = <T>(call: Promise<T>): Promise<Outcome<T>> =>
  call.then(
    (answer) => ({ kind: "answered", answer }) as const,
    (error: DisclosureError) => ({ kind: "refused", error }) as const,
  );
