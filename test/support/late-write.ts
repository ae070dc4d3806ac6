// A writer that was frozen between signing a request and sending it: its receipt comes minutes after its clock.
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import type { Caller } from "../../service/tenants/tenants.ts";
import type { Ledger } from "./ledger-stack.ts";
import { requestOf, type TestProcess } from "./test-process.ts";

export interface LateWrite {
  readonly process: TestProcess;
  readonly arrive: () => Promise<ComplianceReceipt>;
}

/** Begins an attestation whose write has been signed and does not arrive before `arrive` is called. */
export async function beginLateWrite(
  ledger: Ledger,
  caller: Caller,
  interactionId = "late",
): Promise<LateWrite> {
  const [signed, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const process = ledger.newProcess(async (call, send) => {
    if (call.name === "TransactWriteItems") {
      signed.resolve();
      await late.promise;
    }
    return send();
  });
  const attest = process.attest(caller, requestOf(interactionId));
  await signed.promise;
  return {
    process,
    arrive: () => {
      late.resolve();
      return attest;
    },
  };
}
