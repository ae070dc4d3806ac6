// Verification of the links between receipts: the chain's, and the conversation's.

import {
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  type ShownReceipt,
  shownReceiptSchema,
  withoutAuthentication,
} from "../formats/receipt.ts";
import { formatDigest } from "../merkle/hash.ts";
import { type Finding, fail, holds, runSteps, type Step, type Verification } from "./check.ts";
import { count } from "./count.ts";

/** A receipt as the format says, and what the next one has to name: the hash of all that came, known or not. */
interface Linked extends ShownReceipt {
  readonly link: string;
}

const STEPS: readonly Step<readonly object[]>[] = [
  ["chain_links", (receipts) => holds(`${count(verifyChainLinks(receipts), "link")} of the chain`)],
  ["turn_links", (receipts) => checkTurnLinks(receipts.map(readLinked))],
];

/**
 * Checks every link between receipts that are there: of one chain, where two follow each other, and of one
 * conversation, whose receipts `receipts` lists whole and in order. They are taken as they came: where one is not as
 * the format says, no link is believed.
 */
export const verifyLinks = (receipts: readonly object[]): Promise<Verification> => runSteps(STEPS, receipts);

function readLinked(raw: object): Linked {
  const { success, data } = shownReceiptSchema.safeParse(raw);
  if (!success) return fail("a receipt is not as the format says");
  return { ...data, link: formatDigest(hashReceiptCore(withoutAuthentication(raw))) };
}

/** The number of the chain's links that there were to check. Throws `proof_invalid` for one that does not hold. */
export function verifyChainLinks(raw: readonly object[]): number {
  const receipts = raw.map(readLinked);
  const byPlace = sortByPlace(receipts);
  let followed = 0;
  for (const receipt of receipts) {
    const previous = byPlace.get(placeOf(receipt.chain_id, receipt.sequence - 1));
    if (receipt.sequence === 0 && receipt.previous_hash !== NO_PREVIOUS_HASH)
      fail("the first receipt links back");
    if (previous === undefined) continue;
    if (receipt.previous_hash !== previous.link)
      fail(`receipt ${receipt.sequence} does not link to the one before it`);
    followed++;
  }
  checkTimes(receipts);
  checkSealsBefore(receipts);
  return followed;
}

/** In one chain, a later receipt was not issued earlier. */
function checkTimes(receipts: readonly Linked[]): void {
  forEachLater(inOrder(receipts), (receipt, before) => {
    if (receipt.issued_at < before.issued_at)
      fail(`receipt ${receipt.sequence} was issued before receipt ${before.sequence} of its chain`);
  });
}

/** In one chain, a later receipt does not name an older seal. */
function checkSealsBefore(receipts: readonly Linked[]): void {
  forEachLater(inOrder(receipts), (receipt, before) => {
    if (indexOfSeal(receipt) < indexOfSeal(before))
      fail(`receipt ${receipt.sequence} names an older seal than receipt ${before.sequence} of its chain`);
  });
}

const inOrder = (receipts: readonly Linked[]): Linked[] =>
  receipts.toSorted((a, b) => a.sequence - b.sequence);

/** Gives each receipt with the last one before it of its chain, whether their places are next to each other or not. */
function forEachLater(receipts: readonly Linked[], check: (receipt: Linked, before: Linked) => void): void {
  const last = new Map<string, Linked>();
  for (const receipt of receipts) {
    const before = last.get(receipt.chain_id);
    if (before !== undefined) check(receipt, before);
    last.set(receipt.chain_id, receipt);
  }
}

/** A receipt before the first seal names none. */
const indexOfSeal = ({ recorded_after }: Linked): number => recorded_after?.seal_index ?? -1;

/** By place in its chain. Two histories of one chain may each link well: a fork shows where they begin to differ. */
function sortByPlace(receipts: readonly Linked[]): ReadonlyMap<string, Linked> {
  const byPlace = new Map<string, Linked>();
  for (const receipt of receipts) {
    const place = placeOf(receipt.chain_id, receipt.sequence);
    const other = byPlace.get(place);
    if (other !== undefined && other.link !== receipt.link)
      fail(`two receipts claim place ${receipt.sequence} of one chain`);
    byPlace.set(place, receipt);
  }
  return byPlace;
}

function checkTurnLinks(receipts: readonly Linked[]): Finding {
  for (const [i, receipt] of receipts.entries()) {
    const previous = receipts[i - 1];
    if (receipt.turn === 1 && receipt.previous_turn_hash !== null) fail("the first turn links back");
    if (previous === undefined) continue;
    if (receipt.turn !== previous.turn + 1) fail(`turn ${receipt.turn} comes after turn ${previous.turn}`);
    if (receipt.previous_turn_hash !== previous.link)
      fail(`turn ${receipt.turn} does not link to the one before it`);
    checkTurnOrder(receipt, previous);
  }
  return holds(`turns ${receipts.at(0)?.turn} to ${receipts.at(-1)?.turn} of the conversation`);
}

/** A conversation stays on one chain, and its turns follow each other there in place and time. */
function checkTurnOrder(receipt: Linked, before: Linked): void {
  const [later, earlier] = [`turn ${receipt.turn}`, `turn ${before.turn}`];
  if (receipt.chain_id !== before.chain_id) fail(`${later} is on another chain than ${earlier}`);
  if (receipt.sequence <= before.sequence)
    fail(
      `${later} is receipt ${receipt.sequence} of its chain, but ${earlier} is receipt ${before.sequence}`,
    );
  if (receipt.issued_at < before.issued_at) fail(`${later} was issued before ${earlier}`);
  if (indexOfSeal(receipt) < indexOfSeal(before)) fail(`${later} names an older seal than ${earlier}`);
}

const placeOf = (chainId: string, sequence: number): string => `${chainId}#${sequence}`;
