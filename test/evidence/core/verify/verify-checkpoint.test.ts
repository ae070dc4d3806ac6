// A tree that evidence claims is held against what the log and its witnesses signed, under the reader's policy.
import { describe, expect, test } from "vitest";
import { formatNoteKey } from "../../../../evidence/core/log/note.ts";
import { TiledTree } from "../../../../evidence/core/log/tiled-tree.ts";
import { parsePolicy, policyOfLog } from "../../../../evidence/core/log/tlog-policy.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import { checkCheckpoint, checkLaterCheckpoint } from "../../../../evidence/core/verify/verify-checkpoint.ts";
import { newLog, newWitness, signCheckpoint } from "../../../support/log-signer.ts";
import { leafHash, treeOf } from "../../../support/rfc9162.ts";
import { filesOf } from "../../../support/whole-tiles.ts";

const SECONDS = 1_790_000_000;
const COSIGNED_AT = new Date(SECONDS * 1_000).toISOString();

const log = newLog("log.example");
const witnesses = [newWitness("w1.example"), newWitness("w2.example")] as const;

const entryAt = (index: number): Uint8Array => Buffer.alloc(64, index);
const mth = treeOf((index) => leafHash(entryAt(index)));
const other = treeOf((index) => leafHash(entryAt(index + 1)));

const claimOf = (size: number, tree = mth) => ({ sealIndex: 0, size, root: formatNode(tree(0, size)) });

/** The log's checkpoint of this size, cosigned by so many of the witnesses. */
const noteOf = (size: number, { tree = mth, signer = log, cosigned = 0 } = {}): string =>
  signCheckpoint(
    signer,
    { size, root: tree(0, size) },
    witnesses.slice(0, cosigned).map((witness) => [witness, SECONDS] as const),
  );

/** The log's key, and a quorum of both witnesses. */
const both = parsePolicy(
  [
    `log ${formatNoteKey(log.key)}`,
    ...witnesses.map(({ key }, i) => `witness w${i + 1} ${formatNoteKey(key)}`),
    "group both 2 w1 w2",
    "quorum both",
  ].join("\n"),
);

function tilesOf(size: number): TiledTree {
  const files = filesOf({ size, mth, entryAt });
  return new TiledTree(size, async (path) => files.get(path) ?? null);
}

describe("a checkpoint of the very tree", () => {
  const policy = policyOfLog(log.key);

  test("shows that the log signed its root and its size", async () => {
    const { finding, opened } = await checkCheckpoint(claimOf(5), noteOf(5), policy);
    expect(finding).toEqual({ holds: "log.example signed this root with its size of 5" });
    expect(opened?.checkpoint.size).toBe(5);
  });

  test("names the witnesses that cosigned it, and misses a quorum that is not there", async () => {
    expect((await checkCheckpoint(claimOf(5), noteOf(5, { cosigned: 2 }), both)).finding).toEqual({
      holds: `log.example signed this root with its size of 5; cosigned by w1 at ${COSIGNED_AT}, w2 at ${COSIGNED_AT}`,
    });
    expect((await checkCheckpoint(claimOf(5), noteOf(5, { cosigned: 1 }), both)).finding).toEqual({
      unchecked: `log.example signed this root with its size of 5; cosigned by w1 at ${COSIGNED_AT}; that is not the quorum of the reader's policy`,
      reason: "no_quorum",
    });
    expect((await checkCheckpoint(claimOf(5), noteOf(5), both)).finding).toEqual({
      unchecked:
        "log.example signed this root with its size of 5; that is not the quorum of the reader's policy",
      reason: "no_quorum",
    });
  });

  test.each([
    ["another size", noteOf(6), "the checkpoint is of a tree of 6 entries, and not of 5"],
    ["another root", noteOf(5, { tree: other }), "the log signed another root for 5 entries"],
  ])("contradicts the evidence by %s", async (_, note, message) => {
    const checking = checkCheckpoint(claimOf(5), note, policy);
    await expect(checking).rejects.toMatchObject({ code: "proof_invalid", message });
  });

  test("of a log that the policy does not name says nothing", async () => {
    const note = noteOf(5, { signer: newLog("other.example") });
    const twoLogs = { ...policy, logs: [...policy.logs, { key: newLog("third.example").key, url: null }] };
    for (const read of [policy, twoLogs]) {
      expect(await checkCheckpoint(claimOf(5), note, read)).toEqual({
        finding: {
          unchecked: "it is a checkpoint of other.example, which the reader's policy does not name",
          reason: "other_log",
        },
        opened: null,
      });
    }
  });

  test("is opened under any of the logs that the policy names", async () => {
    const twoLogs = { ...policy, logs: [{ key: newLog("third.example").key, url: null }, ...policy.logs] };
    expect((await checkCheckpoint(claimOf(5), noteOf(5), twoLogs)).finding).toHaveProperty("holds");
  });

  test("is refused where another key signed it under the log's name", async () => {
    const note = noteOf(5, { signer: newLog("log.example") });
    await expect(checkCheckpoint(claimOf(5), note, policy)).rejects.toMatchObject({ code: "proof_invalid" });
  });
});

describe("the log's newest checkpoint", () => {
  const check = (claimed: number, note: string, { tree = mth, policy = policyOfLog(log.key) } = {}) =>
    checkLaterCheckpoint(claimOf(claimed, tree), note, policy, tilesOf);

  test("of a larger tree covers a root that it extends, as the tiles show", async () => {
    const { finding, opened } = await check(5, noteOf(300));
    expect(finding).toEqual({
      holds: "log.example signed a tree of 300 entries, whose first 5 have this root",
    });
    expect(opened?.checkpoint.size).toBe(300);
  });

  test("of this very tree needs no tile", async () => {
    const noTiles = () => expect.unreachable("no tile is needed");
    const { finding } = await checkLaterCheckpoint(claimOf(5), noteOf(5), policyOfLog(log.key), noTiles);
    expect(finding).toEqual({
      holds: "log.example signed a tree of 5 entries, whose first 5 have this root",
    });
  });

  test("of a smaller tree says nothing of this root", async () => {
    expect(await check(6, noteOf(5))).toEqual({
      finding: { unchecked: "the newest checkpoint of the log is older than this root", reason: "too_new" },
      opened: null,
    });
  });

  test.each([5, 300])("contradicts a root that its tree of %i entries does not extend", async (size) => {
    await expect(check(5, noteOf(size), { tree: other })).rejects.toMatchObject({ code: "proof_invalid" });
  });

  test("has its witnesses counted, and a strange one says nothing", async () => {
    expect((await check(5, noteOf(300, { cosigned: 1 }), { policy: both })).finding).toHaveProperty(
      "unchecked",
    );
    const stray = await check(5, noteOf(300, { signer: newLog("other.example") }));
    expect(stray).toMatchObject({ finding: { reason: "other_log" }, opened: null });
  });
});
