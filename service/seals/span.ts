// Spans: which part of a chain a metachain entry sealed. Each continues at the size where the one before it ended.
import { DisclosureError } from "../../evidence/core/errors.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { readCovering } from "../table/covering.ts";
import type { Item } from "../table/item.ts";
import { sealedPartition, spanFrom, spanKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** The newest published span is nearly always among the first of these; where it is not, more are read. */
const FIRST_SPANS = 2;
const MORE_SPANS = 8;

export interface Span {
  /** The entry's place among the sealed heads of its chain, from 0. */
  readonly headIndex: number;
  /** The size of the chain that was sealed before. */
  readonly fromSize: number;
  /** The size of the chain that this entry commits to. */
  readonly treeSize: number;
  /** The entry's place in the metachain. */
  readonly leafIndex: number;
}

export const isSameSpan = (a: Span, b: Span): boolean =>
  a.headIndex === b.headIndex &&
  a.fromSize === b.fromSize &&
  a.treeSize === b.treeSize &&
  a.leafIndex === b.leafIndex;

export const spanItem = (chainId: string, { headIndex, fromSize, treeSize, leafIndex }: Span): Item => ({
  ...spanKey(sealedPartition(chainId), fromSize),
  head_index: { N: String(headIndex) },
  from_size: { N: String(fromSize) },
  tree_size: { N: String(treeSize) },
  leaf_index: { N: String(leafIndex) },
});

/** Throws `ledger_corrupt` for one that is not of its place: it would hide that others are missing. */
function readSpan(item: Item): Span {
  const span = {
    headIndex: integerOf(item, "head_index"),
    fromSize: integerOf(item, "from_size"),
    treeSize: integerOf(item, "tree_size"),
    leafIndex: integerOf(item, "leaf_index"),
  };
  if (textOf(item, "sk") === spanFrom(span.fromSize) && span.treeSize > span.fromSize) return span;
  throw new DisclosureError("ledger_corrupt", "a span is not of its place");
}

/** The newest span, which says up to which size the metachain has the chain; null before its first seal. */
export async function readNewestSpan(table: Table, chainId: string): Promise<Span | null> {
  const newest = await table.newest(sealedPartition(chainId));
  return newest === null ? null : readSpan(newest);
}

/** The spans that begin below this size of the chain, newest first, `limit` at most. */
export async function readNewestSpansBelow(
  table: Table,
  chainId: string,
  size: number,
  limit: number,
): Promise<Span[]> {
  const range = { partition: sealedPartition(chainId), upTo: spanFrom(size - 1) };
  return (await table.query({ ...range, descending: true, limit })).map(readSpan);
}

/**
 * The newest span whose entry is among the metachain's first `metachainSize`; null where there is none. Runs that were
 * cut off may have left some newer ones that no seal covers yet.
 */
export async function readNewestSpanWithin(
  table: Table,
  chainId: string,
  metachainSize: number,
): Promise<Span | null> {
  for (let limit = FIRST_SPANS; ; limit *= MORE_SPANS) {
    const items = await table.query({ partition: sealedPartition(chainId), descending: true, limit });
    const found = items.map(readSpan).find(({ leafIndex }) => leafIndex < metachainSize);
    if (found !== undefined || items.length < limit) return found ?? null;
  }
}

/** The newest span that begins with this receipt or before it, however far it goes; null where there is none. */
export async function readSpanUpTo(table: Table, chainId: string, sequence: number): Promise<Span | null> {
  const item = await table.newest(sealedPartition(chainId), spanFrom(sequence));
  return item === null ? null : readSpan(item);
}

/** The span that holds the receipt at `sequence`; null where it is not sealed yet. */
export async function readSpanOver(table: Table, chainId: string, sequence: number): Promise<Span | null> {
  const spanOver = await readShownSpansOver(table, chainId, [sequence]);
  return spanOver(sequence);
}

/** The same for many sequences, in few queries. */
export async function readSpansOver(
  table: Table,
  chainId: string,
  sequences: readonly number[],
): Promise<(sequence: number) => Span | null> {
  const itemOver = await readCovering(table, sealedPartition(chainId), sequences);
  return (sequence) => {
    const item = itemOver(sequence);
    const span = item === null ? null : readSpan(item);
    return span !== null && span.treeSize > sequence ? span : null;
  };
}

/**
 * The same for what readers are told: receipts without a span are not sealed yet, and none behind them is. Throws
 * `ledger_corrupt` where a later span says that one is missing.
 */
export async function readShownSpansOver(
  table: Table,
  chainId: string,
  sequences: readonly number[],
): Promise<(sequence: number) => Span | null> {
  const spanOver = await readSpansOver(table, chainId, sequences);
  if (sequences.every((sequence) => spanOver(sequence) !== null)) return spanOver;
  const size = (await readNewestSpan(table, chainId))?.treeSize ?? 0;
  const isMissing = (over: typeof spanOver) =>
    sequences.some((sequence) => sequence < size && over(sequence) === null);
  if (!isMissing(spanOver)) return spanOver;
  // They may have been sealed between the two reads.
  const again = await readSpansOver(table, chainId, sequences);
  if (!isMissing(again)) return again;
  throw new DisclosureError("ledger_corrupt", "a span is missing from the table", { chainId });
}

/** The spans from this size on, in order, `limit` at most. */
export async function readSpans(table: Table, chainId: string, from: number, limit: number): Promise<Span[]> {
  const items = await table.query({ partition: sealedPartition(chainId), from: spanFrom(from), limit });
  return items.map(readSpan);
}

/** All spans of a chain, in order. */
export async function* readAllSpans(table: Table, chainId: string): AsyncGenerator<Span> {
  for await (const items of table.pages({ partition: sealedPartition(chainId) })) yield* items.map(readSpan);
}
