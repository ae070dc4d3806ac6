// The entries under the published root, as the runs of one process have read them: by them a chain has heads that its spans
// may not tell of any more. Who deletes a span can't have the same label published twice.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { hashSeal } from "../../evidence/core/formats/metachain.ts";
import type { RecordedAfter } from "../../evidence/core/formats/receipt.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { rootAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { checkFollows } from "../ledger/log.ts";
import { metachainEntries, readChainHead } from "../seals/metachain-entry.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealedTree } from "../seals/seal-item.ts";
import type { Table } from "../table/table.ts";

/** The newest published tree of the metachain; null before the first seal. */
export type PublishedTree = Pick<SealedTree, "tree_size" | "merkle_root"> | null;

/** Chains that are remembered, some 150 bytes each; where there are more, entries are read anew from where they are needed. */
const MAX_CHAINS = 200_000;
/** Seals that receipts name: nearly all name one of the newest. */
const MAX_SEALS = 1_000;

/** The entries from `from` up to but not including `to`, which is the size of a published tree. */
interface ReadEntries {
  readonly from: number;
  readonly to: number;
  /** The place of the newest entry of each chain. */
  readonly newest: Map<string, number>;
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
   * The place of the chain's newest entry under the published root that came after a seal was published, null where there is
   * none. An entry over a receipt comes after the seal that the receipt names. Throws `ledger_corrupt`.
   */
  async newestSince(
    seal: RecordedAfter | null,
    chainId: string,
    published: PublishedTree,
  ): Promise<number | null> {
    const from = seal === null ? 0 : await this.#sizeOf(seal);
    if (published === null || from >= published.tree_size) return null;
    const reading = this.#reading.then(() => this.#cover(from, published));
    this.#reading = reading.catch(() => {});
    const place = (await reading).newest.get(chainId);
    return place !== undefined && place >= from ? place : null;
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
    const kept = this.#kept(from, published.tree_size);
    const part = kept ?? { from, to: from, newest: new Map<string, number>() };
    if (part.to < published.tree_size)
      for (const [chainId, place] of await this.#read(part.to, published)) part.newest.set(chainId, place);
    this.#part = { ...part, to: published.tree_size };
    return this.#part;
  }

  /** What was read before, where it can be continued. */
  #kept(from: number, size: number): ReadEntries | null {
    const part = this.#part;
    if (part === null || part.newest.size > MAX_CHAINS) return null;
    return part.from <= from && from <= part.to && part.to <= size ? part : null;
  }

  /** The root shows that all of these are what was published: it holds the hash of each, by the left path of the last. */
  async #read(start: number, { tree_size, merkle_root }: NonNullable<PublishedTree>) {
    const newest = new Map<string, number>();
    let last: TreeLeaf | null = null;
    for await (const entry of metachainEntries(this.#table, start, tree_size)) {
      if (last !== null) checkFollows(entry.leaf, last);
      last = entry.leaf;
      newest.set(readChainHead(entry).chain_id, last.leafIndex);
    }
    const isPublished = last?.leafIndex === tree_size - 1 && equalBytes(rootAt(last), parseNode(merkle_root));
    if (isPublished) return newest;
    throw new DisclosureError("ledger_corrupt", "the metachain's entries do not lead to the published root");
  }
}
