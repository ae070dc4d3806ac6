// The folder that a tenant's history is kept in (docs/history.md). Leaf hashes are written before the heads that cover
// them, so a run that is killed leaves a good history of some earlier time, and the next run goes on from it.
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { DisclosureError } from "../../core/errors.ts";
import { type SealedHead, sealedHeadSchema } from "../../core/formats/chain-history.ts";
import { chainIdSchema, indexSchema, MAX_PATH_LENGTH, nodeSchema } from "../../core/formats/shapes.ts";
import { isTenantAnchor } from "../../core/formats/tenant-anchor.ts";
import { ChainHistory } from "../../core/log/chain-history.ts";
import { LeafTiles, leafTilesBetween } from "../../core/log/leaf-tiles.ts";
import { formatTilePlace } from "../../core/log/tile-place.ts";
import { type EntryBundle, parseTile, TILE_WIDTH } from "../../core/log/tiles.ts";
import { parseAs } from "../../reader/metachain.ts";
import { exists, naming, readBytes } from "../files/read-file.ts";
import { replaceFile } from "../files/write-file.ts";

const INDEX_FILE = "history.json";
const CHAINS_FOLDER = "chains";
/** Heads in one file. */
const HEADS_A_FILE = 1_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_SHARDS = 4_096;

const headsSchema = z.array(sealedHeadSchema).min(1).max(HEADS_A_FILE);

/** How far the public log was searched: the tree of its first entries, and the seal that publishes its root. */
const searchedSchema = z.object({
  seal_index: indexSchema,
  tree_size: indexSchema,
  subtrees: z.array(nodeSchema).max(MAX_PATH_LENGTH),
});

const indexFileSchema = z.object({
  /** The anchor under which the chains were looked up; null where the service was asked for them. */
  tenant_anchor: z.string().refine(isTenantAnchor).nullable(),
  chains: z.array(z.object({ chain_id: chainIdSchema, shard: indexSchema })).max(MAX_SHARDS),
  /** Null before the public log was searched. */
  searched: searchedSchema.nullable(),
});
export type HistoryIndex = z.infer<typeof indexFileSchema>;

/** A chain's history as it is in the folder, verified from its first head to its last. */
export interface HeldChain {
  readonly history: ChainHistory;
  readonly tiles: LeafTiles;
}

export class HistoryFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Null for a folder without a history. Throws `malformed`. */
  async readIndex(): Promise<HistoryIndex | null> {
    const file = join(this.path, INDEX_FILE);
    if (!(await exists(file))) return null;
    return naming(file, async () =>
      parseAs(indexFileSchema, await readBytes(file, MAX_FILE_BYTES), "a history's index"),
    );
  }

  writeIndex(index: HistoryIndex): Promise<void> {
    return replaceFile(join(this.path, INDEX_FILE), `${JSON.stringify(index, null, 2)}\n`);
  }

  /** Reads and verifies all that is held of a chain. Throws `malformed`, or `proof_invalid` where it does not hold. */
  async readChain(chainId: string): Promise<HeldChain> {
    const tiles = new LeafTiles();
    const history = new ChainHistory(chainId, tiles.read);
    for (let first = 0; ; first += HEADS_A_FILE) {
      const heads = await this.#readHeads(chainId, first);
      if (heads === null) return { history, tiles };
      await this.#readTiles(chainId, history.size, heads.at(-1)?.tree_size ?? 0, tiles);
      for (const head of heads) history.add(head);
    }
  }

  /** Writes what a chain grew by since it had `from` receipts: the leaf hashes, and then the heads over them. */
  async writeGrowth({ history, tiles }: HeldChain, from: number, firstHead: number): Promise<void> {
    for (const place of leafTilesBetween(from, history.size)) {
      const bytes = tiles.get(place.index);
      if (bytes !== null) await replaceFile(this.#tileFile(history.chainId, place), bytes);
    }
    const start = firstHead - (firstHead % HEADS_A_FILE);
    for (let first = start; first < history.heads.length; first += HEADS_A_FILE) {
      const heads = history.heads.slice(first, first + HEADS_A_FILE);
      await replaceFile(this.#headsFile(history.chainId, first), `${JSON.stringify(heads)}\n`);
    }
    await this.#removePartial(history.chainId, from, history.size);
  }

  async #readHeads(chainId: string, first: number): Promise<SealedHead[] | null> {
    const file = this.#headsFile(chainId, first);
    if (!(await exists(file))) return null;
    return naming(file, async () =>
      parseAs(headsSchema, await readBytes(file, MAX_FILE_BYTES), "a list of heads"),
    );
  }

  /** The tiles up to `size`. The last head of all decides how full the last tile is. */
  async #readTiles(chainId: string, from: number, size: number, tiles: LeafTiles): Promise<void> {
    for (const place of leafTilesBetween(from, size)) {
      const held = await this.#fullest(chainId, place);
      const file = this.#tileFile(chainId, held);
      const bytes = await naming(file, () => readBytes(file, MAX_FILE_BYTES));
      await naming(file, async () => parseTile(bytes, held.width));
      tiles.set(place.index, bytes);
    }
  }

  /** The full tile where there is one: later heads cover more of it. */
  async #fullest(chainId: string, { index, width }: EntryBundle): Promise<EntryBundle> {
    const full = { index, width: TILE_WIDTH };
    if (width === TILE_WIDTH || (await exists(this.#tileFile(chainId, full)))) return full;
    const widths = await this.#partialWidths(chainId, index);
    const enough = widths.filter((held) => held >= width).sort((a, b) => a - b);
    const [least] = enough;
    if (least !== undefined) return { index, width: least };
    throw new DisclosureError("malformed", `${this.path} lacks leaf hashes of chain ${chainId}`);
  }

  async #partialWidths(chainId: string, index: number): Promise<number[]> {
    const folder = dirname(this.#tileFile(chainId, { index, width: 1 }));
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => /^[1-9]\d{0,2}$/.test(name)).map(Number);
  }

  /** A partial tile that a fuller one replaced. A crash before leaves it there, which does no harm. */
  async #removePartial(chainId: string, from: number, size: number): Promise<void> {
    const width = from % TILE_WIDTH;
    if (width === 0 || from === size) return;
    const index = Math.floor(from / TILE_WIDTH);
    await rm(this.#tileFile(chainId, { index, width }), { force: true });
  }

  #headsFile(chainId: string, first: number): string {
    return join(this.path, CHAINS_FOLDER, chainId, "heads", `${first / HEADS_A_FILE}.json`);
  }

  #tileFile(chainId: string, place: EntryBundle): string {
    return join(this.path, CHAINS_FOLDER, chainId, "tile", "0", ...formatTilePlace(place).split("/"));
  }
}
