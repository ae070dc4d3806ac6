// The guard before every signature: whatever was set back, forked, swapped or tampered with, nothing is signed, and the
// conflict is counted. Sizes are tested beyond 2^31.
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, test } from "vitest";
import { METACHAIN_ID } from "../../../contract/table.ts";
import { formatNoteKey, noteKey, SIGNATURE_TYPE } from "../../../evidence/core/log/note.ts";
import { hashNode } from "../../../evidence/core/merkle/hash.ts";
import {
  appendLeaf,
  completeSubtrees,
  leavesForConsistency,
  rootAt,
  type TreeLeaf,
} from "../../../evidence/core/merkle/merkle-tree.ts";
import { Log, leafAttributes } from "../../../service/ledger/log.ts";
import { requireExtends } from "../../../service/log/checkpoint-guard.ts";
import { publishCheckpoints } from "../../../service/log/checkpoint-publication.ts";
import { leafKey, logPartition } from "../../../service/table/keys.ts";
import { LEAF_HASH } from "../../support/leaf-items.ts";
import { type Ledger, startLedgerStack } from "../../support/ledger-stack.ts";
import { newLog, signCheckpoint } from "../../support/log-signer.ts";
import { growMetachain } from "../../support/metachain-entries.ts";
import {
  mth,
  readObject,
  SIGNING,
  sealAt,
  signedSizesOf,
  signingRefused,
} from "../../support/signed-metachain.ts";
import { damagesOf, deleteItem, readItem, without, writeItem } from "../../support/tamper.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const SIZES = [2, 3, 6];

/** Three seals, of which the first two have their checkpoints. */
async function newWorld(): Promise<Ledger> {
  const ledger = await stack.newLedger();
  await sealAt(ledger, SIZES.slice(0, 2), ledger.newProcess());
  await sealAt(ledger, SIZES.slice(2), ledger.newProcess(signingRefused));
  return ledger;
}

/** An object as somebody with all rights over the bucket puts it. */
const putObject = (ledger: Ledger, Key: string, Body: string | Uint8Array) =>
  ledger.clients.s3.send(new PutObjectCommand({ Bucket: ledger.name, Key, Body }));
const put = (ledger: Ledger, path: string, body: string | Uint8Array) =>
  putObject(ledger, `v1/metachain/${path}`, body);
const remove = (ledger: Ledger, path: string) =>
  ledger.clients.s3.send(new DeleteObjectCommand({ Bucket: ledger.name, Key: `v1/metachain/${path}` }));

const leafAt = (index: number) => [logPartition(METACHAIN_ID), leafKey(METACHAIN_ID, index).sk.S] as const;
const treeOf = (size: number) => ({ size, root: mth(0, size) });
const otherTree = (size: number) => ({ size, root: new Uint8Array(32).fill(9) });
const SEALS = ["from#0000000000000000", "from#0000000000000002", "from#0000000000000003"] as const;

/** A deed of somebody, and the text of the public checkpoint after it. */
type Deed = (ledger: Ledger) => Promise<unknown>;

const DEEDS: [string, Deed][] = [
  ["the public checkpoint is gone", (ledger) => remove(ledger, "checkpoint")],
  [
    "the public checkpoint is an older one",
    async (ledger) => put(ledger, "checkpoint", (await readObject(ledger, "checkpoints/0")) ?? ""),
  ],
  ["the public checkpoint is no note", (ledger) => put(ledger, "checkpoint", "no note")],
  [
    "the public checkpoint is signed by another key",
    (ledger) => put(ledger, "checkpoint", signCheckpoint(newLog(ledger.key.log.key.name), treeOf(3))),
  ],
  [
    "the public checkpoint has another origin under the same key",
    ({ key: { log }, ...ledger }) => {
      const key = noteKey("other.test", SIGNATURE_TYPE.ed25519, log.key.publicKey);
      return put(ledger as Ledger, "checkpoint", signCheckpoint({ ...log, key }, treeOf(3)));
    },
  ],
  [
    "our key has signed another tree of the same size",
    (ledger) => put(ledger, "checkpoint", signCheckpoint(ledger.key.log, otherTree(3))),
  ],
  [
    "our key has signed another tree of a size between",
    (ledger) => put(ledger, "checkpoint", signCheckpoint(ledger.key.log, otherTree(4))),
  ],
  [
    "our key has signed another tree as the next checkpoint",
    (ledger) => put(ledger, "checkpoint", signCheckpoint(ledger.key.log, otherTree(6))),
  ],
  [
    "our key has signed a larger tree than was sealed",
    (ledger) => put(ledger, "checkpoint", signCheckpoint(ledger.key.log, treeOf(7))),
  ],
  [
    "another tree is signed as the checkpoint of the next seal",
    (ledger) => put(ledger, "checkpoints/2", signCheckpoint(ledger.key.log, otherTree(6))),
  ],
  [
    "the table was set back by two seals",
    async (ledger) => {
      for (const sk of SEALS.slice(1)) await deleteItem(ledger, ["seals", sk]);
    },
  ],
  ["the table has lost a leaf under the public checkpoint", (ledger) => deleteItem(ledger, leafAt(2))],
  [
    "a leaf under the public checkpoint is another",
    async (ledger) => {
      const [, damaged] = damagesOf(await readItem(ledger, leafAt(2)), LEAF_HASH);
      await writeItem(ledger, damaged?.item ?? {});
    },
  ],
  [
    "the newest leaf is another",
    async (ledger) => {
      const [, damaged] = damagesOf(await readItem(ledger, leafAt(5)), LEAF_HASH);
      await writeItem(ledger, damaged?.item ?? {});
    },
  ],
  [
    "the public root of the next seal is another",
    async (ledger) => {
      const seal = await ledger.newProcess().roots.seal(2);
      const tree = JSON.stringify({ ...seal, merkle_root: `0x${"9".repeat(64)}` });
      const item = await readItem(ledger, ["seals", SEALS[2]]);
      await writeItem(ledger, { ...item, tree: { S: tree }, text: { S: tree } });
    },
  ],
  [
    "the public head names another log",
    async (ledger) => {
      const head = await ledger.newProcess().roots.head();
      const log = { ...head.log, origin: "other.test", vkey: formatNoteKey(newLog("other.test").key) };
      await putObject(ledger, "v1/metachain", JSON.stringify({ ...head, log }));
    },
  ],
];

describe.concurrent("nothing is signed, and a conflict is counted, where", () => {
  test.each(DEEDS)("%s", async (_, deed) => {
    const ledger = await newWorld();
    await deed(ledger);
    const process = ledger.newProcess();
    await publishCheckpoints(process.sealerServices);
    expect(process.faults).toEqual([expect.objectContaining({ code: "publication_conflict" })]);
    expect(process.counted).toEqual({ publicationConflicts: 1 });
    expect(process.calls.steps.filter(({ name }) => SIGNING.has(name))).toEqual([]);
  });
});

describe.concurrent("it goes on where", () => {
  test("nobody did anything", async () => {
    const ledger = await newWorld();
    await publishCheckpoints(ledger.newProcess().sealerServices);
    expect(await signedSizesOf(ledger, SIZES)).toEqual(SIZES);
  });

  test("the table has forgotten its progress, as a crash before it was written leaves it", async () => {
    const ledger = await newWorld();
    await deleteItem(ledger, ["sealer", "checkpoints"]);
    await publishCheckpoints(ledger.newProcess().sealerServices);
    expect(await signedSizesOf(ledger, SIZES)).toEqual(SIZES);
  });

  test.each([
    ["a checkpoint that nobody locked", { index: { N: "7" } }],
    ["another tree than that of the locked checkpoint", { index: { N: "0" } }],
    ["the next seal, which has none yet", { index: { N: "2" }, size: { N: "6" } }],
    ["a tree that was never sealed", { index: { N: "9" }, size: { N: "900" } }],
    ["nothing that can be read", { size: { N: "-1" } }],
  ])("somebody has the table remember %s", async (_, members) => {
    const ledger = await newWorld();
    await writeItem(ledger, { ...(await readItem(ledger, ["sealer", "checkpoints"])), ...members });
    const process = ledger.newProcess();
    await publishCheckpoints(process.sealerServices);
    expect(process.disbelieved).toEqual(["the progress of the checkpoints"]);
    expect(await signedSizesOf(ledger, SIZES)).toEqual(SIZES);
  });

  test("the table can't be reached for once: that is no conflict", async () => {
    const ledger = await newWorld();
    const process = ledger.newProcess((call, send) =>
      call.name === "BatchGetItem" ? Promise.reject(new Error("no answer")) : send(),
    );
    await publishCheckpoints(process.sealerServices);
    expect(process.faults).toEqual([expect.objectContaining({ code: "ledger_unavailable" })]);
    expect(process.counted).toEqual({ checkpointFailures: 1 });
    await publishCheckpoints(ledger.newProcess().sealerServices);
    expect(await signedSizesOf(ledger, SIZES)).toEqual(SIZES);
  });

  test("a tile of the seal is not published yet: it signs nothing before that", async () => {
    const ledger = await newWorld();
    const missing = ledger.newProcess(async (call, send) => {
      const { Key } = call.input as { Key?: string };
      if (Key !== "v1/metachain/tile/0/000.p/6") return send();
      throw Object.assign(new Error("gone"), { name: "NoSuchKey" });
    });
    await publishCheckpoints(missing.sealerServices);
    const tiles = await readItem(ledger, ["sealer", "tiles"]);
    await writeItem(ledger, { ...tiles, size: { N: "5" } });
    const behind = ledger.newProcess();
    await publishCheckpoints(behind.sealerServices);
    expect([missing.faults, behind.faults, await signedSizesOf(ledger, SIZES)]).toEqual([[], [], [2, 3]]);
  });

  test.each(["origin", "vkey"])("unless the log's %s in the table is damaged", async (attribute) => {
    const ledger = await newWorld();
    await writeItem(ledger, without(await readItem(ledger, ["sealer", "log"]), attribute));
    const process = ledger.newProcess();
    await publishCheckpoints(process.sealerServices);
    expect(process.faults).toEqual([expect.objectContaining({ code: "ledger_corrupt" })]);
    expect(process.counted).toEqual({ checkpointFailures: 1 });
  });
});

describe("in a log of more than 2^31 entries", () => {
  const LEAF = new Uint8Array(32).fill(1);

  /** A leaf of the log whose leaves are all equal, without those before it. */
  function equalLeaf(leafIndex: number): TreeLeaf {
    const leftPath: Uint8Array[] = [];
    let node: Uint8Array = LEAF;
    for (let rest = leafIndex; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) leftPath.push(node);
      node = hashNode(node, node);
    }
    return { leafIndex, leafHash: LEAF, leftPath };
  }

  const [from, to] = [2 ** 31 + 12_345, 2 ** 40 + 77];
  const tree = (size: number) => ({ origin: "big.test", size, root: rootAt(equalLeaf(size - 1)) });

  async function newLogAt(): Promise<{ ledger: Ledger; log: Log }> {
    const ledger = await stack.newLedger();
    for (const index of new Set([from - 1, to - 1, ...leavesForConsistency(from, to)])) {
      await writeItem(ledger, leafAttributes(METACHAIN_ID, equalLeaf(index)));
    }
    return { ledger, log: new Log(ledger.newProcess().table, METACHAIN_ID) };
  }

  test("equal leaves make the tree that is built one by one", () => {
    let last: TreeLeaf | null = null;
    for (let index = 0; index < 70; index++) {
      last = appendLeaf(last, LEAF);
      expect(last).toEqual(equalLeaf(index));
    }
    expect(completeSubtrees(equalLeaf(from - 1)).length).toBeGreaterThan(1);
  });

  test("a tree that extends the signed one passes, and no other does", async () => {
    const { log } = await newLogAt();
    await requireExtends(log, tree(from), tree(to));
    await requireExtends(log, tree(to), tree(to));
    const other = { ...tree(from), root: rootAt(equalLeaf(from - 2)) };
    for (const [earlier, next] of [
      [other, tree(to)],
      [tree(from), { ...tree(to), root: other.root }],
      [tree(to), tree(from)],
      [{ ...tree(from), size: 0 }, tree(to)],
    ] as const) {
      await expect(requireExtends(log, earlier, next)).rejects.toMatchObject({
        code: "publication_conflict",
      });
    }
  });
});

test("a table that was set back and has grown anew signs nothing", async () => {
  const ledger = await stack.newLedger();
  await sealAt(ledger, [2, 4], ledger.newProcess());
  // Head and roots were set back with the table; the checkpoint was not.
  const [first, second] = [SEALS[0], SEALS[1]];
  const tree = JSON.parse((await readItem(ledger, ["seals", first])).tree?.S ?? "");
  expect(tree.tree_size).toBe(2);
  await deleteItem(ledger, ["seals", second]);
  for (const index of [2, 3]) await deleteItem(ledger, leafAt(index));
  await growMetachain(ledger.newProcess(), 3);
  const process = ledger.newProcess();
  await publishCheckpoints(process.sealerServices);
  expect(process.counted).toEqual({ publicationConflicts: 1 });
  expect(process.calls.steps.filter(({ name }) => SIGNING.has(name))).toEqual([]);
});
