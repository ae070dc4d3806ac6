// The ledger verified from inside: an honest one holds, also while it grows, and each kind of damage is found and named.
import { afterAll, describe, expect, test } from "vitest";
import { HEAD_PATH, rootPath, timestampPath } from "../../../contract/metachain-paths.ts";
import { layerPath } from "../../../contract/policy-paths.ts";
import { formatEventId } from "../../../evidence/core/formats/event-id.ts";
import { hashOutput, hashReceiptCore, type ReceiptCore } from "../../../evidence/core/formats/receipt.ts";
import { type AuditScope, LedgerAudit, type LedgerTally } from "../../../service/audit/ledger-audit.ts";
import { encodeKeyId } from "../../../service/ledger/leaf-codec.ts";
import type { SealedTree } from "../../../service/seals/seal-item.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { type Interceptor, outage } from "../../support/faults.ts";
import type { Item } from "../../support/items.ts";
import { bytes } from "../../support/items.ts";
import { CORE, coreIn, KEY_ID, LEAF_HASH, LEFT_PATH, SIGNATURE, withCore } from "../../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { damagesOf, deleteItem, keysUnder, publicly, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";
import { dayKeyOf, macOf } from "../../support/whole-chain.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const EVERYTHING: AuditScope = { tenantId: null, chainId: null };

async function audit(
  ledger: Ledger,
  scope = EVERYTHING,
  intercept?: Interceptor,
): Promise<LedgerTally & { visited: number }> {
  const { table, roots, macs } = ledger.newProcess(intercept);
  const registry = new TenantRegistry(table, ledger.clock);
  const services = { table, roots, macs };
  const run = await LedgerAudit.begin(services, registry, scope);
  let visited = 0;
  const tally = await run.run((count) => {
    visited += count;
  });
  expect(visited).toBe(run.leaves);
  return { ...tally, visited };
}

/** Two tenants, one of them with two chains; two seals, and receipts that wait for the next. */
async function newWorld(calls = 6) {
  const ledger = await stack.newLedger();
  const [one, two] = [await ledger.newTenant("one", 2), await ledger.newTenant("two")];
  const process = ledger.newProcess();
  for (let round = 0; round < 3; round++) {
    const ids = Array.from({ length: calls }, (_, i) => `call-${round}-${i}`);
    await Promise.all(ids.flatMap((id) => [one, two].map((caller) => process.attest(caller, requestOf(id)))));
    if (round < 2) await process.seal();
    ledger.now += MINUTE;
  }
  return { ledger, one, two, process };
}

const withDetail = <T extends { readonly detail: RegExp }>(fault: T) => ({
  ...fault,
  detail: expect.stringMatching(fault.detail),
});

const places = ({ faults }: LedgerTally): string[] => faults.map(({ where, index }) => `${where} ${index}`);

describe("a ledger that is whole", () => {
  test("holds, and every leaf, entry, seal and code of it was visited", async () => {
    const { ledger } = await newWorld();
    const { receipts, seals } = await ledger.check();
    const tally = await audit(ledger);
    expect(tally).toMatchObject({ faults: [], faultCount: 0, chains: 3 });
    expect(tally).toMatchObject({ receipts, macs: receipts, seals: seals.length, entries: 6 });
    expect(receipts).toBe(36);
  });

  test("holds over many pages, and while calls and seals go on", async () => {
    const { ledger, one, process } = await newWorld(90);
    let isOver = false;
    const growing = (async () => {
      for (let i = 0; !isOver; i++) {
        await Promise.all([
          process.attest(one, requestOf(`more-${i}`)),
          process.attest(one, requestOf("more")),
        ]);
        if (i % 3 === 0) await process.seal();
      }
    })();
    for (let i = 0; i < 3; i++) expect((await audit(ledger)).faults).toEqual([]);
    isOver = true;
    await growing;
    expect((await audit(ledger)).receipts).toBeGreaterThan(540);
  });

  test("holds when nothing was ever attested", async () => {
    const ledger = await stack.newLedger();
    expect(await audit(ledger)).toMatchObject({ faultCount: 0, chains: 0, seals: 0 });
    await ledger.newTenant("one");
    await ledger.newProcess().seal();
    expect(await audit(ledger)).toMatchObject({ faultCount: 0, chains: 1, seals: 0 });
  });

  test("is walked in part where that is asked for: a tenant's chains, or one", async () => {
    const { ledger, one, two } = await newWorld();
    const chainId = one.chainIds[1] ?? "";
    expect(await audit(ledger, { tenantId: "one", chainId: null })).toMatchObject({
      chains: 2,
      receipts: 18,
    });
    expect(await audit(ledger, { tenantId: null, chainId })).toMatchObject({
      chains: 1,
      entries: 6,
      faults: [],
    });
    for (const scope of [
      { tenantId: "nobody", chainId: null },
      { tenantId: null, chainId: "0".repeat(32) },
      { tenantId: "two", chainId },
    ]) {
      await expect(audit(ledger, scope)).rejects.toMatchObject({ code: "not_found" });
    }
    // Damage outside of it is not its business.
    await deleteItem(ledger, [`chain#${two.chainIds[0]}`, `leaf#${"0".repeat(16)}`]);
    expect((await audit(ledger, { tenantId: "one", chainId: null })).faults).toEqual([]);
  });
});

describe("damage", () => {
  const CHAINS = [LEAF_HASH, LEFT_PATH, CORE, SIGNATURE];
  const METACHAIN = [LEAF_HASH, LEFT_PATH, "chain_id", "tree_size", "root", "receipts_total"];
  test.each([
    ["a chain", "chain#of two", CHAINS],
    ["the metachain", "chain#metachain", METACHAIN],
    ["what was sealed of a chain", "sealed#of two", ["from_size", "tree_size", "leaf_index"]],
    ["the seals", "seals", ["tree", "text", "receipts_total"]],
  ])("to any attribute of %s is found", async (_what, prefix, names) => {
    const { ledger, two } = await newWorld(2);
    const all = await keysUnder(ledger, prefix.replace("of two", two.chainIds[0] ?? ""));
    // The first, the newest, and one in between.
    const keys = [0, Math.floor(all.length / 2), all.length - 1].flatMap((i) => all.slice(i, i + 1));
    for (const key of keys) {
      const whole = await readItem(ledger, key);
      for (const { name, how, item } of waysOf(whole, names)) {
        await writeItem(ledger, item);
        expect((await audit(ledger)).faultCount, `${name} ${how} in ${key.join(" ")}`).toBeGreaterThan(0);
      }
      await writeItem(ledger, whole);
    }
    expect((await audit(ledger)).faults).toEqual([]);
  });

  const waysOf = (whole: Item, names: readonly string[]) =>
    names.flatMap((name) => damagesOf(whole, name).map((damage) => ({ name, ...damage })));

  test("to a token that came later than its root is found", async () => {
    const { ledger, two } = await newWorld(1);
    const alone = ledger.newProcess((call, send) =>
      call.name === "Stamp" ? Promise.reject(outage()) : send(),
    );
    await alone.attest(two, requestOf("call"));
    await alone.seal();
    ledger.now += 60 * MINUTE;
    await alone.seal();
    await ledger.newProcess().seal();
    const [seal = ["", ""]] = (await keysUnder(ledger, "seals")).slice(-1);
    const whole = await readItem(ledger, seal);
    expect(whole.later?.S).toContain("timestamp_token");
    expect((await audit(ledger)).faults).toEqual([]);
    await writeItem(ledger, { ...whole, later: { S: whole.later?.S?.replace("https:", "http:") ?? "" } });
    const other = [{ where: "seals", detail: "a later token is not what is published" }];
    expect((await audit(ledger)).faults).toMatchObject(other);
    await writeItem(ledger, whole);
    const { index } = JSON.parse(whole.tree?.S ?? "") as SealedTree;
    for (const text of ["no JSON", null]) {
      const { faults } = await audit(ledger, EVERYTHING, publicly(text, timestampPath(index, 0)));
      expect(faults).toMatchObject(other);
    }
  });

  test("to what is published is found: to a root, and to the head", async () => {
    const { ledger } = await newWorld(1);
    const { faults } = await audit(ledger, EVERYTHING, publicly("no JSON", rootPath(0), HEAD_PATH));
    expect(faults).toMatchObject([
      { where: "seals", index: 0, detail: "what is published is not what was sealed" },
      { where: "seals", detail: "a published object is damaged" },
    ]);
  });

  test("to one leaf names that leaf, and the walk goes on behind it", async () => {
    const { ledger, two } = await newWorld();
    const pk = `chain#${two.chainIds[0]}`;
    const leafAt = (index: number) => readItem(ledger, [pk, `leaf#${String(index).padStart(16, "0")}`]);
    const [first, second] = [await leafAt(4), await leafAt(9)];
    const core = coreIn(first);
    const disclosure = { ...core.disclosure, jurisdiction: "NL" };
    await writeItem(ledger, withCore(first, { ...core, disclosure }));
    await writeItem(ledger, { ...second, [CORE]: { B: Buffer.concat([bytes(second, CORE), Buffer.of(0)]) } });
    const tally = await audit(ledger);
    expect(places(tally)).toEqual([`${two.chainIds[0]} 4`, `${two.chainIds[0]} 9`]);
    expect(tally.faults[0]?.detail).toContain("does not match its leaf hash");
    expect(tally.faults[1]?.detail).toContain("is not as it was stored");
    expect(tally.receipts).toBe(36);
  });

  test("that takes an item away is found, but for the newest receipts until they are sealed", async () => {
    const { ledger, one, two } = await newWorld(2);
    // Of the newest receipt nothing is anywhere but in itself.
    const newest = [...one.chainIds, ...two.chainIds].map(async (id) =>
      (await keysUnder(ledger, `chain#${id}`)).at(-1),
    );
    const unprotected = (await Promise.all(newest)).join(" ");
    for (const prefix of ["chain#", "sealed#", "seals"]) {
      for (const key of await keysUnder(ledger, prefix)) {
        const whole = await readItem(ledger, key);
        await deleteItem(ledger, key);
        const { faultCount } = await audit(ledger);
        if (!unprotected.includes(key.join())) expect(faultCount, key.join(" ")).toBeGreaterThan(0);
        await writeItem(ledger, whole);
      }
    }
    await ledger.newProcess().seal();
    for (const key of unprotected.split(" ").map((pair) => pair.split(","))) {
      const place = [key[0] ?? "", key[1] ?? ""] as const;
      const whole = await readItem(ledger, place);
      await deleteItem(ledger, place);
      expect((await audit(ledger)).faultCount, place.join(" ")).toBeGreaterThan(0);
      await writeItem(ledger, whole);
    }
    expect((await audit(ledger)).faults).toEqual([]);
  });

  test("that writes a chain anew, with every hash and code right, is found by what was sealed of it", async () => {
    const { ledger, two } = await newWorld(2);
    const [chainId = ""] = two.chainIds;
    for (const prefix of [`chain#${chainId}`, "conversation#"]) {
      for (const key of await keysUnder(ledger, prefix)) await deleteItem(ledger, key);
    }
    const forger = ledger.newProcess();
    for (let i = 0; i < 6; i++) await forger.attest(two, requestOf(`other-${i}`));
    const { faults } = await audit(ledger, { tenantId: "two", chainId: null });
    expect(faults).toEqual([
      { where: chainId, index: 1, detail: expect.stringMatching(/the root here is not that of entry \d/) },
      { where: chainId, index: 3, detail: expect.stringMatching(/the root here is not that of entry \d/) },
    ]);
  });

  const FORGED: [fault: string, count: number, (core: ReceiptCore) => Partial<ReceiptCore>][] = [
    ["the receipt is of another chain", 2, () => ({ chain_id: "f".repeat(32) })],
    ["the receipt says another sequence", 2, () => ({ sequence: 7 })],
    ["the event id names another place", 2, (core) => elsewhere(core)],
    ["the output hash is not that of the receipt", 2, ({ input_hash }) => ({ output_hash: input_hash })],
    [
      'verdict is "ALLOW" in the receipt, but the layer gives "MODIFY"',
      2,
      (core) => ({ verdict: "ALLOW", output_hash: hashOutput({ ...core, verdict: "ALLOW" }) }),
    ],
    ["the first receipt links back", 1, ({ input_hash }) => ({ previous_hash: input_hash })],
    ["the receipt does not link to the one before", 2, ({ input_hash }) => ({ previous_hash: input_hash })],
    ["the receipt is older than the one before", 2, () => ({ issued_at: "2020-01-01T00:00:00.000Z" })],
  ];
  const elsewhere = (core: ReceiptCore): Partial<ReceiptCore> => {
    const event_id = formatEventId(core.chain_id, { shard: 1, sequence: core.sequence });
    return { event_id, output_hash: hashOutput({ ...core, event_id }) };
  };
  test.each(FORGED)("to the newest receipt is found: %s, with its hash and code right", async (...forged) => {
    const [detail, count, change] = forged;
    const ledger = await stack.newLedger();
    const caller = await ledger.newTenant("one");
    for (let i = 0; i < count; i++) await ledger.newProcess().attest(caller, requestOf("call"));
    const [where = ""] = caller.chainIds;
    const key = (await keysUnder(ledger, `chain#${where}`)).at(-1) ?? ["", ""];
    const whole = await readItem(ledger, key);
    const core = coreIn(whole);
    const changed = { ...core, ...change(core) };
    const B = hashReceiptCore(changed);
    const dayKey = dayKeyOf(ledger.key.secret, changed.issued_at.slice(0, 10));
    const code = { [SIGNATURE]: { B: Buffer.from(macOf(dayKey, B), "base64") } };
    await writeItem(ledger, withCore({ ...whole, [LEAF_HASH]: { B }, ...code }, changed));
    expect((await audit(ledger)).faults).toEqual([{ where, index: count - 1, detail }]);
  });

  test("of a layer is found, in the table and where it is public, and of each receipt that names it", async () => {
    const { ledger } = await newWorld(2);
    const [key = ["", ""]] = await keysUnder(ledger, "layer#");
    const whole = await readItem(ledger, key);
    const path = layerPath(`sha256:${key[0].slice("layer#".length)}`);
    const gone = await audit(ledger, EVERYTHING, publicly(null, path));
    expect(gone.faults).toMatchObject(
      [{ where: "layers", detail: /counts as published, and is not$/ }].map(withDetail),
    );
    await writeItem(ledger, { ...whole, bytes: { B: Buffer.from("{}") } });
    const { faults, layers, receipts } = await audit(ledger);
    expect([layers, faults.length]).toEqual([1, 1 + receipts]);
    expect(faults[0]).toMatchObject(withDetail({ where: "layers", detail: /is not that of its digest$/ }));
    expect(faults[1]).toMatchObject(withDetail({ detail: /^the layer that the receipt names is missing/ }));
    await deleteItem(ledger, key);
    expect((await audit(ledger)).faultCount).toBe(1 + receipts);
    await writeItem(ledger, whole);
    expect((await audit(ledger)).faults).toEqual([]);
  });

  test("of codes is found, and so is a code under a key that is not the service's", async () => {
    const { ledger, two } = await newWorld(2);
    const [first = ["", ""], second = ["", ""]] = await keysUnder(ledger, `chain#${two.chainIds[0]}`);
    const [one, other] = [await readItem(ledger, first), await readItem(ledger, second)];
    await writeItem(ledger, { ...one, [SIGNATURE]: { B: bytes(other, SIGNATURE) } });
    await writeItem(ledger, { ...other, [KEY_ID]: { B: encodeKeyId("another", "") } });
    const tally = await audit(ledger);
    await writeItem(ledger, { ...one, [SIGNATURE]: { B: Buffer.from("no code") } });
    expect(places(await audit(ledger))).toEqual(places(tally));
    expect(tally).toMatchObject({ faultCount: 2, macs: tally.receipts });
    expect(tally.faults[0]?.detail).toMatch(/authentication code is not the receipt's/);
  });

  test("of more than can be listed is counted", async () => {
    const { ledger, two } = await newWorld(35);
    for (const key of await keysUnder(ledger, `chain#${two.chainIds[0]}`)) {
      const leaf = await readItem(ledger, key);
      await writeItem(ledger, { ...leaf, [SIGNATURE]: { B: new Uint8Array(32) } });
    }
    const { faults, faultCount } = await audit(ledger);
    expect([faults.length, faultCount]).toEqual([100, 105]);
  });
});
