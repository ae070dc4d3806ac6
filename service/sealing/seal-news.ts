// Finds the chains that have news, by the markers that appends leave once for each chain and minute: that of a receipt's
// `issued_at` is there once the receipt is (append-writes.ts has the proof).
import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { formatHex } from "../../evidence/core/bytes.ts";
import { canonicalBytes } from "../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
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
/**
 * Markers are read from so long before the newest seal on, whatever the progress says: without it, or with one that was
 * set back, a run would read those of months. A chain with older news is found by its leaves (chain-watch.ts).
 */
const MAX_BEHIND_MINUTES = DAY_MS / MINUTE_MS;
const PLACE = /^[0-9a-f]{64}$/;

/** The progress of the sealer. */
interface NewsProgress {
  /** The last minute that it visited. */
  readonly visited: number;
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

/** What the sealer's progress is held against. */
export interface ShownProgress {
  readonly now: Date;
  /** The size of the newest published tree. */
  readonly sealedSize: number;
  /** When the newest seal was made, RFC 3339; null before the first. */
  readonly sealedAt: string | null;
}

/** The chains to look at, and what to tell of the progress with them. */
export interface News {
  /** False where the item of the sealer's progress can't be what a run has written, and was not believed. */
  readonly isBelieved: boolean;
  /** True of a chain with a marker in the minutes that were looked at. */
  readonly isMarked: (chainId: string) => boolean;
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

/** The news since the last run, and the chains that are `due` whether they have news or not. */
export async function readNews(table: Table, due: Iterable<string>, shown: ShownProgress): Promise<News> {
  const { now, sealedSize } = shown;
  const { progress, isBelieved } = await readBelieved(table, shown);
  const minute = minuteOf(now);
  const { visited, cutOff } = progress;
  if (!isBelieved) await writeVisited(table, visited);
  const [fresh, late] = await Promise.all([
    chainsBetween(table, visited - OVERLAP_MINUTES, minute + OVERLAP_MINUTES),
    chainsBetween(table, visited - LATEST_ARRIVAL_MINUTES, minute - LATEST_ARRIVAL_MINUTES),
  ]);
  const begun = { pass: sealedSize, began: minute };
  const { left, others } = inOrder(new Set([...fresh, ...late, ...due]), cutOff, begun.pass);
  const chainIds = [...left, ...others];
  const isCutOffAt = (count: number): boolean => count < (cutOff === null ? chainIds.length : left.length);
  const passAt = (index: number) => (cutOff !== null && index < left.length ? cutOff : begun);
  return {
    isBelieved,
    isMarked: (chainId) => fresh.has(chainId) || late.has(chainId),
    chainIds,
    isCutOffAt,
    isLate: (issuedAt) => minuteOf(new Date(issuedAt)) < visited - OVERLAP_MINUTES,
    reached: (count) => {
      const { pass, began } = passAt(count - 1);
      return writeCutOff(table, { pass, began, reached: placeIn(pass, chainIds[count - 1] ?? "") });
    },
    // A crash before it makes the next run visit the same minutes again, which costs reads and nothing else.
    sealed: async (count) => {
      if (count === chainIds.length) return writeVisited(table, minute);
      // The pass that was cut off is at its end: what had news when it began is sealed, whatever came since.
      const ended = Math.min(cutOff?.began ?? 0, minute);
      if (!isCutOffAt(count) && ended > visited) await moveVisited(table, ended);
    },
  };
}

/** Sets the progress back that a run with a clock of a time still to come made: its minutes have yet to be visited. */
export async function setBackNews(table: Table, now: Date): Promise<void> {
  const minute = minuteOf(now);
  if ((await readProgress(table)).visited > minute) await writeVisited(table, minute);
}

/**
 * The oldest minute with news that no run has visited to the end, since the epoch; null where there is none. What a
 * chain grew by later in a minute that was visited is not seen before the next run.
 */
export async function readOldestUnvisitedMinute(table: Table, shown: ShownProgress): Promise<number | null> {
  const { visited } = (await readBelieved(table, shown)).progress;
  const range = { from: newsFrom(visited + 1), upTo: newsFrom(minuteOf(shown.now) + OVERLAP_MINUTES) };
  const [oldest] = await table.query({ partition: NEWS_PARTITION, ...range, limit: 1 });
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

/** The progress that is noted, unless no run can have written it: then none is. */
async function readBelieved(
  table: Table,
  { now, sealedSize, sealedAt }: ShownProgress,
): Promise<{ readonly progress: NewsProgress; readonly isBelieved: boolean }> {
  const noted = await readProgress(table);
  const minute = minuteOf(now);
  const isBelieved = isPossible(noted, minute, sealedSize);
  const { visited, cutOff } = isBelieved ? noted : NO_PROGRESS;
  const sealed = sealedAt === null ? 0 : Math.min(minute, minuteOf(new Date(sealedAt)));
  const progress = { visited: Math.max(visited, sealed - MAX_BEHIND_MINUTES, 0), cutOff };
  return { progress, isBelieved };
}

const NO_PROGRESS: NewsProgress = { visited: 0, cutOff: null };
const DAMAGED: NewsProgress = { visited: Number.POSITIVE_INFINITY, cutOff: null };

/** A run writes minutes of its clock, which may be ahead of ours, and places of a pass over a tree that was published. */
function isPossible({ visited, cutOff }: NewsProgress, minute: number, sealedSize: number): boolean {
  const latest = minute + OVERLAP_MINUTES;
  if (visited > latest) return false;
  return (
    cutOff === null || (cutOff.pass <= sealedSize && cutOff.began <= latest && PLACE.test(cutOff.reached))
  );
}

async function readProgress(table: Table): Promise<NewsProgress> {
  const item = (await table.get(sealerKey)) ?? {};
  try {
    const visited = item.visited === undefined ? 0 : integerOf(item, "visited");
    return { visited, cutOff: item.reached === undefined ? null : readCutOff(item) };
  } catch (error) {
    if (isDisclosureError(error, "ledger_corrupt")) return DAMAGED;
    throw error;
  }
}

const readCutOff = (item: Item): CutOff => ({
  pass: integerOf(item, "pass"),
  began: integerOf(item, "began"),
  reached: textOf(item, "reached"),
});

const visitedAttribute = (minute: number): Item => ({ visited: { N: String(minute) } });

const writeVisited = (table: Table, minute: number): Promise<void> =>
  table.put({ ...sealerKey, ...visitedAttribute(minute) });

/** The same, while a new pass is under way. */
async function moveVisited(table: Table, minute: number): Promise<void> {
  await table.update({ key: sealerKey, set: visitedAttribute(minute) });
}

/** Leaves all else as other runs have written it meanwhile. */
async function writeCutOff(table: Table, { pass, began, reached }: CutOff): Promise<void> {
  const set = { pass: { N: String(pass) }, began: { N: String(began) }, reached: { S: reached } };
  await table.update({ key: sealerKey, set });
}
