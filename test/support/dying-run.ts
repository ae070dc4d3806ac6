// A run of the sealer that is cut off in the middle, as a function is at its time limit.
import type { Ledger } from "./ledger-stack.ts";

/** Resolves once the run has written its first transaction; its second is never sent, and the run never ends. */
export async function sealUntilCutOff(ledger: Ledger): Promise<void> {
  const cutOff = Promise.withResolvers<void>();
  let transactions = 0;
  const process = ledger.newProcess(async (call, send) => {
    if (call.name !== "TransactWriteItems" || ++transactions === 1) return send();
    cutOff.resolve();
    return new Promise(() => {});
  });
  void process.seal();
  await cutOff.promise;
}
