// Verification of one line of a bill: a chain's receipts of the month are those between the receipts at its ends, which
// stand in the trees of published heads. It reads as a list of steps.
import type { Bill, BilledReceipt, BillLine } from "../formats/bill.ts";
import type { CrossTenantProof } from "../formats/compliance-receipt.ts";
import { formatEventId, parseEventId } from "../formats/event-id.ts";
import { hashChainHead, type ListedSeal, sealIn } from "../formats/metachain.ts";
import { monthNamed } from "../formats/month.ts";
import { hashReceiptCore } from "../formats/receipt.ts";
import { parseNode } from "../merkle/hash.ts";
import { verifyConsistency, verifyInclusion } from "../merkle/merkle-proof.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../timestamps/clock-difference.ts";
import { type Finding, fail, holds, type Step, unchecked, withoutSeal } from "./check.ts";
import type { BillCheckName } from "./check-names.ts";
import { count } from "./count.ts";

export interface LineSubject {
  readonly bill: Bill;
  readonly line: BillLine;
  /** The published seals by index; null where none is published there. */
  readonly published: ReadonlyMap<number, ListedSeal>;
}

export const LINE_STEPS: readonly Step<LineSubject, BillCheckName>[] = [
  ["span", checkSpan],
  ["billed_receipts", checkReceipts],
  ["month_ends", checkMonth],
  ["chain_heads", checkHeads],
  ["published_heads", checkPublishedHeads],
];

const ENDS = ["before", "first", "last", "after"] as const;
type End = (typeof ENDS)[number];

/** The sequence that the receipt at each end must have. */
const sequenceAt = ({ from, to }: BillLine, end: End): number =>
  ({ before: from - 1, first: from, last: to - 1, after: to })[end];

const receiptsOf = (line: BillLine): { readonly end: End; readonly billed: BilledReceipt }[] =>
  ENDS.flatMap((end) => {
    const { [end]: billed } = line;
    return billed === null ? [] : [{ end, billed }];
  });

/** The members of the line say one thing, and each receipt is there exactly where the format says. */
function checkSpan({ line }: LineSubject): Finding {
  const { from, to, opening, closing } = line;
  const { tree_size: size } = closing.leaf;
  if (from > to) fail(`it ends before it begins: from ${from} to ${to}`);
  if (line.count !== to - from)
    fail(`it counts ${count(line.count, "receipt")}, and from ${from} to ${to} are ${to - from}`);
  if (size < to) fail(`its closing head has ${count(size, "receipt")}, fewer than ${to}`);
  const isThere = { before: from > 0, first: to > from, last: to > from, after: size > to };
  for (const end of ENDS) {
    // Retention removes old receipts: only the one before the month can be among them.
    if (isThere[end] && line[end] === null && end !== "before")
      fail(`the receipt ${sequenceAt(line, end)} (${end}) is missing`);
    if (!isThere[end] && line[end] !== null) fail(`there can be no receipt ${end} the others here`);
  }
  if (opening !== null && opening.leaf.tree_size > from)
    fail(`its opening head has ${count(opening.leaf.tree_size, "receipt")}, more than ${from}`);
  if (opening === null && size <= from) fail("its opening head is missing: the closing one would be it");
  if ((opening === null) !== (line.consistency_path === null))
    fail("it must have a consistency path exactly where it has an opening head");
  return holds(`${count(line.count, "receipt")}, from ${from} up to ${to}`);
}

/** Each receipt stands at its sequence of the closing head's tree: its path says so, and so do its own members. */
function checkReceipts({ line }: LineSubject): Finding {
  const { chain_id, shard, closing } = line;
  const found = receiptsOf(line);
  for (const { end, billed } of found) {
    const { receipt, path } = billed;
    const sequence = sequenceAt(line, end);
    if (receipt.sequence !== sequence) fail(`the receipt ${end} is ${receipt.sequence} and not ${sequence}`);
    if (receipt.chain_id !== chain_id) fail(`the receipt ${sequence} (${end}) is another chain's`);
    const isOfPlace =
      parseEventId(receipt.event_id)?.shard === shard &&
      formatEventId(chain_id, { shard, sequence }) === receipt.event_id;
    if (!isOfPlace)
      fail(`the event id of receipt ${sequence} (${end}) names another place than chain ${shard}`);
    const { tree_size, root } = closing.leaf;
    naming(`receipt ${sequence} (${end})`, () =>
      verifyInclusion(hashReceiptCore(receipt), sequence, tree_size, path.map(parseNode), parseNode(root)),
    );
  }
  return holds(`${count(found.length, "receipt")} at the ends, each at its place of the chain`);
}

/** The receipts next to the month's ends lie on their sides of it. Whoever moved one by a millisecond would change its hash. */
function checkMonth({ bill, line }: LineSubject): Finding {
  const { startsAt: start, endsAt: end } = monthNamed(bill.month);
  const timeAt = (which: End): string | undefined => line[which]?.receipt.issued_at;
  const [before = "", first = start, last = first, after = end] = ENDS.map(timeAt);
  if (before >= start)
    fail(`receipt ${line.from - 1} is of ${before}, not before ${bill.month}, and is not counted`);
  if (first < start) fail(`receipt ${line.from} is of ${first}, before ${bill.month}, and is counted`);
  if (last >= end) fail(`receipt ${line.to - 1} is of ${last}, after ${bill.month}, and is counted`);
  if (after < end) fail(`receipt ${line.to} is of ${after}, not after ${bill.month}, and is not counted`);
  if (last < first) fail("its last receipt is older than its first");
  const latest = new Date(Date.parse(bill.made_at) + MAX_CLOCK_DIFFERENCE_MS).toISOString();
  const late = receiptsOf(line).find(({ billed }) => billed.receipt.issued_at > latest);
  if (late !== undefined)
    fail(
      `receipt ${late.billed.receipt.sequence} is younger than the bill, which was made at ${bill.made_at}`,
    );
  if (line.from > 0 && line.before === null)
    return unchecked(
      "not_given",
      `receipt ${line.from - 1} is not shown: that it is of an earlier month is stated`,
    );
  return holds(`the receipts counted are of ${bill.month}, and those next to them are not`);
}

/** Both heads are entries of the public log, and the tree of one extends that of the other. */
function checkHeads({ bill, line }: LineSubject): Finding {
  const { opening, closing, consistency_path: path } = line;
  checkHead(bill, line, closing, "closing");
  if (opening === null) return holds(`head ${closing.leaf.head_index} under seal ${closing.seal_index}`);
  checkHead(bill, line, opening, "opening");
  checkOrder(opening, closing);
  const [from, to] = [opening.leaf, closing.leaf];
  naming("the closing head does not extend the opening one", () =>
    verifyConsistency(
      from.tree_size,
      to.tree_size,
      (path ?? []).map(parseNode),
      parseNode(from.root),
      parseNode(to.root),
    ),
  );
  return holds(`head ${to.head_index} under seal ${closing.seal_index} extends head ${from.head_index}`);
}

function checkHead(
  { as_of }: Bill,
  { chain_id }: BillLine,
  head: CrossTenantProof,
  which: "opening" | "closing",
): void {
  const { leaf, leaf_index, tree_size, path, root, seal_index } = head;
  if (leaf.chain_id !== chain_id) fail(`the ${which} head is another chain's`);
  naming(`the ${which} head`, () =>
    verifyInclusion(hashChainHead(leaf), leaf_index, tree_size, path.map(parseNode), parseNode(root)),
  );
  if (as_of === null || seal_index > as_of.seal_index || tree_size > as_of.tree_size)
    fail(`the ${which} head is newer than the seal as of which the bill was made`);
  const isSame = root === as_of.merkle_root && tree_size === as_of.tree_size;
  if (seal_index === as_of.seal_index && !isSame) fail(`seal ${seal_index} has two roots in this bill`);
}

/** Heads are numbered in the order of their sizes and of their entries; two of one size are one head. */
function checkOrder(opening: CrossTenantProof, closing: CrossTenantProof): void {
  const steps = [
    closing.leaf.tree_size - opening.leaf.tree_size,
    closing.leaf.head_index - opening.leaf.head_index,
    closing.leaf_index - opening.leaf_index,
  ];
  const isOrdered = steps.every((step) => step > 0) && closing.seal_index >= opening.seal_index;
  const isSame = steps.every((step) => step === 0) && closing.seal_index === opening.seal_index;
  if (!isOrdered && !isSame) fail("the opening head does not come before the closing one");
}

function checkPublishedHeads({ line, published }: LineSubject): Finding {
  const heads = [line.opening, line.closing].filter((head) => head !== null);
  let unmade: Finding | null = null;
  for (const { seal_index, root, tree_size } of heads) {
    const listed = published.get(seal_index);
    const seal = sealIn(listed);
    if (seal === null) unmade ??= withoutSeal(listed, seal_index);
    else if (seal.merkle_root !== root || seal.tree_size !== tree_size)
      fail(`a different root is published under ${seal_index}`);
  }
  if (unmade !== null) return unmade;
  return holds(`the roots are those of ${heads.map(({ seal_index }) => `seal ${seal_index}`).join(" and ")}`);
}

/** Runs a check whose error does not say what it is about. */
function naming(what: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    fail(`${what}: ${error instanceof Error ? error.message : "can't be checked"}`);
  }
}
