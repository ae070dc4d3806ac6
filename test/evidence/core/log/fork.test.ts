// Trees read from tiles, and proofs that a log signed two histories.
import { describe, expect, test } from "vitest";
import { parseCheckpoint } from "../../../../evidence/core/log/checkpoint.ts";
import {
  buildFork,
  type Fork,
  forkFileName,
  forkSchema,
  verifyFork,
} from "../../../../evidence/core/log/fork.ts";
import { parseNote } from "../../../../evidence/core/log/note.ts";
import { TiledTree } from "../../../../evidence/core/log/tiled-tree.ts";
import { parsePolicy } from "../../../../evidence/core/log/tlog-policy.ts";
import { verifyConsistency } from "../../../../evidence/core/merkle/merkle-proof.ts";
import { logSigner, policyText, signedCheckpoint } from "../../../support/note-signers.ts";
import { leafHash, nodeHash, treeOf } from "../../../support/rfc9162.ts";
import { filesOf } from "../../../support/whole-tiles.ts";

const LOG = logSigner("receipts.example.com/v1/metachain");
const POLICY = parsePolicy(policyText(LOG));

const honest = (index: number): Buffer => Buffer.alloc(64, `entry ${index} of the log `);
/** Another history from this entry on. */
const forkedAt =
  (fork: number) =>
  (index: number): Buffer =>
    index < fork ? honest(index) : Buffer.alloc(64, `entry ${index} of another log `);

function logOf(entryAt: (index: number) => Buffer) {
  const mth = treeOf((index) => leafHash(entryAt(index)));
  const read = (size: number) => {
    const files = filesOf({ size, mth, entryAt });
    return async (path: string) => files.get(path) ?? null;
  };
  const root = (size: number): string => `0x${Buffer.from(mth(0, size)).toString("hex")}`;
  const tree = (size: number) => new TiledTree(size, read(size));
  const signed = (size: number) => {
    const note = signedCheckpoint(LOG, { size, root: root(size) });
    return { note, checkpoint: parseCheckpoint(parseNote(note).text) };
  };
  return { mth, tree, root, signed };
}

const HONEST = logOf(honest);
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;

describe("a tree read from tiles", () => {
  test.each([1, 2, 3, 255, 256, 257, 511, 513, 700])("has the roots and paths of %i leaves", async (size) => {
    const tree = HONEST.tree(size);
    for (const from of [1, 2, 3, 4, 7, 128, 255, 256, 257, 300, 512, 699, 700].filter((n) => n <= size)) {
      expect(hex(await tree.root(from))).toBe(HONEST.root(from));
      const path = await tree.consistencyPath(from);
      verifyConsistency(from, size, path, await tree.root(from), await tree.root());
    }
  });

  test("takes few tiles, also beyond sizes of 32 bits", async () => {
    // Every leaf is the same here, so every complete subtree of one level is.
    const subtrees = [leafHash(honest(0))];
    for (let level = 1; level <= 50; level++) {
      const last = subtrees[level - 1] ?? new Uint8Array();
      subtrees.push(nodeHash(last, last));
    }
    const asked: string[] = [];
    const tree = new TiledTree(2 ** 50 - 1, async (path) => {
      asked.push(path);
      const [, level, , width] = /^tile\/(\d+)\/([^.]*)(?:\.p\/(\d+))?$/.exec(path) ?? [];
      const hash = subtrees[8 * Number(level)] ?? new Uint8Array();
      return Buffer.concat(Array.from({ length: Number(width ?? 256) }, () => hash));
    });
    for (const from of [2 ** 33 + 5, 2 ** 49 - 1, 2 ** 50 - 2]) {
      const path = await tree.consistencyPath(from);
      verifyConsistency(from, tree.size, path, await tree.root(from), await tree.root());
    }
    expect(asked.length).toBeLessThan(40);
  });

  test("says that a tile is missing, and has no root beyond its size", async () => {
    const tree = new TiledTree(300, async () => null);
    await expect(tree.root()).rejects.toMatchObject({ code: "publication_unavailable" });
    await expect(tree.root(301)).rejects.toMatchObject({ code: "malformed" });
  });
});

const never = () => expect.unreachable("no tile is needed");

describe("a fork", () => {
  test("of one size is shown by two notes alone", async () => {
    const other = logOf(forkedAt(3));
    const fork = (await buildFork(HONEST.signed(300), other.signed(300), never)) as Fork;
    expect(fork).toMatchObject({
      format: "disclosure-receipts fork 1",
      prefix_root: null,
      consistency_path: [],
    });
    expect(await verifyFork(fork, POLICY)).toMatchObject({ origin: LOG.name, smaller: { size: 300 } });
  });

  test.each([
    [200, 300],
    [256, 300],
    [1, 2],
    [255, 257],
  ])("of sizes %i and %i is shown by the path to the larger one", async (from, to) => {
    const other = logOf(forkedAt(0));
    for (const pair of [
      [HONEST.signed(from), other.signed(to)],
      [other.signed(to), HONEST.signed(from)],
    ] as const) {
      const fork = (await buildFork(...pair, other.tree)) as Fork;
      expect(await verifyFork(fork, POLICY)).toMatchObject({ smaller: { size: from }, larger: { size: to } });
      expect(forkSchema.parse(JSON.parse(JSON.stringify(fork)))).toEqual(fork);
    }
  });

  test.each([
    ["of a log that only grew", () => buildFork(HONEST.signed(200), HONEST.signed(300), HONEST.tree)],
    ["of one tree twice", () => buildFork(HONEST.signed(200), HONEST.signed(200), never)],
    [
      "with the tiles of another tree",
      () => buildFork(HONEST.signed(200), logOf(forkedAt(0)).signed(300), HONEST.tree),
    ],
  ])("is not made %s", async (_, build) => {
    expect(await build()).toBeNull();
  });

  const made = async (): Promise<Fork> =>
    (await buildFork(HONEST.signed(200), logOf(forkedAt(0)).signed(300), logOf(forkedAt(0)).tree)) as Fork;

  test.each<[string, (fork: Fork) => object]>([
    ["of another format", (fork) => ({ ...fork, format: "disclosure-receipts fork 2" })],
    ["of one checkpoint", ({ checkpoints, ...fork }) => ({ ...fork, checkpoints: checkpoints.slice(1) })],
    ["of three checkpoints", (fork) => ({ ...fork, checkpoints: [...fork.checkpoints, "note"] })],
    ["with a root that is no hash", (fork) => ({ ...fork, prefix_root: "0xab" })],
    ["without a path", ({ consistency_path, ...fork }) => fork],
  ])("%s is not read", async (_, change) => {
    const fork = await made();
    expect(forkSchema.safeParse(fork).success).toBe(true);
    expect(forkSchema.safeParse(change(fork)).success).toBe(false);
  });

  test.each<[string, (fork: Fork) => Fork, string]>([
    [
      "two logs, of which either has one history",
      (fork) => ({
        ...fork,
        checkpoints: [
          signedCheckpoint(logSigner("other.example"), { size: 200, root: HONEST.root(200) }),
          fork.checkpoints[1],
        ],
      }),
      "of two logs",
    ],
    [
      "a note of another key",
      (fork) => ({
        ...fork,
        checkpoints: [
          signedCheckpoint(logSigner(LOG.name, "stolen"), { size: 200, root: HONEST.root(200) }),
          fork.checkpoints[1],
        ],
      }),
      "no log of the policy signed",
    ],
    [
      "the larger one first",
      (fork) => ({ ...fork, checkpoints: [fork.checkpoints[1], fork.checkpoints[0]] }),
      "the sizes do not follow each other",
    ],
    [
      "a tree without entries",
      (fork) => ({
        ...fork,
        checkpoints: [signedCheckpoint(LOG, { size: 0, root: HONEST.root(1) }), fork.checkpoints[1]],
      }),
      "the sizes do not follow each other",
    ],
    [
      "a path that is cut",
      (fork) => ({ ...fork, consistency_path: fork.consistency_path.slice(1) }),
      "the path is too short",
    ],
    [
      "no root for the smaller size",
      (fork) => ({ ...fork, prefix_root: null }),
      "the root of the larger tree's beginning is missing",
    ],
    [
      "the smaller one's own root",
      (fork) => ({ ...fork, prefix_root: HONEST.root(200) }),
      "leads to another previous root",
    ],
    [
      "a log that grew",
      () => ({
        format: "disclosure-receipts fork 1",
        checkpoints: [HONEST.signed(300).note, HONEST.signed(300).note],
        prefix_root: null,
        consistency_path: [],
      }),
      "the larger tree extends the smaller one",
    ],
  ])("is not believed with %s", async (_, change, message) => {
    const fork = change(await made());
    const policy = parsePolicy(`log ${logSigner("other.example").vkey}\n${policyText(LOG)}`);
    await expect(verifyFork(fork, policy)).rejects.toMatchObject({
      code: "proof_invalid",
      message: expect.stringContaining(message),
    });
  });

  test("has a file that is named after its log", () => {
    expect(forkFileName(LOG.name)).toMatch(/^fork-[0-9a-f]{16}\.json$/);
    expect(forkFileName("other.example")).not.toBe(forkFileName(LOG.name));
  });
});
