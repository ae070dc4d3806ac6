// Finds the receipt that an earlier call wrote: the idempotency record names its place in its chain.
import { DisclosureError } from "../../evidence/core/errors.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import type { Table } from "../table/table.ts";
import type { Submission } from "./append-plan.ts";
import { type ChainLeaf, readChainLeaf } from "./chain-leaf.ts";
import { Log } from "./log.ts";
import type { Macs } from "./macs.ts";

export const otherBody = (): DisclosureError =>
  new DisclosureError("idempotency_conflict", "this Idempotency-Key was used with another body");

/**
 * The receipt that the first use of an Idempotency-Key wrote, verified. Throws `idempotency_conflict` where it was
 * used with another body, and `ledger_corrupt` where the record leads to something else.
 */
export async function readEarlierReceipt(
  { table, macs }: { readonly table: Table; readonly macs: Macs },
  { inputHash }: Pick<Submission, "inputHash">,
  record: Item,
): Promise<ChainLeaf> {
  if (textOf(record, "input_hash") !== inputHash) {
    throw otherBody();
  }
  const [log, leafIndex] = [new Log(table, textOf(record, "chain_id")), integerOf(record, "leaf_index")];
  const { entry } = await log.inclusionProof(leafIndex, leafIndex + 1);
  const receipt = readChainLeaf(entry);
  if (receipt.core.input_hash !== inputHash) {
    throw new DisclosureError("ledger_corrupt", "an idempotency record names another body's receipt");
  }
  await macs.verifyReceipt(receipt);
  return receipt;
}
