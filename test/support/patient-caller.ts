// A caller that asks again where the chain was too busy, as the client library does: how many of several processes win a
// race within the appender's budget depends on the machine, and is not what tests are about.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import type { Caller } from "../../service/tenants/tenants.ts";
import type { TestProcess } from "./test-process.ts";

/** The receipt of one call, however often it was refused with `ledger_contended`, which says that nothing was written. */
export async function attestPatiently(
  process: TestProcess | undefined,
  caller: Caller,
  request: AttestationRequest,
  idempotencyKey: string | null = null,
): Promise<ComplianceReceipt> {
  if (process === undefined) throw new Error("there is no such process");
  try {
    return await process.attest(caller, request, idempotencyKey);
  } catch (error) {
    if (!isDisclosureError(error, "ledger_contended")) throw error;
    return attestPatiently(process, caller, request, idempotencyKey);
  }
}
