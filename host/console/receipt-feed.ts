// The newest receipts over many chains, page by page back in time: the newest leaves of each chain, merged by `issued_at`.
// An answer reads a bounded number of chains and leaves, however many there are.
import {
  CONSOLE_PAGE_RECEIPTS,
  type ConsoleReceipt,
  type ConsoleReceiptPage,
} from "../../contract/console.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { textOf } from "../../service/table/attributes.ts";
import { mapInGroups } from "../../service/table/in-groups.ts";
import {
  leafIndexOf,
  leafKey,
  logPartition,
  minuteOf,
  NEWS_PARTITION,
  newsFrom,
} from "../../service/table/keys.ts";
import type { Table } from "../../service/table/table.ts";
import { findPlaces, type ListedLeaf, READS_AT_ONCE, readListed, readSizes } from "./chain-search.ts";
import { cursorOf, type FeedPlace, formatCursor, isOlder } from "./cursor.ts";
import type { Directory, OwnedChain } from "./directory.ts";

/** Chains that one answer reads; a filter by tenant makes them fewer. */
const MAX_CHAINS_READ = 2_000;
/** Leaves that one answer reads where few of them pass the filter; the next page goes on behind them. */
const MAX_SCANNED = 1_000;
/** Leaves that are read of a chain at once, at first and at most. */
const FIRST_RUN = 4;
const MAX_RUN = 64;
/** After so many leaves without a receipt a chain counts as read: retention removes the oldest, and leaves their hashes. */
const MAX_PASSED = 512;
/** The list that is watched shows the receipts of these minutes as they come. */
const WATCHED_MINUTES = 5;

export interface FeedQuery {
  readonly tenant: string | null;
  readonly verdict: string | null;
  /** The receipts before this one; null for the newest. */
  readonly before: FeedPlace | null;
  /** Only what came in the last minutes: no chain without news is read. */
  readonly watch: boolean;
}

export interface FeedServices {
  readonly table: Table;
  readonly directory: Directory;
  readonly clock: () => Date;
}

/** A chain, read from its end towards its beginning. */
interface Stream {
  readonly chain: OwnedChain;
  /** Leaves below this place were not read yet. */
  unread: number;
  run: number;
  /** Newest first. */
  readonly cores: ReceiptCore[];
  passed: Record<"removed" | "damaged", number>;
}

export async function readReceiptPage(services: FeedServices, query: FeedQuery): Promise<ConsoleReceiptPage> {
  const all = await services.directory.chains(query.tenant);
  const watchedFrom = query.watch ? new Date(services.clock().getTime() - WATCHED_MINUTES * MINUTE_MS) : null;
  const wanted = watchedFrom === null ? all : await withNews(services.table, all, watchedFrom);
  const chains = wanted.slice(0, MAX_CHAINS_READ);
  const streams = await openStreams(services.table, chains, query.before);
  const page = await merge(services.table, streams, query, watchedFrom?.toISOString() ?? "");
  return { ...page, chains_left_out: wanted.length - chains.length };
}

/** The chains that have a marker of these minutes. */
async function withNews(table: Table, chains: readonly OwnedChain[], since: Date): Promise<OwnedChain[]> {
  const items = await table.query({ partition: NEWS_PARTITION, from: newsFrom(minuteOf(since)) });
  const grown = new Set(items.map((item) => textOf(item, "sk").split("#")[1]));
  return chains.filter(({ chainId }) => grown.has(chainId));
}

async function openStreams(
  table: Table,
  chains: readonly OwnedChain[],
  before: FeedPlace | null,
): Promise<Stream[]> {
  const sized = await readSizes(table, chains);
  const places =
    before === null
      ? sized.map(({ size }) => size)
      : await findPlaces(
          table,
          sized.map((chain) => ({ ...chain, isBefore: (core) => isOlder(cursorOf(core), before) })),
        );
  const streams = sized.map(({ chain }, i): Stream => {
    const passed = { removed: 0, damaged: 0 };
    return { chain, unread: places[i] ?? 0, run: FIRST_RUN, cores: [], passed };
  });
  await mapInGroups(streams, READS_AT_ONCE, (stream) => fill(table, stream));
  return streams;
}

/** Reads on until the stream has a receipt to show, or ends. */
async function fill(table: Table, stream: Stream): Promise<void> {
  const begun = stream.unread;
  while (stream.cores.length === 0 && stream.unread > 0) {
    const leaves = begun - stream.unread < MAX_PASSED ? await readRun(table, stream) : [];
    if (leaves.length === 0) stream.unread = 0;
    for (const leaf of leaves) {
      if (typeof leaf === "string") stream.passed[leaf]++;
      else stream.cores.push(leaf);
    }
  }
}

async function readRun(table: Table, stream: Stream): Promise<ListedLeaf[]> {
  const { chainId } = stream.chain;
  const items = await table.query({
    partition: logPartition(chainId),
    upTo: leafKey(chainId, stream.unread - 1).sk.S,
    descending: true,
    limit: stream.run,
  });
  const last = items.at(-1);
  if (last !== undefined) stream.unread = leafIndexOf(textOf(last, "sk"));
  stream.run = Math.min(MAX_RUN, stream.run * 2);
  return items.map(readListed);
}

type MergedPage = Omit<ConsoleReceiptPage, "chains_left_out">;

async function merge(
  table: Table,
  streams: readonly Stream[],
  { verdict, before }: FeedQuery,
  notBefore: string,
): Promise<MergedPage> {
  const receipts: ConsoleReceipt[] = [];
  let last: FeedPlace | null = null;
  for (let scanned = 0; receipts.length < CONSOLE_PAGE_RECEIPTS && scanned < MAX_SCANNED; scanned++) {
    const stream = newestOf(streams);
    const core = stream?.cores.shift();
    if (stream === undefined || core === undefined || core.issued_at < notBefore)
      return { receipts, next: null, ...passedBy(streams) };
    if (stream.cores.length === 0) await fill(table, stream);
    last = cursorOf(core);
    // A search that met a removed leaf ends a little late, so what was shown already is left out here.
    if (before !== null && !isOlder(last, before)) continue;
    if (verdict === null || core.verdict === verdict) receipts.push(listed(stream.chain, core));
  }
  const isEnd = streams.every(({ cores }) => cores.length === 0);
  return { receipts, next: isEnd || last === null ? null : formatCursor(last), ...passedBy(streams) };
}

function newestOf(streams: readonly Stream[]): Stream | undefined {
  let newest: Stream | undefined;
  for (const stream of streams) {
    const [core] = stream.cores;
    const best = newest?.cores[0];
    if (core === undefined) continue;
    if (best === undefined || isOlder(cursorOf(best), cursorOf(core))) newest = stream;
  }
  return newest;
}

const passedBy = (streams: readonly Stream[]): Pick<ConsoleReceiptPage, "removed" | "damaged"> => ({
  removed: streams.reduce((sum, { passed }) => sum + passed.removed, 0),
  damaged: streams.reduce((sum, { passed }) => sum + passed.damaged, 0),
});

const listed = ({ tenantId, shard }: OwnedChain, core: ReceiptCore): ConsoleReceipt => ({
  event_id: core.event_id,
  place: formatCursor(cursorOf(core)),
  tenant: tenantId,
  shard,
  sequence: core.sequence,
  turn: core.turn,
  verdict: core.verdict,
  issued_at: core.issued_at,
  modality: core.disclosure.modality,
  wording_id: core.policy.wording_id,
  findings: core.policy.findings,
});
