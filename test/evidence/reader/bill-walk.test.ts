// The walk over the entries of the public log, from the first to the size as of which a bill was made.
import { describe, expect, test } from "vitest";
import { ROOT_ROUTE } from "../../../contract/metachain-paths.ts";
import { chainHeadEntry, PENDING_TIMESTAMP, type Seal } from "../../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../../evidence/core/merkle/hash.ts";
import { walkIn } from "../../../evidence/reader/bill-walk.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { filesOf } from "../../support/whole-tiles.ts";

const SIZE = 700;
const CHAINS = 300;
const chainAt = (index: number): string => String(index % CHAINS).padStart(32, "0");
/** Each chain's next head comes when all others have had theirs. */
const entryAt = (index: number): Uint8Array =>
  chainHeadEntry({
    chain_id: chainAt(index),
    head_index: Math.floor(index / CHAINS),
    tree_size: 1 + Math.floor(index / CHAINS),
    root: `0x${"1".repeat(64)}`,
  });
const mth = treeOf((index) => leafHash(entryAt(index)));
const asOf = (tree_size: number) => ({
  seal_index: 0,
  merkle_root: formatNode(mth(0, tree_size)),
  tree_size,
});

const headOf = (latest: Seal | null): Buffer =>
  Buffer.from(JSON.stringify({ size: latest === null ? 0 : 1, latest, roots: ROOT_ROUTE, log: null }));

/** A log that is published up to this size, less the files that are missing. */
function sourceOf(size: number, missing: readonly string[] = []): MetachainSource & LogSource {
  const files = filesOf({ size, mth, entryAt });
  for (const path of missing) files.delete(path);
  const latest: Seal = {
    index: 0,
    merkle_root: formatNode(mth(0, size)),
    tree_size: size,
    previous_root: null,
    previous_tree_size: 0,
    consistency_path: [],
    receipt_count: 1,
    sealed_at: "2026-11-01T00:00:00.000Z",
    tsa_timestamp: PENDING_TIMESTAMP,
    additional_timestamps: [],
  };
  return {
    name: "memory",
    head: async () => headOf(latest),
    root: async () => null,
    timestamp: async () => null,
    logFile: async (path) => files.get(path) ?? null,
  };
}

const CHAIN = chainAt(7);

describe("a walk through the log", () => {
  test.each([
    [SIZE, [7, 307, 607]],
    [512, [7, 307]],
    [308, [7, 307]],
    [307, [7]],
  ])("up to size %i finds the heads of a chain, and no further", async (size, places) => {
    const walked: [number, number][] = [];
    const walk = await walkIn(sourceOf(SIZE), (...counts) => walked.push(counts))(asOf(size), [CHAIN]);
    expect(walk?.size).toBe(size);
    expect(walk?.headsOf(CHAIN)?.map(({ leafIndex }) => leafIndex)).toEqual(places);
    const ends = [256, 512, 768].slice(0, Math.ceil(size / 256)).map((end) => Math.min(end, size));
    expect(walked).toEqual(ends.map((end) => [end, size]));
  });

  test("is not made where the log's files do not reach the size yet, or nothing is published", async () => {
    expect(await walkIn(sourceOf(511))(asOf(512), [CHAIN])).toBeNull();
    expect(await walkIn(sourceOf(512))(asOf(512), [CHAIN])).not.toBeNull();
    const none = { ...sourceOf(512), head: async () => headOf(null) };
    expect(await walkIn(none)(asOf(512), [CHAIN])).toBeNull();
  });

  test("believes no entries but those under the bill's root", async () => {
    const other = { ...asOf(512), merkle_root: formatNode(mth(0, 511)) };
    await expect(walkIn(sourceOf(SIZE))(other, [CHAIN])).rejects.toMatchObject({
      code: "proof_invalid",
    });
  });

  test("says which file is missing", async () => {
    const source = sourceOf(SIZE, ["tile/entries/000"]);
    await expect(walkIn(source)(asOf(SIZE), [CHAIN])).rejects.toMatchObject({
      code: "publication_unavailable",
      message: "tile/entries/000 of the public log is missing",
    });
  });
});
