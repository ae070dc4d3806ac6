// The reader's inputs for the log's signatures, as `verify` and `sheet` take them from the files and options.
import { Checkpoints } from "../../reader/checkpoints.ts";
import type { ReaderInputs } from "../../reader/inputs.ts";
import type { LogSource } from "../../reader/metachain.ts";
import type { Given } from "./given.ts";

/** `log` is null where no file of a log may be read. */
export function signatureInputs(
  { logPolicy, coseReceipts }: Given,
  log: LogSource | null,
): Pick<ReaderInputs, "checkpoints" | "coseReceipts"> {
  const policy = logPolicy?.policy ?? null;
  const receipts = coseReceipts.map(({ coseReceipt }) => coseReceipt);
  return {
    ...(policy !== null && { checkpoints: new Checkpoints(policy, log) }),
    ...(receipts.length > 0 && { coseReceipts: { receipts, policy } }),
  };
}
