// Damage to stored items shows as `ledger_corrupt`, and to the oracle; it never becomes a false receipt or root.
import { afterAll, describe, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { readChainPage } from "../../service/reports/chain-history.ts";
import { conversationPartition } from "../../service/table/keys.ts";
import { outcomeOf } from "../support/deaths.ts";
import type { Item } from "../support/items.ts";
import { CORE, KEY_ID, LEAF_HASH, LEFT_PATH, SIGNATURE } from "../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../support/ledger-stack.ts";
import { damagesOf, deleteItem, keysUnder, readItem, writeItem } from "../support/tamper.ts";
import { requestOf, type TestProcess } from "../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const SEALED = 2;
const UNSEALED = 1;

const bodyOf = (i: number) => requestOf("call", { agent_identity: `agent/${i}` });

/** A chain that is sealed up to a part of it, beside another tenant's in the metachain. */
async function newWorld() {
  const ledger = await stack.newLedger();
  const [caller, other] = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  const process = ledger.newProcess();
  const events: { of: TestCaller; eventId: string }[] = [];
  const add = (of: TestCaller, { event_id }: ComplianceReceipt) => events.push({ of, eventId: event_id });
  for (let i = 0; i < SEALED + UNSEALED; i++) {
    if (i === SEALED) {
      add(other, await process.attest(other, requestOf("call")));
      await process.seal();
      ledger.now += MINUTE;
    }
    add(caller, await process.attest(caller, bodyOf(i), `key-${i}`));
  }
  return { ledger, caller, other, events };
}

/** What a replay must find again; its token, like any, is a new one. */
async function replay(process: TestProcess, caller: TestCaller, i: number) {
  const { receipts, merkle_proof } = await process.attest(caller, bodyOf(i), `key-${i}`);
  return { receipts, merkle_proof };
}

const leavesOf = ({ chainIds }: TestCaller): string => `chain#${chainIds[0]}`;
const LEAF = [LEAF_HASH, LEFT_PATH];

interface Damage {
  readonly title: string;
  readonly damaged: Item;
  readonly whole: Item;
}

const isUnsealed = ({ title }: Damage): boolean => title.endsWith(String(SEALED).padStart(16, "0"));

/** Each attribute of each item under `prefix`, in every way of damagesOf. */
async function damagesUnder(ledger: Ledger, prefix: string, names: readonly string[]): Promise<Damage[]> {
  const keys = await keysUnder(ledger, prefix);
  const all = keys.map(async (key) => {
    const whole = await readItem(ledger, key);
    return names.flatMap((name) =>
      damagesOf(whole, name).map(({ how, item }) => ({
        title: `${name} ${how} in ${key.join(" ")}`,
        damaged: item,
        whole,
      })),
    );
  });
  return (await Promise.all(all)).flat();
}

/** Nothing in a table can vouch for a token: that is for whoever has the authority's certificate. */
function isInToken({ tree, text }: Item): boolean {
  const { additional_timestamps: _, tsa_timestamp: _token, ...rest } = readJson(text?.S) ?? {};
  return JSON.stringify(rest) === tree?.S;
}

function readJson(text = ""): Record<string, unknown> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The answer, or the code of what was thrown. */
async function answerOrCode<T>(call: Promise<T>): Promise<T | string> {
  const outcome = await outcomeOf(call);
  return outcome.kind === "answered" ? outcome.answer : outcome.kind === "refused" ? outcome.error.code : "";
}

/** Whatever is damaged, each answer is the true one or `ledger_corrupt`, and one at least is the latter. */
async function expectTruth(ledger: Ledger, damages: readonly Damage[], readAll: () => Promise<unknown>[]) {
  const truth = await Promise.all(readAll().map(answerOrCode));
  expect(truth).not.toContain("ledger_corrupt");
  for (const { title, damaged, whole } of damages) {
    await writeItem(ledger, damaged);
    const answers = await Promise.all(readAll().map(answerOrCode));
    expect(answers, title).toContain("ledger_corrupt");
    for (const [i, answer] of answers.entries()) {
      if (answer !== "ledger_corrupt") expect(answer, title).toEqual(truth[i]);
    }
    await expect(ledger.check(), title).rejects.toThrow();
    await writeItem(ledger, whole);
  }
  await ledger.check();
}

test("a report over a damaged item is the true one or an error of ours", async () => {
  const { ledger, caller, events } = await newWorld();
  const process = ledger.newProcess();
  const damages = [
    ...(await damagesUnder(ledger, leavesOf(caller), [...LEAF, CORE])),
    // The proof of a sealed receipt says all that its code says.
    ...(await damagesUnder(ledger, leavesOf(caller), [SIGNATURE])).filter(isUnsealed),
    ...(await damagesUnder(ledger, leavesOf(caller), [KEY_ID])),
    ...(await damagesUnder(ledger, "chain#metachain", [...LEAF, "chain_id", "tree_size", "root"])),
    ...(await damagesUnder(ledger, "seals", ["tree", "text"])).filter(({ damaged }) => !isInToken(damaged)),
  ];
  expect(damages.length).toBeGreaterThan(70);
  const heads = ["first", "newest"] as const;
  await expectTruth(ledger, damages, () =>
    events.flatMap(({ of, eventId }) => heads.map((head) => process.report(of, eventId, head))),
  );
});

test("a span that leads to another chain's entry is an error of ours", async () => {
  const { ledger, caller, other, events } = await newWorld();
  const [mine, others] = await Promise.all(
    [caller, other].map(async ({ chainIds }) => {
      const [key] = await keysUnder(ledger, `sealed#${chainIds[0]}`);
      return readItem(ledger, key ?? ["", ""]);
    }),
  );
  await writeItem(ledger, { ...mine, leaf_index: others?.leaf_index ?? { N: "" } });
  const report = ledger.newProcess().report(caller, events[0]?.eventId ?? "");
  await expect(report).rejects.toMatchObject({ code: "ledger_corrupt" });
});

describe("a receipt that is public is never told as pending, where somebody", () => {
  type Keys = Readonly<Record<"spans" | "seals", readonly (readonly [pk: string, sk: string])[]>>;
  const edit = async (ledger: Ledger, key: Keys["spans"][number] | undefined, change: Item) =>
    writeItem(ledger, { ...(await readItem(ledger, key ?? ["", ""])), ...change });
  const deeds: Readonly<Record<string, (ledger: Ledger, keys: Keys) => Promise<void>>> = {
    "deleted its span": (ledger, { spans: [span = ["", ""]] }) => deleteItem(ledger, span),
    "said that its span begins elsewhere": (ledger, { spans: [span] }) =>
      edit(ledger, span, { from_size: { N: "1" } }),
    "said that its span has nothing": (ledger, { spans: [span] }) =>
      edit(ledger, span, { tree_size: { N: "0" } }),
    "deleted its seal": (ledger, { seals: [seal = ["", ""]] }) => deleteItem(ledger, seal),
    "said that its seal is not published": (ledger, { seals: [seal] }) =>
      edit(ledger, seal, { published: { BOOL: false } }),
    "put a later seal in the place of its seal": async (ledger, { seals: [seal, later] }) =>
      edit(ledger, later, { sk: { S: seal?.[1] ?? "" } }),
  };
  test.each(Object.keys(deeds))("%s", async (name) => {
    const { ledger, caller, events } = await newWorld();
    await ledger.newProcess().seal();
    const [spans, seals] = await Promise.all(
      [`sealed#${caller.chainIds[0]}`, "seals"].map((prefix) => keysUnder(ledger, prefix)),
    );
    await deeds[name]?.(ledger, { spans: spans ?? [], seals: seals ?? [] });
    const process = ledger.newProcess();
    for (const ask of [
      () => process.report(caller, events[0]?.eventId ?? ""),
      () => process.interaction(caller, "call"),
      () => readChainPage(process.table, caller, caller.chainIds[0] ?? "", 0),
    ])
      await expect(ask(), name).rejects.toMatchObject({ code: "ledger_corrupt" });
  });
});

test("a bundle over a damaged turn is the true one or an error of ours", async () => {
  const { ledger, caller } = await newWorld();
  const process = ledger.newProcess();
  const names = ["turn", "chain_id", "leaf_index", "leaf_hash", "request"];
  const damages = await damagesUnder(ledger, conversationPartition(caller.tenantId, "call"), names);
  // A request that is gone is no damage but erased.
  const notErased = damages.filter(({ damaged }) => damaged.request !== undefined);
  await expectTruth(ledger, notErased, () => [process.interaction(caller, "call")]);
});

test("a bundle with a turn that is gone is an error of ours", async () => {
  const { ledger, caller } = await newWorld();
  const turns = await keysUnder(ledger, conversationPartition(caller.tenantId, "call"));
  await deleteItem(ledger, turns[1] ?? ["", ""]);
  const bundle = ledger.newProcess().interaction(caller, "call");
  await expect(bundle).rejects.toMatchObject({ code: "ledger_corrupt" });
});

test("a bundle with one turn in the place of another is an error of ours", async () => {
  const { ledger, caller } = await newWorld();
  const keys = await keysUnder(ledger, conversationPartition(caller.tenantId, "call"));
  const [first, second] = await Promise.all(keys.map((key) => readItem(ledger, key)));
  await writeItem(ledger, { ...second, sk: { S: keys[0]?.[1] ?? "" }, turn: first?.turn ?? { N: "" } });
  const bundle = ledger.newProcess().interaction(caller, "call");
  await expect(bundle).rejects.toMatchObject({ code: "ledger_corrupt" });
});

test("a leaf under another key is an error of ours, and nothing is built on it", async () => {
  const { ledger, caller } = await newWorld();
  const leaves = await keysUnder(ledger, leavesOf(caller));
  const [pk, sk] = leaves.at(-1) ?? ["", ""];
  const whole = await readItem(ledger, [pk, sk]);
  await deleteItem(ledger, [pk, sk]);
  for (const key of ["leaf#0000000000000099", "leaf#~"]) {
    await writeItem(ledger, { ...whole, sk: { S: key } });
    const process = ledger.newProcess();
    for (const call of [process.attest(caller, requestOf("call")), process.seal()]) {
      await expect(call).rejects.toMatchObject({ code: "ledger_corrupt" });
    }
    await deleteItem(ledger, [pk, key]);
  }
  await writeItem(ledger, whole);
  await ledger.check();
  expect(await keysUnder(ledger, leavesOf(caller))).toEqual(leaves);
});

test("an event whose leaf is gone is an error of ours, not an event that never was", async () => {
  const { ledger, caller, events } = await newWorld();
  const leaves = await keysUnder(ledger, leavesOf(caller));
  // Newer leaves that follow each other say nothing of the first; the newest does not follow the one before it.
  for (const sequence of [0, 1]) {
    await deleteItem(ledger, leaves[sequence] ?? ["", ""]);
    const report = ledger.newProcess().report(caller, events[sequence]?.eventId ?? "");
    await expect(report).rejects.toMatchObject({ code: "ledger_corrupt" });
  }
});

test("a replay over a damaged item is the true receipt or an error of ours", async () => {
  const { ledger, caller } = await newWorld();
  const replays = () => {
    const process = ledger.newProcess();
    return [1, 2].map((i) => replay(process, caller, i));
  };
  const damages = await damagesUnder(ledger, leavesOf(caller), [...LEAF, CORE, SIGNATURE]);
  const ofReplayed = damages.filter(({ title }) => /leaf#0+[12]$/.test(title));
  await expectTruth(ledger, ofReplayed, replays);
});

test("a replay whose record leads to another receipt is an error of ours", async () => {
  const { ledger, caller } = await newWorld();
  const records = await damagesUnder(ledger, "idempotency#", ["chain_id", "leaf_index"]);
  const replays = () => {
    const process = ledger.newProcess();
    return [0, 1, 2].map((i) => replay(process, caller, i));
  };
  await expectTruth(ledger, records, replays);
});

test("no receipt is written after a damaged one, and none is lost once it is repaired", async () => {
  const { ledger, caller } = await newWorld();
  const damages = [
    ...(await damagesUnder(ledger, leavesOf(caller), LEAF)).filter(({ title }) => /#0+2$/.test(title)),
    ...(await damagesUnder(ledger, conversationPartition(caller.tenantId, "call"), ["turn"])).slice(-2),
  ];
  const before = (await ledger.check()).receipts;
  for (const { title, damaged, whole } of damages) {
    await writeItem(ledger, damaged);
    const attest = ledger.newProcess().attest(caller, requestOf("call"));
    await expect(attest, title).rejects.toMatchObject({ code: "ledger_corrupt" });
    await writeItem(ledger, whole);
  }
  expect((await ledger.check()).receipts).toBe(before);
  await ledger.newProcess().attest(caller, requestOf("call"));
  expect((await ledger.check()).receipts).toBe(before + 1);
});

test("a damaged chain fails the sealer's run, but keeps no other chain from being sealed", async () => {
  const { ledger, caller, other } = await newWorld();
  await ledger.newProcess().attest(other, requestOf("other-call"));
  const newest = (await keysUnder(ledger, leavesOf(caller))).at(-1) ?? ["", ""];
  const whole = await readItem(ledger, newest);
  const [{ item } = { item: whole }] = damagesOf(whole, LEFT_PATH);
  await writeItem(ledger, item);
  for (let run = 0; run < 30; run++) {
    await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
    ledger.now += MINUTE;
  }
  await writeItem(ledger, whole);
  const { seals, receipts, publishedReceipts } = await ledger.check();
  expect([seals.length, publishedReceipts]).toEqual([2, receipts - UNSEALED]);
  await ledger.newProcess().seal();
  expect((await ledger.check()).publishedReceipts).toBe(receipts);
});

test("no root is published that does not follow from the last one", async () => {
  const { ledger, caller } = await newWorld();
  const damages = [
    ...(await damagesUnder(ledger, "chain#metachain", LEAF)).filter(({ title }) => /#0+1$/.test(title)),
    ...(await damagesUnder(ledger, "seals", ["tree"])),
  ];
  expect(damages.length).toBeGreaterThan(5);
  for (const { title, damaged, whole } of damages) {
    await writeItem(ledger, damaged);
    const run = ledger.newProcess().seal();
    await expect(run, title).rejects.toMatchObject({ code: "ledger_corrupt" });
    await writeItem(ledger, whole);
  }
  await ledger.newProcess().attest(caller, requestOf("call"));
  await ledger.newProcess().seal();
  const { receipts, publishedReceipts } = await ledger.check();
  expect(publishedReceipts).toBe(receipts);
});
