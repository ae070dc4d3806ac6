// A span of a published head that somebody deleted: no head of the chain is published under the same label again, whether the
// sealer's process knows the chain or sees it for the first time.
import { afterAll, describe, expect, test } from "vitest";
import { hashChainHead } from "../../../evidence/core/formats/metachain.ts";
import { PublishedEntries } from "../../../service/sealing/published-entries.ts";
import { cutBack } from "../../support/insider-edits.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { plantEntry, plantSpan, rootOf } from "../../support/planted.ts";
import { deleteItem, keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import {
  attest,
  chainOf,
  expectStopped,
  HEADS,
  headOf,
  newUnclaimedWorld,
  statusOf,
} from "../../support/unclaimed-world.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const MISSING = { code: "ledger_corrupt", message: "the span of a published entry is missing" };

/** Takes the newest span of a chain away. Returns how to put it back. */
async function takeNewestSpan(ledger: Ledger, chainId: string) {
  const key = (await keysUnder(ledger, `sealed#${chainId}`)).at(-1) ?? ["", ""];
  const span = await readItem(ledger, key);
  await deleteItem(ledger, key);
  return () => writeItem(ledger, span);
}

describe("a chain whose newest span was deleted is set aside by a process that sees it for the first time", () => {
  test("and sealed once the span is back, while others go on", async () => {
    const { ledger, chainId } = await newUnclaimedWorld(stack);
    const putBack = await takeNewestSpan(ledger, chainId);
    const process = ledger.newProcess();
    await expect(process.seal()).rejects.toMatchObject(MISSING);
    expect(process.counted).toMatchObject({ damagedChains: 1, sealedReceipts: 1 });
    expect(await statusOf(ledger)).toMatchObject({ setAside: [chainId], unclaimed: null });
    await putBack();
    await ledger.newProcess().seal();
    expect((await ledger.check()).publishedReceipts).toBe(2 * (HEADS + 1));
  });

  test("where it has no receipt that is new", async () => {
    const { ledger, chainId } = await newUnclaimedWorld(stack);
    await ledger.newProcess().seal();
    ledger.now += 60 * MINUTE;
    await takeNewestSpan(ledger, chainId);
    await expect(ledger.newProcess().seal()).rejects.toMatchObject(MISSING);
  });

  test("where that was its only one", async () => {
    const ledger = await stack.newLedger();
    const caller = await ledger.newTenant("tenant");
    await attest(ledger, caller);
    await ledger.newProcess().seal();
    await takeNewestSpan(ledger, chainOf(caller));
    await expect(ledger.newProcess().seal()).rejects.toMatchObject(MISSING);
  });
});

describe("where the receipts under its newest head were deleted with the span", () => {
  async function newRolledBack(heads: number) {
    const ledger = await stack.newLedger();
    const caller = await ledger.newTenant("tenant");
    const chainId = chainOf(caller);
    const old = ledger.newProcess();
    for (let head = 0; head < heads; head++) {
      await attest(ledger, caller);
      await old.seal();
      ledger.now += 30 * MINUTE;
    }
    await cutBack(ledger, chainId);
    return { ledger, caller, old };
  }

  const headsOf = async (ledger: Ledger) => (await keysUnder(ledger, "chain#metachain")).length;

  test.each([1, 2, 3])("a chain of %i heads that grows again gets no other head", async (heads) => {
    for (const isOld of [true, false]) {
      const { ledger, caller, old } = await newRolledBack(heads);
      await attest(ledger, caller);
      await expect((isOld ? old : ledger.newProcess()).seal()).rejects.toMatchObject(MISSING);
      expect(await headsOf(ledger)).toBe(heads);
    }
  });

  test("it is told before the chain grows, by the second run of a process at the latest", async () => {
    const { ledger, old } = await newRolledBack(2);
    await expect(old.seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
    ledger.now += 60 * MINUTE;
    const process = ledger.newProcess();
    await process.seal().catch(() => {});
    await expect(process.seal()).rejects.toMatchObject(MISSING);
    expect((await statusOf(ledger)).setAside).toHaveLength(1);
  });

  test("a head that was planted behind is not published, and is named to the operator", async () => {
    const { ledger, caller } = await newRolledBack(2);
    await attest(ledger, caller);
    const chain_id = chainOf(caller);
    const root = await rootOf(ledger, chain_id);
    const head = headOf(chain_id, { head_index: 1, tree_size: 2, root });
    const place = await plantEntry(ledger, head);
    await plantSpan(ledger, head, { fromSize: 1, leafIndex: place });
    await expectStopped(ledger, place, chain_id);
  });

  test("an entry that can't be read is told in each run, and what is new is sealed", async () => {
    const { ledger } = await newUnclaimedWorld(stack);
    await deleteItem(ledger, (await keysUnder(ledger, "chain#metachain"))[0] ?? ["", ""]);
    for (let run = 0; run < 2; run++)
      await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
    expect((await ledger.newProcess().roots.head()).size).toBe(HEADS + 1);
  });
});

test("a chain whose entry was deleted with its span gets no other head", async () => {
  const ledger = await stack.newLedger();
  const [caller, other] = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  for (const of of [caller, other, caller, other, other]) {
    await attest(ledger, of);
    await ledger.newProcess().seal();
    ledger.now += MINUTE;
  }
  await attest(ledger, caller);
  const entries = await keysUnder(ledger, "chain#metachain");
  // The first entry after the seal that the next receipt names, and read for no proof.
  await deleteItem(ledger, entries[2] ?? ["", ""]);
  await takeNewestSpan(ledger, chainOf(caller));
  await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
  expect((await statusOf(ledger)).setAside).toEqual([chainOf(caller)]);
  expect(await keysUnder(ledger, "chain#metachain")).toHaveLength(entries.length - 1);
});

test("a true head that was planted in its place stops publication", async () => {
  const { ledger, chainId } = await newUnclaimedWorld(stack);
  await takeNewestSpan(ledger, chainId);
  const root = await rootOf(ledger, chainId);
  const head = headOf(chainId, { head_index: HEADS - 1, tree_size: HEADS + 1, root });
  const place = await plantEntry(ledger, head, 2);
  await plantSpan(ledger, head, { fromSize: HEADS - 1, leafIndex: place });
  await expectStopped(ledger, place, chainId);
  expect((await statusOf(ledger)).unclaimed).toMatchObject({ detail: MISSING.message });
});

describe("a process that knows an older head of the chain than another process has sealed", () => {
  async function newTwoProcesses() {
    const ledger = await stack.newLedger();
    const caller = await ledger.newTenant("tenant");
    const first = ledger.newProcess();
    for (const process of [first, ledger.newProcess()]) {
      await attest(ledger, caller);
      await process.seal();
      ledger.now += MINUTE;
    }
    await attest(ledger, caller);
    return { ledger, first, chainId: chainOf(caller) };
  }

  test("goes on from the table's", async () => {
    const { ledger, first } = await newTwoProcesses();
    await first.seal();
    expect((await ledger.check()).publishedReceipts).toBe(3);
  });

  test("sets the chain aside where that has its span no more", async () => {
    const { ledger, first, chainId } = await newTwoProcesses();
    await takeNewestSpan(ledger, chainId);
    await expect(first.seal()).rejects.toMatchObject(MISSING);
  });
});

describe("the published entries are read back some at a time", () => {
  const tipOf = async (ledger: Ledger) => {
    const { table, roots, seals } = ledger.newProcess();
    return { entries: new PublishedEntries(table, roots), tip: (await seals.newest())?.tree ?? null };
  };

  test("up to the first, and each is what was published", async () => {
    const { ledger, chainId } = await newUnclaimedWorld(stack);
    const { entries, tip } = await tipOf(ledger);
    const size = tip?.tree_size ?? 0;
    for (let left = size; left > 0; left--) {
      expect(entries.hasRead(left - 1)).toBe(false);
      await entries.readBack(tip, 1);
      expect(entries.hasRead(left - 1)).toBe(true);
    }
    const newest = (await keysUnder(ledger, `sealed#${chainId}`)).at(-1) ?? ["", ""];
    expect(entries.known(chainId)?.place).toBe(Number((await readItem(ledger, newest)).leaf_index?.N));
  });

  test.each([0, 2, 5])("and entry %i is not believed where it was overwritten", async (place) => {
    const { ledger } = await newUnclaimedWorld(stack);
    const key = (await keysUnder(ledger, "chain#metachain"))[place] ?? ["", ""];
    const head = headOf("0".repeat(32), { head_index: 0 });
    await writeItem(ledger, {
      ...(await readItem(ledger, key)),
      chain_id: { S: head.chain_id },
      head_index: { N: "0" },
      tree_size: { N: String(head.tree_size) },
      root: { S: head.root },
      h: { B: hashChainHead(head) },
    });
    const { entries, tip } = await tipOf(ledger);
    const readAll = async () => {
      for (let step = 0; step < (tip?.tree_size ?? 0); step++) await entries.readBack(tip, 1);
    };
    await expect(readAll()).rejects.toMatchObject({ code: "ledger_corrupt" });
    expect(entries.known(head.chain_id)).toBe(null);
  });
});
