// The receipts of a tenant in a range of time, chain by chain. `issued_at` never goes back in a chain, so a range is a run
// of its leaves: halving finds the first, and the first leaf behind the range ends the chain. Nothing is written.
import type { EventPlace } from "../../evidence/core/formats/event-id.ts";
import type { PolicyVerdict, ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { type ListedReceipt, MAX_PAGE_RECEIPTS } from "../../evidence/core/formats/receipt-list.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { readChainLeaf, removalOf } from "../ledger/chain-leaf.ts";
import { issuedBefore } from "../ledger/leaf-states.ts";
import { Log, type LogEntry, missingLeaf, readEntry } from "../ledger/log.ts";
import type { TenantChains } from "../ledger/tenant-chains.ts";
import { leafKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { untilWhole } from "../table/until-whole.ts";

/** The most leaves that one page looks at, and the most requests that it makes: a caller goes on with the cursor. */
export const MAX_EXAMINED_LEAVES = 2_000;
export const MAX_PAGE_REQUESTS = 200;
/** Leaves of one Query; a hundred have less than the megabyte that DynamoDB answers with at once. */
const LEAVES_AT_ONCE = 100;

/** Instants are RFC 3339 in UTC with milliseconds; null is no limit. */
export interface ReceiptQuery {
  /** The earliest `issued_at` that is listed. */
  readonly from: string | null;
  /** The earliest `issued_at` that is not listed any more. */
  readonly to: string | null;
  readonly verdict: PolicyVerdict | null;
  /** The id of a wording, or a `subject_hash`. */
  readonly wording: string | null;
}

export interface ListedPage {
  readonly receipts: ListedReceipt[];
  /** The first leaf that was not looked at; null behind the last one. */
  readonly next: EventPlace | null;
}

/** One page from `start` on. Chains that a tenant got within the last half minute may be missing: the caller was told fewer. */
export async function listReceipts(
  table: Table,
  { tenantAnchor, chains }: TenantChains,
  query: ReceiptQuery,
  start: EventPlace,
): Promise<ListedPage> {
  const page = new ListPage(table, query);
  for (let { shard, sequence } = start; shard < chains; shard++, sequence = 0) {
    const stoppedAt = await page.fill(chainIdOf(tenantAnchor, shard), sequence);
    if (stoppedAt !== null) return { receipts: page.receipts, next: { shard, sequence: stoppedAt } };
  }
  return { receipts: page.receipts, next: null };
}

class ListPage {
  readonly receipts: ListedReceipt[] = [];
  readonly #table: Table;
  readonly #query: ReceiptQuery;
  #examined = 0;
  #requests = 0;

  constructor(table: Table, query: ReceiptQuery) {
    this.#table = table;
    this.#query = query;
  }

  get #isDone(): boolean {
    return (
      this.receipts.length >= MAX_PAGE_RECEIPTS ||
      this.#examined >= MAX_EXAMINED_LEAVES ||
      this.#requests >= MAX_PAGE_REQUESTS
    );
  }

  /**
   * Takes receipts of a chain from a leaf on, or from the beginning of the range where that is leaf 0. Returns the leaf
   * to go on from where the page is done before the chain is, and null where the chain has no more.
   */
  async fill(chainId: string, first: number): Promise<number | null> {
    if (this.#isDone) return first;
    const start = first === 0 ? await this.#findStart(chainId) : first;
    if (start === null) return null;
    let next = start;
    // At least one step, however much the search took: a cursor that did not move would be asked for again for ever.
    do {
      const entries = await this.#read(chainId, next);
      for (const entry of entries) {
        if (this.#isFull) return entry.leaf.leafIndex;
        if (!this.#take(entry)) return null;
      }
      if (entries.length < LEAVES_AT_ONCE) return null;
      next += entries.length;
    } while (!this.#isDone);
    return next;
  }

  get #isFull(): boolean {
    return this.receipts.length >= MAX_PAGE_RECEIPTS;
  }

  /** False for the first leaf behind the range. */
  #take(entry: LogEntry): boolean {
    this.#examined += 1;
    const core = readCore(entry);
    if (core === null) return true;
    const { from, to } = this.#query;
    if (to !== null && core.issued_at >= to) return false;
    if ((from === null || core.issued_at >= from) && isAskedFor(core, this.#query))
      this.receipts.push(formatRow(core));
    return true;
  }

  /** The first leaf that is not older than the range; null where the chain has none. A Query, and log₂ of its size reads. */
  async #findStart(chainId: string): Promise<number | null> {
    const { from } = this.#query;
    if (from === null) return 0;
    this.#requests += 1;
    const item = await this.#table.newest(logPartition(chainId));
    if (item === null) return null;
    const newest = readEntry(item);
    if (isOlder(newest, from)) return null;
    let [low, high] = [0, newest.leaf.leafIndex];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (isOlder(await this.#entry(chainId, middle), from)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #entry(chainId: string, leafIndex: number): Promise<LogEntry> {
    this.#requests += 1;
    return untilWhole(
      async () => (await new Log(this.#table, chainId).entry(leafIndex)) ?? missingLeaf(leafIndex),
    );
  }

  /** The leaves from one on, without a hole: a list that left one out would be believed. */
  #read(chainId: string, first: number): Promise<LogEntry[]> {
    this.#requests += 1;
    const query = {
      partition: logPartition(chainId),
      from: leafKey(chainId, first).sk.S,
      limit: LEAVES_AT_ONCE,
    };
    return untilWhole(async () => {
      const entries = (await this.#table.query(query)).map(readEntry);
      for (const [i, { leaf }] of entries.entries()) if (leaf.leafIndex !== first + i) missingLeaf(first + i);
      return entries;
    });
  }
}

/** Null where the receipt was removed under the tenant's retention. */
const readCore = (entry: LogEntry): ReceiptCore | null =>
  removalOf(entry) === null ? readChainLeaf(entry).core : null;

/**
 * True of a receipt that is surely older than the range. Of one that was removed only a bound is known. Where that does not
 * tell, the search goes on further back: it begins too early rather than too late, for older receipts may be left there.
 */
function isOlder(entry: LogEntry, from: string): boolean {
  const removal = removalOf(entry);
  return removal === null ? readChainLeaf(entry).core.issued_at < from : issuedBefore(removal) <= from;
}

const isAskedFor = ({ verdict, disclosure, policy }: ReceiptCore, query: ReceiptQuery): boolean =>
  (query.verdict === null || verdict === query.verdict) &&
  (query.wording === null || [policy.wording_id, disclosure.subject_hash].includes(query.wording));

const formatRow = ({ disclosure, policy, ...core }: ReceiptCore): ListedReceipt => ({
  event_id: core.event_id,
  issued_at: core.issued_at,
  chain_id: core.chain_id,
  sequence: core.sequence,
  turn: core.turn,
  verdict: core.verdict,
  subject_hash: disclosure.subject_hash,
  wording_id: policy.wording_id,
  disclosure_method: disclosure.disclosure_method,
  modality: disclosure.modality,
  jurisdiction: disclosure.jurisdiction,
  findings: policy.findings,
});
