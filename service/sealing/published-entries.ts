// The entries under the published root, as the runs of one process have read them: by them a chain has heads that its spans
// may not tell of any more. Who deletes a span, or with it the receipts under its head, can't have the same label published
// twice.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { hashSeal } from "../../evidence/core/formats/metachain.ts";
import type { RecordedAfter } from "../../evidence/core/formats/receipt.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { rootAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { checkFollows, missingLeaf } from "../ledger/log.ts";
import { metachainEntries, readChainHead } from "../seals/metachain-entry.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealedTree } from "../seals/seal-item.ts";
import type { Table } from "../table/table.ts";

/** The newest published tree of the metachain; null before the first seal. */
export type PublishedTree = Pick<SealedTree, "tree_size" | "merkle_root"> | null;

/** Chains that are remembered, some 250 bytes each; where there are more, entries are read anew from where they are needed. */
const MAX_CHAINS = 200_000;
/** The entries of the past that a run reads, so that no seal waits for long. */
const READ_BACK = 20_000;
/** Seals that receipts name: nearly all name one of the newest. */
const MAX_SEALS = 1_000;

/** The newest entry of a chain. */
export interface NewestEntry {
  readonly place: number;
  readonly leafHash: Uint8Array;
}

/** The entries from `from` up to but not including `to`, which is the size of a published tree. */
interface ReadEntries {
  readonly from: number;
  readonly to: number;
  /** The leaf at `from`; null where there is none yet. */
  readonly first: TreeLeaf | null;
  /** By the chains' ids. */
  readonly newest: Map<string, NewestEntry>;
}

/** Entries that follow one another; what they lead to is to be shown. */
interface Stretch {
  readonly first: TreeLeaf;
  readonly last: TreeLeaf;
  readonly newest: ReadEntries["newest"];
}

export class PublishedEntries {
  readonly #table: Table;
  readonly #roots: Pick<PublishedRoots, "seal">;
  /** The sizes of the trees of seals, by `seal_hash`. */
  readonly #sizes = new BoundedMap<string, number>(MAX_SEALS);
  #part: ReadEntries | null = null;
  /** One reads at a time, and the others find what they need. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(table: Table, roots: Pick<PublishedRoots, "seal">) {
    this.#table = table;
    this.#roots = roots;
  }

  /**
   * The place of the chain's newest entry under the published root, null where there is none: among those that came after a
   * seal was published, as an entry over a receipt comes after the seal that the receipt names, and among all that were read
   * before. Throws `ledger_corrupt`.
   */
  async newestSince(
    seal: RecordedAfter | null,
    chainId: string,
    published: PublishedTree,
  ): Promise<number | null> {
    if (published === null) return null;
    const from = Math.min(seal === null ? 0 : await this.#sizeOf(seal), published.tree_size);
    const { newest } = await this.#inTurn(() => this.#cover(from, published));
    return newest.get(chainId)?.place ?? null;
  }

  /** What was read of a chain, and no read more. */
  known(chainId: string): NewestEntry | null {
    return this.#part?.newest.get(chainId) ?? null;
  }

  /** True of a place whose entry was read. */
  hasRead(place: number): boolean {
    return this.#part !== null && this.#part.from <= place && place < this.#part.to;
  }

  /**
   * Reads up to `count` of the entries before those that were read: a chain whose newest receipts were deleted together with
   * their span has nothing that says from where on its head is to be looked for. Throws `ledger_corrupt`.
   */
  async readBack(published: PublishedTree, count: number): Promise<void> {
    if (published !== null) await this.#inTurn(() => this.#readBefore(published, count));
  }

  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const reading = this.#reading.then(read);
    this.#reading = reading.catch(() => {});
    return reading;
  }

  async #sizeOf({ seal_index, seal_hash }: RecordedAfter): Promise<number> {
    const known = this.#sizes.get(seal_hash);
    if (known !== undefined) return known;
    const seal = await this.#roots.seal(seal_index);
    if (seal === null || hashSeal(seal) !== seal_hash)
      throw new DisclosureError("ledger_corrupt", "a receipt names a seal that is not public", {
        seal_index,
      });
    this.#sizes.set(seal_hash, seal.tree_size);
    return seal.tree_size;
  }

  /** A part that begins at `from` or before it, and ends with the published tree. */
  async #cover(from: number, published: NonNullable<PublishedTree>): Promise<ReadEntries> {
    const { tree_size, merkle_root } = published;
    const part = this.#kept(from, tree_size) ?? emptyFrom(from);
    if (part.to === tree_size) return part;
    const { first, last, newest } = await this.#read(part.to, tree_size);
    requireRoot(last, merkle_root);
    for (const [chainId, entry] of newest) part.newest.set(chainId, entry);
    this.#part = { ...part, first: part.first ?? first, to: tree_size };
    return this.#part;
  }

  /** Each left path holds all that is before it: so these are what was published where the first that was read follows. */
  async #readBefore(published: NonNullable<PublishedTree>, count: number): Promise<void> {
    const to = this.#part?.to ?? published.tree_size;
    // A run of this process that overlaps has read further.
    if (to > published.tree_size) return;
    const part = await this.#cover(to, published);
    if (part.from === 0) return;
    const from = Math.max(0, part.from - count);
    const { first, last, newest } = await this.#read(from, part.from);
    if (part.first === null) requireRoot(last, published.merkle_root);
    else checkFollows(part.first, last);
    for (const [chainId, entry] of part.newest) newest.set(chainId, entry);
    this.#part = { from, to: part.to, first, newest };
  }

  /** What was read before, where it can be continued. */
  #kept(from: number, size: number): ReadEntries | null {
    const part = this.#part;
    if (part === null || part.newest.size > MAX_CHAINS) return null;
    return part.from <= from && from <= part.to && part.to <= size ? part : null;
  }

  async #read(start: number, end: number): Promise<Stretch> {
    const newest = new Map<string, NewestEntry>();
    let first: TreeLeaf | null = null;
    let last: TreeLeaf | null = null;
    for await (const entry of metachainEntries(this.#table, start, end)) {
      const { leaf } = entry;
      if (last !== null) checkFollows(leaf, last);
      else if (leaf.leafIndex !== start) missingLeaf(start);
      first ??= leaf;
      last = leaf;
      newest.set(readChainHead(entry).chain_id, { place: leaf.leafIndex, leafHash: leaf.leafHash });
    }
    if (first === null || last === null || last.leafIndex !== end - 1) return missingLeaf(end - 1);
    return { first, last, newest };
  }
}

const emptyFrom = (from: number): ReadEntries => ({ from, to: from, first: null, newest: new Map() });

/** The root shows that all of these are what was published: it holds the hash of each, by the left path of the last. */
function requireRoot(last: TreeLeaf, root: string): void {
  if (equalBytes(rootAt(last), parseNode(root))) return;
  throw new DisclosureError("ledger_corrupt", "the metachain's entries do not lead to the published root");
}

/**
 * Reads some more of the past. Returns the damage where that can't be read: it is told, and keeps no chain from being sealed.
 */
export async function readPast(
  entries: PublishedEntries,
  published: PublishedTree,
): Promise<DisclosureError | undefined> {
  try {
    await entries.readBack(published, READ_BACK);
    return undefined;
  } catch (error) {
    if (isDisclosureError(error, "ledger_corrupt")) return error;
    throw error;
  }
}
