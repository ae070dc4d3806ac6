// Walks a log from its first leaf on, in bounded memory, and checks every leaf against the one before it and against
// the roots that were sealed over it. It continues after a fault, so that an audit finds everything that is wrong.
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import { checkFollows, type LogEntry, readEntry } from "../ledger/log.ts";
import { backoff } from "../table/backoff.ts";
import type { Item } from "../table/item.ts";
import { leafKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** A query is no snapshot: while a transaction is being applied it may see only some of its leaves. */
const MAX_PAGE_READS = 4;

/** A root that was sealed: the log's own must be the same at that size. */
export interface Boundary {
  readonly treeSize: number;
  /** `0x` and hex. */
  readonly root: string;
  /** The seal or entry that has it, for the fault's message. */
  readonly what: string;
}

export interface LeafWalk {
  readonly table: Table;
  readonly logId: string;
  /** How many leaves there must be. */
  readonly size: number;
  /** How many are read at once. Two such pages are in memory. */
  readonly pageLeaves: number;
  /** Checks what a leaf commits to; throws a DisclosureError. `previous` is null for the first, and after a fault. */
  readonly check: (entry: LogEntry, previous: LogEntry | null) => void;
  /** Ascending by size. */
  readonly boundaries: AsyncIterable<Boundary>;
  /** Called with the good leaves of each page, and how many places it covered. */
  readonly onPage: (entries: readonly LogEntry[], places: number) => Promise<void> | void;
  readonly onFault: (leafIndex: number, detail: string) => void;
}

export async function walkLog(walk: LeafWalk): Promise<void> {
  const boundaries = walk.boundaries[Symbol.asyncIterator]();
  let boundary = await boundaries.next();
  let previous: LogEntry | null = null;
  for await (const { from, end, items } of readPages(walk)) {
    const entries: LogEntry[] = [];
    for (let index = from; index < end; index++) {
      previous = examine(walk, index, items.get(index), previous);
      if (previous !== null) entries.push(previous);
      while (boundary.done !== true && boundary.value.treeSize <= index + 1) {
        if (previous !== null) compare(walk, previous, boundary.value);
        boundary = await boundaries.next();
      }
    }
    await walk.onPage(entries, end - from);
  }
  if (boundary.done !== true) walk.onFault(walk.size, `the log ends before ${boundary.value.what}`);
}

/** The leaves from `from` up to, and without, `end`: the items that the table has of them, by index. */
interface LeafPage {
  readonly from: number;
  readonly end: number;
  readonly items: ReadonlyMap<number, Item>;
}

/** All pages in order. Each is read while the one before it is checked. */
async function* readPages(walk: LeafWalk): AsyncGenerator<LeafPage> {
  let next = readPageFrom(walk, 0);
  while (next !== null) {
    const page: LeafPage = await next;
    next = readPageFrom(walk, page.end);
    // Where the check of this page ends the walk, nobody waits for the next one.
    next?.catch(() => {});
    yield page;
  }
}

/** Null behind the log's end. */
function readPageFrom(walk: LeafWalk, from: number): Promise<LeafPage> | null {
  if (from >= walk.size) return null;
  const end = Math.min(from + walk.pageLeaves, walk.size);
  return readItems(walk, from, end).then((items) => ({ from, end, items }));
}

async function readItems({ table, logId }: LeafWalk, from: number, end: number): Promise<Map<number, Item>> {
  const range = { from: leafKey(logId, from).sk.S, upTo: leafKey(logId, end - 1).sk.S };
  for (let reads = 1; ; reads++) {
    const items = await table.query({ partition: logPartition(logId), ...range });
    if (items.length === end - from || reads === MAX_PAGE_READS) return byPlace(logId, items, from, end);
    await backoff(reads);
  }
}

/** The items by their keys' indices, for that is where a reader looks. */
function byPlace(logId: string, items: readonly Item[], from: number, end: number): Map<number, Item> {
  const bySortKey = new Map(items.map((item) => [item.sk?.S, item]));
  const places = Array.from({ length: end - from }, (_, i) => from + i);
  return new Map(
    places.flatMap((index) => {
      const item = bySortKey.get(leafKey(logId, index).sk.S);
      return item === undefined ? [] : [[index, item] as const];
    }),
  );
}

/** A check of the walk, which turns the `ledger_corrupt` that this throws into a fault. */
export function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw new DisclosureError("ledger_corrupt", message);
}

/** The entry where every check passes, or null. */
function examine(
  walk: LeafWalk,
  index: number,
  item: Item | undefined,
  previous: LogEntry | null,
): LogEntry | null {
  try {
    demand(item !== undefined, "the leaf is missing");
    const entry = readEntry(item);
    // After a fault there is no leaf to compare it with; the fault itself is reported already.
    if (index === 0 || previous !== null) checkFollows(entry.leaf, previous?.leaf);
    walk.check(entry, previous);
    return entry;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    walk.onFault(index, error.message);
    return null;
  }
}

function compare({ onFault }: LeafWalk, { leaf }: LogEntry, { treeSize, root, what }: Boundary): void {
  if (leaf.leafIndex + 1 !== treeSize) return;
  if (formatNode(rootAt(leaf)) !== root) onFault(leaf.leafIndex, `the root here is not that of ${what}`);
}
