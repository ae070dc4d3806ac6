// Verification of the links between receipts: the chain's, and the conversation's.
import { type Finding, holds, runSteps, type Step, type Verification } from "./check.ts";
import { DisclosureError } from "./errors.ts";
import { formatDigest } from "./hash.ts";
import {
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  type Receipt,
  receiptSchema,
  withoutAuthentication,
} from "./receipt.ts";

const STEPS: readonly Step<readonly Receipt[]>[] = [
  ["chain_links", checkChainLinks],
  ["turn_links", checkTurnLinks],
];

/**
 * Checks every link between receipts that are there: of one chain, where two follow each other, and of one
 * conversation, whose receipts `receipts` lists whole and in order. Receipts may be as they came: of one that is not
 * as the format says, no link is believed.
 */
export const verifyLinks = (receipts: readonly Receipt[]): Promise<Verification> => runSteps(STEPS, receipts);

function checkChainLinks(receipts: readonly Receipt[]): Finding {
  requireFormat(receipts);
  const byPlace = sortByPlace(receipts);
  let followed = 0;
  for (const receipt of receipts) {
    const previous = byPlace.get(placeOf(receipt.chain_id, receipt.sequence - 1));
    if (receipt.sequence === 0 && receipt.previous_hash !== NO_PREVIOUS_HASH)
      fail("the first receipt links back");
    if (previous === undefined) continue;
    if (receipt.previous_hash !== linkTo(previous))
      fail(`receipt ${receipt.sequence} does not follow the one before`);
    if (receipt.issued_at < previous.issued_at)
      fail(`receipt ${receipt.sequence} is older than the one before`);
    followed++;
  }
  return holds(`${followed} links of the chain`);
}

/** By place in its chain. Two histories of one chain may each link well: a fork shows where they begin to differ. */
function sortByPlace(receipts: readonly Receipt[]): ReadonlyMap<string, Receipt> {
  const byPlace = new Map<string, Receipt>();
  for (const receipt of receipts) {
    const place = placeOf(receipt.chain_id, receipt.sequence);
    const other = byPlace.get(place);
    if (other !== undefined && linkTo(other) !== linkTo(receipt))
      fail(`two receipts claim place ${receipt.sequence} of one chain`);
    byPlace.set(place, receipt);
  }
  return byPlace;
}

function checkTurnLinks(receipts: readonly Receipt[]): Finding {
  requireFormat(receipts);
  for (const [i, receipt] of receipts.entries()) {
    const previous = receipts[i - 1];
    if (receipt.turn === 1 && receipt.previous_turn_hash !== null) fail("the first turn links back");
    if (previous === undefined) continue;
    if (receipt.turn !== previous.turn + 1) fail(`turn ${receipt.turn} comes after turn ${previous.turn}`);
    if (receipt.previous_turn_hash !== linkTo(previous))
      fail(`turn ${receipt.turn} does not follow the one before`);
  }
  return holds(`turns ${receipts.at(0)?.turn} to ${receipts.at(-1)?.turn} of the conversation`);
}

function requireFormat(receipts: readonly Receipt[]): void {
  if (!receipts.every((receipt) => receiptSchema.safeParse(receipt).success))
    fail("a receipt is not as the format says");
}

const placeOf = (chainId: string, sequence: number): string => `${chainId}#${sequence}`;

const linkTo = (receipt: Receipt): string => formatDigest(hashReceiptCore(withoutAuthentication(receipt)));

function fail(message: string): never {
  throw new DisclosureError("proof_invalid", message);
}
