// Entries that no chain has, planted in the metachain: none is published, everybody who asks is told, and once an operator
// has set them aside by name, the honest chains are sealed.
import { afterAll, describe, expect, test } from "vitest";
import type { ChainHead } from "../../../evidence/core/formats/metachain.ts";
import { appendLeaf } from "../../../evidence/core/merkle/merkle-tree.ts";
import { Log } from "../../../service/ledger/log.ts";
import { setAside } from "../../../service/sealing/set-aside.ts";
import { bytes } from "../../support/items.ts";
import { coreIn, LEAF_HASH, LEFT_PATH, withCore } from "../../support/leaf-items.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { plantEntry, plantReceipts, plantSpan, rootOf } from "../../support/planted.ts";
import { deleteItem, keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { attestTurns, requestOf } from "../../support/test-process.ts";
import {
  attest,
  chainOf,
  expectSealedAfterSettingAside,
  expectStopped,
  HEADS,
  headOf,
  newUnclaimedWorld,
  statusOf,
} from "../../support/unclaimed-world.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const heads: [string, (chainId: string) => ChainHead][] = [
  ["of a huge number", (chainId) => headOf(chainId, { head_index: 1_000_000 })],
  ["of the next number but two", (chainId) => headOf(chainId, { head_index: HEADS + 2 })],
  ["that is number 0 again", (chainId) => headOf(chainId, { head_index: 0 })],
  ["of the next number", (chainId) => headOf(chainId, {})],
  ["of a chain that nobody has", () => headOf("c".repeat(32), { head_index: 0 })],
];

test.each(heads)("a planted head %s stops publication until it is set aside", async (_, plant) => {
  const { ledger, chainId } = await newUnclaimedWorld(stack);
  const head = plant(chainId);
  const place = await plantEntry(ledger, head);
  await expectStopped(ledger, place, head.chain_id);
  await expectSealedAfterSettingAside(ledger, place, 2 * (HEADS + 1));
});

describe("a head that was planted with its span stops publication", () => {
  test.each<[string, Partial<ChainHead>, number]>([
    ["where the chain has no such size", { tree_size: 4_096 }, HEADS],
    ["where no chain has such a size", { tree_size: 2 ** 50 }, HEADS],
    ["where its root is not that of the chain's receipts", { tree_size: HEADS + 1 }, HEADS],
    ["where it jumps a number", { tree_size: HEADS + 1, head_index: HEADS + 1 }, HEADS],
    ["where it begins behind the chain's last head", { tree_size: HEADS + 1 }, HEADS - 1],
  ])("%s", async (_, members, fromSize) => {
    const { ledger, chainId } = await newUnclaimedWorld(stack);
    const spans = await Promise.all(
      (await keysUnder(ledger, `sealed#${chainId}`)).map((key) => readItem(ledger, key)),
    );
    const head = headOf(chainId, members);
    const place = await plantEntry(ledger, head, head.tree_size - fromSize);
    await plantSpan(ledger, head, { fromSize, leafIndex: place });
    // The chain itself may look damaged meanwhile, but nothing is published either way.
    const process = ledger.newProcess();
    await expect(process.seal()).rejects.toMatchObject({ code: "publication_conflict" });
    await expectStopped(ledger, place, chainId);
    await setAside(ledger.newProcess(), place);
    // What was overwritten is put back from the backup.
    for (const span of spans) await writeItem(ledger, span);
    await ledger.newProcess().seal();
    expect((await ledger.check()).publishedReceipts).toBe(2 * (HEADS + 1));
  });
});

test("a true head of a chain is published whoever wrote it, and honest heads follow it", async () => {
  const { ledger, chainId } = await newUnclaimedWorld(stack);
  const head = headOf(chainId, { tree_size: HEADS + 1, root: await rootOf(ledger, chainId) });
  const place = await plantEntry(ledger, head);
  await plantSpan(ledger, head, { fromSize: HEADS, leafIndex: place });
  await ledger.newProcess().seal();
  expect((await ledger.check()).publishedReceipts).toBe(2 * (HEADS + 1));
});

test("a head that counts more receipts than its chain has grown by stops publication", async () => {
  const { ledger, chainId } = await newUnclaimedWorld(stack);
  const head = headOf(chainId, { tree_size: HEADS + 1, root: await rootOf(ledger, chainId) });
  const place = await plantEntry(ledger, head, 1_000);
  await plantSpan(ledger, head, { fromSize: HEADS, leafIndex: place });
  await expectStopped(ledger, place, chainId);
  await expectSealedAfterSettingAside(ledger, place, 2 * (HEADS + 1));
});

describe("a span that was taken back between two runs", () => {
  /** The seal waits for its first token, and the check of its entries was passed. */
  async function newWaitingWorld() {
    const world = await newUnclaimedWorld(stack);
    const gather = async () => ({ tokens: [], missing: 1 });
    const waiting = world.ledger.newProcess(undefined, { gather });
    expect(await waiting.seal()).toMatchObject({ outcome: "awaiting_timestamp" });
    return world;
  }

  test("leaves its entry unclaimed when the seal is to be published", async () => {
    const { ledger, chainId } = await newWaitingWorld();
    const [key = ["", ""]] = (await keysUnder(ledger, `sealed#${chainId}`)).slice(-1);
    const place = Number((await readItem(ledger, key)).leaf_index?.N);
    await deleteItem(ledger, key);
    await expectStopped(ledger, place, chainId);
    await expectSealedAfterSettingAside(ledger, place, 2 * (HEADS + 1));
  });

  test("may have come back, as it was", async () => {
    const { ledger, chainId } = await newWaitingWorld();
    const [key = ["", ""]] = (await keysUnder(ledger, `sealed#${chainId}`)).slice(-1);
    const span = await readItem(ledger, key);
    await deleteItem(ledger, key);
    await writeItem(ledger, span);
    await ledger.newProcess().seal();
    expect((await ledger.check()).publishedReceipts).toBe(2 * (HEADS + 1));
  });
});

describe("200 receipts with codes of zeros behind the newest of a chain", () => {
  const INVENTED = 200;

  async function newInventedWorld() {
    const world = await newUnclaimedWorld(stack);
    await plantReceipts(world.ledger, world.chainId, INVENTED);
    const planted = (await keysUnder(world.ledger, `chain#${world.chainId}`)).slice(HEADS + 1);
    expect(planted).toHaveLength(INVENTED);
    const repair = async () => {
      for (const key of planted) await deleteItem(world.ledger, key);
    };
    return { ...world, repair };
  }

  test("are not continued by the tenant's next call", async () => {
    const { ledger, caller, repair } = await newInventedWorld();
    await expect(attest(ledger, caller)).rejects.toMatchObject({ code: "ledger_corrupt" });
    await repair();
    await attest(ledger, caller);
  });

  test("are not sealed: the chain alone is set aside, and the others go on", async () => {
    const { ledger, chainId, repair } = await newInventedWorld();
    const process = ledger.newProcess();
    await expect(process.seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
    expect(process.counted).toMatchObject({ damagedChains: 1, sealedReceipts: 1 });
    expect(await statusOf(ledger)).toMatchObject({ setAside: [chainId], unclaimed: null });
    await repair();
    await ledger.newProcess().seal();
    expect((await ledger.check()).publishedReceipts).toBe(2 * (HEADS + 1));
  });

  test("are not sealed either where their head and its span were planted, too", async () => {
    const { ledger, chainId, repair } = await newInventedWorld();
    const root = await rootOf(ledger, chainId);
    const head = headOf(chainId, { tree_size: HEADS + 1 + INVENTED, root });
    const place = await plantEntry(ledger, head, INVENTED + 1);
    await plantSpan(ledger, head, { fromSize: HEADS, leafIndex: place });
    await expectStopped(ledger, place, chainId);
    const detail = "a stored authentication code is not the receipt's";
    expect((await statusOf(ledger)).unclaimed).toMatchObject({ detail });
    await repair();
    await expectSealedAfterSettingAside(ledger, place, 2 * (HEADS + 1));
  });
});

test("an unsealed receipt that links to another than the one before keeps its chain from being sealed", async () => {
  const { ledger, caller, chainId } = await newUnclaimedWorld(stack);
  await attest(ledger, caller);
  const [before = ["", ""], newest = ["", ""]] = (await keysUnder(ledger, `chain#${chainId}`)).slice(-2);
  const item = await readItem(ledger, newest);
  for (const key of [newest, before]) await deleteItem(ledger, key);
  ledger.now += 1;
  await ledger.newProcess().attest(caller, requestOf("another"));
  // The receipt behind it gets the left path that is right now, and keeps its code.
  const entry = await new Log(ledger.newProcess().table, chainId).newest();
  const { leftPath } = appendLeaf(entry?.leaf ?? null, bytes(item, LEAF_HASH));
  const moved = { ...item, [LEFT_PATH]: { B: Buffer.concat(leftPath) } };
  await writeItem(ledger, withCore(moved, coreIn(item)));
  const message = "a receipt does not link to the one before";
  await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "ledger_corrupt", message });
  expect((await statusOf(ledger)).setAside).toEqual([chainId]);
});

test("a chain that waited for long is sealed in several heads, which a run that dies leaves to the next", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  await attestTurns(ledger.newProcess(), caller, 4_001);
  await ledger.newProcess().seal();
  expect(await keysUnder(ledger, `sealed#${chainOf(caller)}`)).toHaveLength(2);
  expect((await ledger.check()).publishedReceipts).toBe(4_001);
});
