// What an insider writes into the seals of the table: none of it is published, and the alarm says so.
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, expect, test } from "vitest";
import { HEAD_PATH, rootPath } from "../../../contract/metachain-paths.ts";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import type { Item } from "../../support/items.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { REAL_START, realTokens } from "../../support/real-tokens.ts";
import { keysUnder, publicly, readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf, type TestProcessOptions } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Two published seals, and a receipt that waits. */
async function newWorld(options: TestProcessOptions = {}, now?: number) {
  const ledger = await stack.newLedger();
  ledger.now = now ?? ledger.now;
  const caller = await ledger.newTenant("tenant");
  const attest = () => ledger.newProcess(undefined, options).attest(caller, requestOf("call"));
  for (let seal = 0; seal < 2; seal++) {
    await attest();
    await ledger.newProcess(undefined, options).seal();
    ledger.now += MINUTE;
  }
  await attest();
  return { ledger, attest };
}

async function readObject({ clients, name }: Ledger, Key: string): Promise<string | null> {
  const asked = clients.s3.send(new GetObjectCommand({ Bucket: name, Key }));
  return asked.then(
    ({ Body }) => Body?.transformToString() ?? null,
    () => null,
  );
}

async function newestSeal(ledger: Ledger): Promise<Item> {
  return readItem(ledger, (await keysUnder(ledger, "seals")).at(-1) ?? ["", ""]);
}

/** The item with other members in its tree and its text. */
const changed = (item: Item, members: Partial<Seal>): Item => {
  const edit = (text = "{}") => ({ S: JSON.stringify({ ...JSON.parse(text), ...members }) });
  return { ...item, tree: edit(item.tree?.S), ...(item.text && { text: edit(item.text.S) }) };
};

/** The seal that the newest would be followed by, if somebody put it there. */
const successor = (item: Item, members: Partial<Seal>): Item => {
  const { index, tree_size, merkle_root } = JSON.parse(item.tree?.S ?? "{}") as Seal;
  const following = { index: index + 1, previous_root: merkle_root, previous_tree_size: tree_size };
  const sk = `from#${String(tree_size).padStart(16, "0")}`;
  const next = changed(item, { ...following, tree_size: tree_size + 1, consistency_path: [], ...members });
  return without({ ...next, sk: { S: sk } }, "published");
};

const ROOT = `0x${"5a".repeat(32)}`;
const AAAA = {
  status: "included",
  timestamp_token: "AAAA",
  tsa_url: "https://x.test",
  covers: "merkle_root",
} as const;

const forgeries: [string, (newest: Item) => Item][] = [
  [
    "is put in with a made-up root and token",
    (item) => successor(item, { merkle_root: ROOT, tsa_timestamp: AAAA }),
  ],
  ["is put in without its tokens", (item) => without(successor(item, { merkle_root: ROOT }), "text")],
  ["is put in with a million leaves", (item) => without(successor(item, { tree_size: 1_000_000 }), "text")],
  [
    "is put in with a million leaves, as published",
    (item) => ({ ...successor(item, { tree_size: 1_000_000 }), published: { BOOL: true } }),
  ],
  ["jumps to another index", (item) => changed(item, { index: 1000 })],
  ["is dated to 2099", (item) => changed(item, { sealed_at: "2099-01-01T00:00:00.000Z" })],
  ["says another number of receipts", (item) => changed(item, { receipt_count: 7 })],
];

test.each(forgeries)("where a seal %s, nothing is published, and every run says so", async (_, forge) => {
  const { ledger, attest } = await newWorld();
  const head = await readObject(ledger, HEAD_PATH);
  const honest = await newestSeal(ledger);
  const forged = forge(honest);
  await writeItem(ledger, forged);
  for (let run = 0; run < 3; run++) {
    ledger.now += HOUR;
    await attest();
    const process = ledger.newProcess();
    await expect(process.seal()).rejects.toMatchObject({ code: "publication_conflict" });
    expect(process.counted.publicationConflicts).toBe(1);
    // What waits behind the forgery is not forgotten.
    expect(process.counted.sealLag).toBeGreaterThan(run * 3600);
    expect(process.calls.steps.filter(({ name }) => name === "PutObject")).toEqual([]);
  }
  expect(await readObject(ledger, HEAD_PATH)).toBe(head);
  expect(await readObject(ledger, rootPath(2))).toBeNull();
});

test("once the forged seal is put right, the sealer goes on where it was", async () => {
  const { ledger } = await newWorld();
  const honest = await newestSeal(ledger);
  await writeItem(ledger, changed(honest, { index: 1000, sealed_at: "2099-01-01T00:00:00.000Z" }));
  await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "publication_conflict" });
  await writeItem(ledger, honest);
  const { published } = await ledger.newProcess().seal();
  expect(published).toMatchObject([{ index: 2, sealed_at: ledger.clock().toISOString() }]);
  await ledger.check();
});

test("a table that meets another bucket, with nothing in it, publishes nothing there", async () => {
  const { ledger } = await newWorld();
  const process = ledger.newProcess(publicly(null, HEAD_PATH, rootPath(0), rootPath(1)));
  await expect(process.seal()).rejects.toMatchObject({ code: "publication_conflict" });
  expect(process.calls.steps.filter(({ name }) => name === "PutObject")).toEqual([]);
});

test("an empty table that meets a bucket with roots publishes nothing there", async () => {
  const [{ ledger }, empty] = [await newWorld(), await stack.newLedger()];
  const head = (await readObject(ledger, HEAD_PATH)) ?? "";
  const caller = await empty.newTenant("tenant");
  await empty.newProcess().attest(caller, requestOf("call"));
  await empty.newProcess().seal();
  const process = empty.newProcess(publicly(head, HEAD_PATH));
  await expect(process.seal()).rejects.toMatchObject({ code: "publication_conflict" });
});

/** A committed seal with tokens, which a run was about to publish and did not. */
async function newWaitingSeal() {
  const time = { now: REAL_START };
  const { optionsBy } = realTokens(() => new Date(time.now));
  const options = optionsBy(() => new Date(time.now));
  const { ledger } = await newWorld(options, REAL_START);
  time.now = ledger.now;
  const dead = ledger.newProcess(
    (call, send) => (call.name === "PutObject" ? Promise.reject(new Error("S3 is down")) : send()),
    options,
  );
  await expect(dead.seal()).rejects.toMatchObject({ code: "publication_unavailable" });
  return { ledger, options, waiting: await newestSeal(ledger) };
}

const editText = (item: Item, edit: (seal: Seal) => Partial<Seal>): Item => {
  const seal = JSON.parse(item.text?.S ?? "{}") as Seal;
  return { ...item, text: { S: JSON.stringify({ ...seal, ...edit(seal) }) } };
};

const lateBy = ({ sealed_at }: Seal, minutes: number): string =>
  new Date(Date.parse(sealed_at) + minutes * MINUTE).toISOString();

test("a seal that waited is published with its real tokens", async () => {
  const { ledger, options, waiting } = await newWaitingSeal();
  const { published } = await ledger.newProcess(undefined, options).seal();
  expect(published).toEqual([JSON.parse(waiting.text?.S ?? "")]);
});

test.each<[string, (waiting: Item, first: Seal) => Item]>([
  ["covers another root", (item, first) => editText(item, () => ({ tsa_timestamp: first.tsa_timestamp }))],
  [
    "is no token",
    (item) => editText(item, ({ tsa_timestamp }) => ({ additional_timestamps: [tsa_timestamp, AAAA] })),
  ],
  [
    "is older than what it covers",
    (item) => changed(item, { sealed_at: lateBy(JSON.parse(item.tree?.S ?? "{}"), 6) }),
  ],
])("a seal that waited is not published with a token that %s", async (_, forge) => {
  const { ledger, options, waiting } = await newWaitingSeal();
  const first = JSON.parse((await readObject(ledger, rootPath(0))) ?? "") as Seal;
  await writeItem(ledger, forge(waiting, first));
  ledger.now += 10 * MINUTE;
  const run = ledger.newProcess(undefined, { ...options, clock: ledger.clock }).seal();
  await expect(run).rejects.toMatchObject({ code: "publication_conflict" });
  expect(await readObject(ledger, rootPath(2))).toBeNull();
});
