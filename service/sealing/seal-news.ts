// Finds the chains that have news, by the markers that appends leave once for each chain and minute: that of a receipt's
// `issued_at` is there once the receipt is (append-writes.ts has the proof).
import { formatHex } from "../../evidence/core/bytes.ts";
import { canonicalBytes } from "../../evidence/core/canonical-json.ts";
import { hashBytes } from "../../evidence/core/merkle/hash.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { minuteOf, NEWS_PARTITION, newsFrom, sealerKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/**
 * A marker of a minute says nothing of the receipts that follow it in the same minute, and clocks differ a little:
 * the minutes just before the last run are visited again, as many as two honest clocks may be apart.
 */
const OVERLAP_MINUTES = 5;
/**
 * A write may come late: a process can be frozen between signing a request and sending it. It is signed within a
 * minute of its plan (see MAX_PLAN_AGE_MS), and AWS refuses a request whose signature is older than fifteen. The minute
 * of its receipt is the plan's or a later one, so a last visit after twenty finds every receipt there will be.
 */
const LATEST_ARRIVAL_MINUTES = 20;

/** The progress of the sealer: the last minute that it visited, and the last one that it will not visit again. */
interface NewsProgress {
  readonly visited: number;
  readonly settled: number;
  /** Where the runs before were cut off; null where all chains were visited. */
  readonly cutOff: CutOff | null;
}

/**
 * A pass over the chains that have news: its runs visit them in one order, each from where the one before was cut off.
 * The next pass has another order. The order in which heads are published then says nothing of whose they are.
 * A pass that was cut off states something true, whichever run wrote it: all chains that had news when it began, up to
 * the place, were visited since.
 */
interface CutOff {
  /** The size of the sealed tree when the pass began. */
  readonly pass: number;
  /** The minute in which it began. */
  readonly began: number;
  /** The place of the last chain that was visited; see `placeIn`. */
  readonly reached: string;
}

/** Hex of SHA-256(JCS({ chain_id, pass })). A reader who does not know the chain's id can't compute it. */
const placeIn = (pass: number, chain_id: string): string =>
  formatHex(hashBytes(canonicalBytes({ chain_id, pass })));

/** The chains to look at, and what to tell of the progress with them. */
export interface News {
  /** First those left of the pass that was cut off, in its order, then the others, with which a new pass begins. */
  readonly chainIds: readonly string[];
  /** True of a minute that an earlier run visited without finding what is in it now. */
  readonly isLate: (issuedAt: string) => boolean;
  /** True where the pass has more chains than the first `count`. What grows again meanwhile is for the next one. */
  readonly isCutOffAt: (count: number) => boolean;
  /** To be called when so many of the chains, one at least, are done: the next run begins after them. */
  readonly reached: (count: number) => Promise<void>;
  /** To be called once a seal covers the heads of the first `count` chains. */
  readonly sealed: (count: number) => Promise<void>;
}

/**
 * The news since the last run, and the chains that are `due` whether they have news or not. A new pass begins at
 * `sealedSize`, the size of the published tree.
 */
export async function readNews(
  table: Table,
  due: readonly string[],
  { now, sealedSize }: { readonly now: Date; readonly sealedSize: number },
): Promise<News> {
  const progress = await readProgress(table);
  const next = progressAt(minuteOf(now));
  const [fresh, late] = await Promise.all([
    chainsBetween(table, progress.visited - OVERLAP_MINUTES, next.visited + OVERLAP_MINUTES),
    chainsBetween(table, progress.settled, next.settled),
  ]);
  const { cutOff } = progress;
  const begun = { pass: sealedSize, began: next.visited };
  const { left, others } = inOrder(new Set([...fresh, ...late, ...due]), cutOff, begun.pass);
  const chainIds = [...left, ...others];
  const isCutOffAt = (count: number): boolean => count < (cutOff === null ? chainIds.length : left.length);
  const passAt = (index: number) => (cutOff !== null && index < left.length ? cutOff : begun);
  return {
    chainIds,
    isCutOffAt,
    isLate: (issuedAt) => minuteOf(new Date(issuedAt)) < progress.visited - OVERLAP_MINUTES,
    reached: (count) => {
      const { pass, began } = passAt(count - 1);
      return writeCutOff(table, { pass, began, reached: placeIn(pass, chainIds[count - 1] ?? "") });
    },
    // A crash before it makes the next run visit the same minutes again, which costs reads and nothing else.
    sealed: async (count) => {
      if (count === chainIds.length) return writeProgress(table, next);
      // The pass that was cut off is at its end: what had news when it began is sealed, whatever came since.
      const ended = Math.min(cutOff?.began ?? 0, next.visited);
      if (!isCutOffAt(count) && ended > progress.visited) await moveProgress(table, progressAt(ended));
    },
  };
}

/** Where all chains were visited that had news in this minute. */
const progressAt = (minute: number): Omit<NewsProgress, "cutOff"> => ({
  visited: minute,
  settled: minute - LATEST_ARRIVAL_MINUTES,
});

/** Sets the progress back that a run with a clock of a time still to come made: its minutes have yet to be visited. */
export async function setBackNews(table: Table, now: Date): Promise<void> {
  const minute = minuteOf(now);
  const { visited, settled } = await readProgress(table);
  if (visited <= minute) return;
  await writeProgress(table, {
    visited: minute,
    settled: Math.min(settled, minute - LATEST_ARRIVAL_MINUTES),
  });
}

/**
 * The oldest minute with news that no run has visited to the end, since the epoch; null where there is none. What a
 * chain grew by later in a minute that was visited is not seen before the next run.
 */
export async function readOldestUnvisitedMinute(table: Table): Promise<number | null> {
  const { visited } = await readProgress(table);
  const [oldest] = await table.query({ partition: NEWS_PARTITION, from: newsFrom(visited + 1), limit: 1 });
  return oldest === undefined ? null : Number.parseInt(textOf(oldest, "sk"), 10);
}

/** The chains behind the place that was reached, and the others, which may have grown since, in the order of a new pass. */
function inOrder(
  chainIds: ReadonlySet<string>,
  cutOff: CutOff | null,
  newPass: number,
): { readonly left: readonly string[]; readonly others: readonly string[] } {
  if (cutOff === null) return { left: [], others: sortByPlace([...chainIds], newPass) };
  const isLeft = (chainId: string): boolean => placeIn(cutOff.pass, chainId) > cutOff.reached;
  const left: string[] = [];
  const others: string[] = [];
  for (const chainId of chainIds) (isLeft(chainId) ? left : others).push(chainId);
  return { left: sortByPlace(left, cutOff.pass), others: sortByPlace(others, newPass) };
}

function sortByPlace(chainIds: readonly string[], pass: number): string[] {
  const places = chainIds.map((chainId) => ({ chainId, place: placeIn(pass, chainId) }));
  places.sort((a, b) => (a.place < b.place ? -1 : 1));
  return places.map(({ chainId }) => chainId);
}

async function chainsBetween(table: Table, from: number, to: number): Promise<ReadonlySet<string>> {
  const chainIds = new Set<string>();
  if (to < from) return chainIds;
  // Sort keys begin with the minute, so everything of minute `to` lies below the beginning of the next.
  const range = { from: newsFrom(Math.max(0, from)), upTo: newsFrom(to + 1) };
  // Never all markers at once: a sealer that was down for a day comes back to one a chain for each of its minutes.
  for await (const markers of table.pages({ partition: NEWS_PARTITION, ...range })) {
    for (const marker of markers) chainIds.add(textOf(marker, "sk").slice(newsFrom(to).length));
  }
  return chainIds;
}

async function readProgress(table: Table): Promise<NewsProgress> {
  const item = await table.get(sealerKey);
  const [visited, settled] =
    item?.visited === undefined ? [0, 0] : [integerOf(item, "visited"), integerOf(item, "settled")];
  return { visited, settled, cutOff: item?.reached === undefined ? null : readCutOff(item) };
}

const readCutOff = (item: Item): CutOff => ({
  pass: integerOf(item, "pass"),
  began: integerOf(item, "began"),
  reached: textOf(item, "reached"),
});

const minutesOf = ({ visited, settled }: Omit<NewsProgress, "cutOff">): Item => ({
  visited: { N: String(visited) },
  settled: { N: String(settled) },
});

const writeProgress = (table: Table, progress: Omit<NewsProgress, "cutOff">): Promise<void> =>
  table.put({ ...sealerKey, ...minutesOf(progress) });

/** The same, while a new pass is under way. */
async function moveProgress(table: Table, progress: Omit<NewsProgress, "cutOff">): Promise<void> {
  await table.update({ key: sealerKey, set: minutesOf(progress) });
}

/** Leaves all else as other runs have written it meanwhile. */
async function writeCutOff(table: Table, { pass, began, reached }: CutOff): Promise<void> {
  const set = { pass: { N: String(pass) }, began: { N: String(began) }, reached: { S: reached } };
  await table.update({ key: sealerKey, set });
}
