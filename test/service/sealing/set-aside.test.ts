// What an operator may set aside of the metachain, and what a repetition finds where that was cut off.
import { afterAll, describe, expect, test } from "vitest";
import { foreseeSetAside, setAside } from "../../../service/sealing/set-aside.ts";
import type { Interceptor } from "../../support/faults.ts";
import { integer } from "../../support/items.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { plantEntry } from "../../support/planted.ts";
import { deleteItem, keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { ascending } from "../../support/trees.ts";
import {
  attest,
  expectSealedAfterSettingAside,
  expectStopped,
  HEADS,
  headOf,
  newUnclaimedWorld,
  ROOT,
  statusOf,
} from "../../support/unclaimed-world.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

describe("an operator", () => {
  test("sets aside the first unclaimed entry alone, by its place", async () => {
    const { ledger, chainId } = await newUnclaimedWorld(stack);
    const place = await plantEntry(ledger, headOf(chainId, { head_index: 7 }));
    await expectStopped(ledger, place, chainId);
    for (const other of [0, place - 1, place + 1, place + 1_000])
      await expect(setAside(ledger.newProcess(), other)).rejects.toMatchObject({ code: "invalid_request" });
    await expectStopped(ledger, place, chainId);
  });

  test("is told what would be taken back, and nothing is", async () => {
    const { ledger, chainId } = await newUnclaimedWorld(stack);
    const place = await plantEntry(ledger, headOf(chainId, { head_index: 7 }));
    await expectStopped(ledger, place, chainId);
    const foreseen = await foreseeSetAside(ledger.newProcess(), place);
    // The planted one, and those of the two honest chains behind it.
    expect(foreseen).toMatchObject({ entries: 3, spans: 2, seal: HEADS });
    await expectStopped(ledger, place, chainId);
    expect(await setAside(ledger.newProcess(), place)).toEqual(foreseen);
  });

  test("sets nothing aside where all is claimed, or where the root is public", async () => {
    const { ledger } = await newUnclaimedWorld(stack);
    const dead = ledger.newProcess((call, send) =>
      JSON.stringify(call.input).includes('"v1/metachain"') && call.name === "PutObject"
        ? Promise.reject(new Error("S3 is down"))
        : send(),
    );
    await expect(dead.seal()).rejects.toMatchObject({ code: "publication_unavailable" });
    const [entry = ["", ""]] = (await keysUnder(ledger, "chain#metachain")).slice(-1);
    const place = Number(entry[1].replace("leaf#", ""));
    await expect(setAside(ledger.newProcess(), place)).rejects.toMatchObject({ code: "invalid_request" });
    const { chain_id } = await readItem(ledger, entry);
    const [span = ["", ""]] = (await keysUnder(ledger, `sealed#${chain_id?.S}`)).slice(-1);
    await deleteItem(ledger, span);
    const refused = setAside(ledger.newProcess(), place);
    await expect(refused).rejects.toMatchObject({ code: "publication_conflict" });
  });

  test("sets aside an entry that is damaged, and one under which there is a hole", async () => {
    for (const behind of [0, 2]) {
      const { ledger, chainId } = await newUnclaimedWorld(stack);
      const place = await plantEntry(ledger, headOf(chainId, {}));
      const key = ["chain#metachain", `leaf#${String(place).padStart(16, "0")}`] as const;
      const planted = await readItem(ledger, key);
      await deleteItem(ledger, key);
      const sk = { S: `leaf#${String(place + behind).padStart(16, "0")}` };
      await writeItem(ledger, { ...planted, sk, root: { S: ROOT.replace("5a", "5b") } });
      await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
      expect((await statusOf(ledger)).unclaimed).toMatchObject({ leafIndex: place });
      await expectSealedAfterSettingAside(ledger, place, 2 * (HEADS + 1));
    }
  });
});

test("the process whose heads were set aside appends them again", async () => {
  const { ledger, chainId } = await newUnclaimedWorld(stack);
  const place = await plantEntry(ledger, headOf(chainId, { head_index: 7 }));
  const process = ledger.newProcess();
  await expect(process.seal()).rejects.toMatchObject({ code: "publication_conflict" });
  await setAside(ledger.newProcess(), place);
  await process.seal();
  expect((await ledger.check()).publishedReceipts).toBe(2 * (HEADS + 1));
});

describe("where setting aside dies", () => {
  /** Three entries, two spans, the progress and the seal: a deletion each. */
  const DELETIONS = 7;
  const deaths = ascending(DELETIONS, (i) => i + 1).flatMap((n): [number, "before" | "after"][] => [
    [n, "before"],
    [n, "after"],
  ]);

  test.each(deaths)("at deletion %i, %s it was carried out, a repetition goes on", async (n, when) => {
    const { ledger, chainId } = await newUnclaimedWorld(stack);
    const place = await plantEntry(ledger, headOf(chainId, { head_index: 7 }));
    await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "publication_conflict" });
    let deletions = 0;
    const dying = ledger.newProcess(async (call, send) => {
      if (call.name === "TransactWriteItems") deletions++;
      if (deletions < n) return send();
      if (deletions === n && when === "after") await send();
      throw Object.assign(new Error("it died"), { name: "AccessDeniedException" });
    });
    await expect(setAside(dying, place)).rejects.toMatchObject({ code: "ledger_unavailable" });
    await ledger
      .newProcess()
      .seal()
      .catch(() => {});
    const { unclaimed } = await statusOf(ledger);
    if (unclaimed !== null) await setAside(ledger.newProcess(), place);
    await ledger.newProcess().seal();
    expect((await ledger.check()).publishedReceipts).toBe(2 * (HEADS + 1));
  });
});

test("a chain has no hole in its spans at any moment, though several of them are set aside", async () => {
  const { ledger, caller, chainId } = await newUnclaimedWorld(stack);
  const place = await plantEntry(ledger, headOf(chainId, { head_index: 7 }));
  const uncommitted: Interceptor = (call, send) =>
    JSON.stringify(call.input).includes('"merkle_root') ? Promise.reject(new Error("it died")) : send();
  for (let head = 0; head < 2; head++) {
    await ledger
      .newProcess(uncommitted)
      .seal()
      .catch(() => {});
    await attest(ledger, caller);
  }
  await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "publication_conflict" });
  const spans = async () =>
    Promise.all((await keysUnder(ledger, `sealed#${chainId}`)).map((key) => readItem(ledger, key)));
  const seen: number[] = [];
  const process = ledger.newProcess(async (call, send) => {
    const answer = await send();
    if (call.name === "TransactWriteItems") {
      const ends = (await spans()).map((span) => [integer(span, "from_size"), integer(span, "tree_size")]);
      expect(ends.map(([from]) => from)).toEqual([0, ...ends.map(([, to]) => to)].slice(0, ends.length));
      seen.push(ends.length);
    }
    return answer;
  });
  await setAside(process, place);
  expect(new Set(seen)).toEqual(new Set([HEADS + 2, HEADS + 1, HEADS]));
});
