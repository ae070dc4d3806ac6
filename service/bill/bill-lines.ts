// The lines of a bill: the ends of a month in one chain each, with the paths that prove them. Every path is verified
// before it is in a line, and every line is held against the rules that its reader will hold it against.
import { METACHAIN_ID } from "../../contract/table.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { BilledReceipt, BillLine } from "../../evidence/core/formats/bill.ts";
import type { ChainHead, Seal } from "../../evidence/core/formats/metachain.ts";
import type { Month } from "../../evidence/core/formats/month.ts";
import { inFormatOrder } from "../../evidence/core/formats/receipt.ts";
import { formatNode, parseNode } from "../../evidence/core/merkle/hash.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { Log } from "../ledger/log.ts";
import { proveHead } from "../seals/head-proof.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readSpansOver, type Span } from "../seals/span.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { SharedReads } from "../table/shared-reads.ts";
import type { Table } from "../table/table.ts";
import { type ChainMonth, issuedAtOf } from "./chain-month.ts";

/** Chains whose heads are looked for at the same time. */
const READS_AT_ONCE = 16;

/** The published heads around a month in one chain. */
interface Heads {
  readonly chain: ChainMonth;
  /** The newest head of at most `from` receipts; null where there is none. */
  readonly opening: Span | null;
  /** The first head of more than `to` receipts; the newest published one, where there is none. */
  readonly closing: Span;
}

/** The lines of these chains, in their order. `metachainSize` is that of the newest published seal. */
export async function readLines(
  table: Table,
  chains: readonly ChainMonth[],
  month: Month,
  metachainSize: number,
): Promise<BillLine[]> {
  const heads = await mapInGroups(chains, READS_AT_ONCE, (chain) => readHeads(table, chain, metachainSize));
  const leafIndices = heads.flatMap(({ opening, closing }) => [
    closing.leafIndex,
    ...(opening === null ? [] : [opening.leafIndex]),
  ]);
  const recordOver = await new SealRecords(table).overAll(leafIndices);
  const sealOver = (leafIndex: number): Seal => {
    const record = recordOver(leafIndex);
    if (record?.isPublished && record.final !== null) return record.final.seal;
    throw new DisclosureError("ledger_corrupt", "a published seal is missing from the table", { leafIndex });
  };
  // The lines share their reads: items that they need at the same time are read together.
  const reads = new SharedReads(table);
  const services = { sealOver, logOf: (logId: string) => new Log(table, logId, reads) };
  return Promise.all(
    heads.map(async (each) => {
      const line = await readLine(services, each);
      checkLine(line, month);
      return line;
    }),
  );
}

async function readHeads(table: Table, chain: ChainMonth, metachainSize: number): Promise<Heads> {
  const { chainId, from, to, newest } = chain;
  const over = await readSpansOver(table, chainId, [from, to]);
  // Where no head holds `from` yet, the newest published one ends there.
  const openingSize = over(from)?.fromSize ?? newest.treeSize;
  const after = over(to);
  const isPublished = after !== null && after.leafIndex < metachainSize;
  return {
    chain,
    opening: openingSize === 0 ? null : await requireSpanTo(table, chainId, openingSize),
    closing: isPublished ? after : newest,
  };
}

async function requireSpanTo(table: Table, chainId: string, size: number): Promise<Span> {
  const spanOver = await readSpansOver(table, chainId, [size - 1]);
  const span = spanOver(size - 1);
  if (span?.treeSize === size) return span;
  throw new DisclosureError("ledger_corrupt", "a sealed head is missing from the table", { chainId, size });
}

interface LineServices {
  readonly logOf: (logId: string) => Log;
  readonly sealOver: (leafIndex: number) => Seal;
}

async function readLine({ logOf, sealOver }: LineServices, heads: Heads): Promise<BillLine> {
  const { chain, opening, closing } = heads;
  const { chainId, shard, from, to } = chain;
  const prove = ({ leafIndex }: Span) => proveHead(logOf(METACHAIN_ID), leafIndex, sealOver(leafIndex));
  const receiptAt = (sequence: number, isThere: boolean) =>
    isThere ? readReceipt(logOf(chainId), sequence, closing) : null;
  const count = to - from;
  const [openingProof, closingProof, before, first, last, after] = await Promise.all([
    opening && prove(opening),
    prove(closing),
    receiptAt(from - 1, from > 0),
    receiptAt(from, count > 0),
    receiptAt(to - 1, count > 0),
    receiptAt(to, to < closing.treeSize),
  ]);
  // At least one of the four is there, for no published head is empty.
  for (const read of [before, first, last, after])
    if (read !== null) requireRoot(read.root, closingProof.leaf.root);
  return {
    chain_id: chainId,
    shard,
    from,
    to,
    count,
    opening: openingProof,
    closing: closingProof,
    consistency_path: openingProof && (await readPath(logOf(chainId), openingProof.leaf, closing.treeSize)),
    before: before?.billed ?? null,
    first: first?.billed ?? null,
    last: last?.billed ?? null,
    after: after?.billed ?? null,
  };
}

/** `billed` is null where retention has removed the receipt. */
async function readReceipt(
  log: Log,
  sequence: number,
  { treeSize }: Span,
): Promise<{ readonly billed: BilledReceipt | null; readonly root: string }> {
  const { entry, proof } = await log.inclusionProof(sequence, treeSize);
  const root = formatNode(proof.root);
  if (issuedAtOf(entry) === null) return { billed: null, root };
  const receipt = inFormatOrder(readChainLeaf(entry).core);
  return { billed: { receipt, path: proof.path.map(formatNode) }, root };
}

function requireRoot(actual: string, expected: string): void {
  if (actual === expected) return;
  const evidence = { expected, actual };
  throw new DisclosureError("ledger_corrupt", "a sealed head is not the chain's root", evidence);
}

async function readPath(log: Log, { tree_size: size, root }: ChainHead, treeSize: number): Promise<string[]> {
  const path = await log.consistencyPath({ size, root: parseNode(root) }, treeSize);
  return path.map(formatNode);
}

/** Throws `ledger_corrupt` for a line whose receipts break its rules: the fault is ours, and nobody may be billed by it. */
function checkLine(line: BillLine, month: Month): void {
  const { chain_id, from, to, opening, closing } = line;
  const isBefore = ({ receipt }: BilledReceipt) => receipt.issued_at < month.startsAt;
  const isAfter = ({ receipt }: BilledReceipt) => receipt.issued_at >= month.endsAt;
  const isWithin = (billed: BilledReceipt) => !isBefore(billed) && !isAfter(billed);
  const holds = (billed: BilledReceipt | null, sequence: number, rule: (billed: BilledReceipt) => boolean) =>
    billed === null ||
    (billed.receipt.chain_id === chain_id && billed.receipt.sequence === sequence && rule(billed));
  const isRight =
    from <= to &&
    closing.leaf.chain_id === chain_id &&
    closing.leaf.tree_size >= to &&
    (opening === null || (opening.leaf.chain_id === chain_id && opening.leaf.tree_size <= from)) &&
    holds(line.before, from - 1, isBefore) &&
    holds(line.first, from, isWithin) &&
    holds(line.last, to - 1, isWithin) &&
    holds(line.after, to, isAfter);
  if (isRight) return;
  const evidence = { chain_id, from, to, month: month.name };
  throw new DisclosureError("ledger_corrupt", "a line of a bill contradicts its receipts", evidence);
}
