// The list of a tenant's receipts: whole and without doubles over pages, chains and filters, and it writes nothing.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { type ListedReceipt, MAX_PAGE_RECEIPTS } from "../../../evidence/core/formats/receipt-list.ts";
import { readChainLeaf } from "../../../service/ledger/chain-leaf.ts";
import { removalAttribute } from "../../../service/ledger/leaf-states.ts";
import { readEntry } from "../../../service/ledger/log.ts";
import { formatCursor, parseCursor } from "../../../service/reports/list-cursor.ts";
import { listReceipts, MAX_PAGE_REQUESTS, type ReceiptQuery } from "../../../service/reports/receipt-list.ts";
import { leafKey, logPartition } from "../../../service/table/keys.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { attestTurns, requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const ALL: ReceiptQuery = { from: null, to: null, verdict: null, wording: null };
const BEGINNING = { shard: 0, sequence: 0 };
/** A wording that is approved for the requests of these tests, and one that nobody knows. */
const APPROVED = {
  id: "de-voice-introduction-1",
  digest: "sha256:cdf1a1bfb74414312dc8952df1dc4c180d454e0d19cc9267c100eb696eb71709",
};
const BUSY = 230;

let ledger: Ledger;
let caller: TestCaller;
/** All rows, as the table has them. */
let rows: { readonly issuedAt: string; readonly eventId: string }[];

beforeAll(async () => {
  ledger = await stack.newLedger({ isSigned: false });
  // Of the eight chains some stay empty, and one gets most of the receipts.
  caller = await ledger.newTenant("tenant", 8);
  const stranger = await ledger.newTenant("stranger");
  const process = ledger.newProcess();
  await process.attest(stranger, requestOf("call"));
  for (let i = 0; i < 6; i++) {
    const subject_hash = i % 2 === 0 ? APPROVED.digest : `sha256:${"5".repeat(64)}`;
    await process.attest(caller, requestOf(`call-${i % 3}`, { subject_hash }));
    ledger.now += MINUTE;
  }
  await attestTurns(process, caller, BUSY);
  rows = [];
  for (const chainId of caller.chainIds)
    for (const item of await process.table.query({ partition: logPartition(chainId) })) {
      const { issued_at: issuedAt, event_id: eventId } = readChainLeaf(readEntry(item)).core;
      rows.push({ issuedAt, eventId });
    }
});

async function listAll(query: Partial<ReceiptQuery>, table = ledger.newProcess().table) {
  const pages: ListedReceipt[][] = [];
  for (let next: typeof BEGINNING | null = BEGINNING; next !== null; ) {
    const page = await listReceipts(table, caller, { ...ALL, ...query }, next);
    expect(page.receipts.length).toBeLessThanOrEqual(MAX_PAGE_RECEIPTS);
    pages.push(page.receipts);
    ({ next } = page);
  }
  return pages;
}
const idsOf = (pages: readonly ListedReceipt[][]): string[] => pages.flat().map(({ event_id }) => event_id);

describe("the list of receipts", () => {
  test("has every receipt of the tenant once, chain by chain and by sequence, and nobody else's", async () => {
    const pages = await listAll({});
    expect(pages.length).toBeGreaterThan(2);
    expect(idsOf(pages)).toEqual(rows.map(({ eventId }) => eventId));
  });

  test("a row says what the receipt's core says", async () => {
    const [first] = (await listAll({ verdict: "ALLOW" })).flat();
    expect(first).toMatchObject({
      verdict: "ALLOW",
      wording_id: APPROVED.id,
      subject_hash: APPROVED.digest,
      modality: "voice",
      jurisdiction: "DE",
      findings: [],
    });
  });

  test("any range has exactly the receipts that were issued in it, the end left out", async () => {
    const instants = [...new Set(rows.map(({ issuedAt }) => issuedAt)), "2039-01-01T00:00:00.000Z"];
    const anInstant = fc.option(fc.constantFrom(...instants));
    await fc.assert(
      fc.asyncProperty(anInstant, anInstant, async (from, to) => {
        const expected = rows.filter(
          ({ issuedAt }) => (from === null || issuedAt >= from) && (to === null || issuedAt < to),
        );
        expect(idsOf(await listAll({ from, to }))).toEqual(expected.map(({ eventId }) => eventId));
      }),
      { numRuns: 25 },
    );
  });

  test("takes a verdict, and a wording by its id or its digest", async () => {
    const allowed = await listAll({ verdict: "ALLOW" });
    expect(idsOf(allowed)).toHaveLength(3);
    expect(await listAll({ wording: APPROVED.id })).toEqual(allowed);
    expect(await listAll({ wording: APPROVED.digest })).toEqual(allowed);
    expect(idsOf(await listAll({ verdict: "BLOCK" }))).toEqual([]);
    expect(idsOf(await listAll({ verdict: "MODIFY", wording: APPROVED.id }))).toEqual([]);
  });

  test("finds the beginning of a range in few reads, and writes nothing", async () => {
    const process = ledger.newProcess((call, send) => {
      expect(["Query", "GetItem"]).toContain(call.name);
      reads += 1;
      return send();
    });
    let reads = 0;
    const from =
      rows
        .map(({ issuedAt }) => issuedAt)
        .sort()
        .at(-1) ?? "";
    expect(idsOf(await listAll({ from }, process.table)).length).toBeGreaterThan(0);
    // Eight for the newest leaves, and log2 of 232 for the one chain that has any of the range, and its pages.
    expect(reads).toBeLessThan(8 + 8 + 4 + 4);
  });

  test("a page makes a bounded number of requests, and the next one goes on behind it", async () => {
    const many = await ledger.newTenant("many", MAX_PAGE_REQUESTS + 50);
    const from = new Date(ledger.now - MINUTE).toISOString();
    const { table } = ledger.newProcess();
    const first = await listReceipts(table, many, { ...ALL, from }, BEGINNING);
    expect(first).toEqual({ receipts: [], next: { shard: MAX_PAGE_REQUESTS, sequence: 0 } });
    const second = await listReceipts(table, many, { ...ALL, from }, first.next ?? BEGINNING);
    expect(second).toEqual({ receipts: [], next: null });
  });

  test("leaves out what retention removed, and none of the older receipts that it left", async () => {
    const kept = await stack.newLedger({ isSigned: false });
    const owner = await kept.newTenant("tenant");
    const { table } = kept.newProcess();
    for (let i = 0; i < 12; i++) {
      await kept.newProcess().attest(owner, requestOf(`call-${i}`));
      kept.now += 24 * 60 * MINUTE;
    }
    const [chainId = ""] = owner.chainIds;
    const receipts = (await listReceipts(table, owner, ALL, BEGINNING)).receipts;
    // Receipts 3 to 8 are removed; 0 to 2 and the newest ones are left. The bound of the removal lies behind all.
    for (let i = 3; i <= 8; i++) {
      const { c: _core, ...rest } = (await table.get(leafKey(chainId, i))) ?? expect.unreachable();
      await table.put({
        ...rest,
        ...removalAttribute({ removed_at: "2040-09-05T00:00:00.000Z", months: 3 }),
      });
    }
    for (const first of [0, 1, 2, 4, 9, 11]) {
      const from = receipts[first]?.issued_at ?? "";
      const left = receipts.filter((_, i) => i >= first && (i < 3 || i > 8));
      expect((await listReceipts(table, owner, { ...ALL, from }, BEGINNING)).receipts).toEqual(left);
    }
    const later = { ...ALL, from: "2040-06-01T00:00:00.000Z" };
    expect((await listReceipts(table, owner, later, BEGINNING)).receipts).toEqual([]);
  });

  test("a leaf that is lost, or is not what was hashed, is an error of ours and no shorter list", async () => {
    const { table } = ledger.newProcess();
    const chainId = await busyChain(table);
    const item = (await table.get(leafKey(chainId, 20))) ?? expect.unreachable();
    const other = (await table.get(leafKey(chainId, 21))) ?? expect.unreachable();
    await table.put({ ...item, c: other.c ?? expect.unreachable() });
    await expect(listAll({})).rejects.toMatchObject({ code: "ledger_corrupt" });
    await table.put(item);
    const holed = Object.assign(Object.create(table), {
      query: async (query: Parameters<typeof table.query>[0]) =>
        (await table.query(query)).filter(({ pk, sk }) => pk?.S !== item.pk?.S || sk?.S !== item.sk?.S),
    });
    await expect(listAll({}, holed)).rejects.toMatchObject({ code: "ledger_corrupt" });
  });

  async function busyChain(table: ReturnType<Ledger["newProcess"]>["table"]): Promise<string> {
    for (const chainId of caller.chainIds)
      if ((await table.query({ partition: logPartition(chainId) })).length >= BUSY) return chainId;
    return expect.unreachable();
  }
});

describe("a cursor", () => {
  const place = { shard: 4_095, sequence: 2 ** 48 - 1 };

  test("leads back to its place, under the query that it came from", () => {
    fc.assert(
      fc.property(fc.nat(4_095), fc.nat(2 ** 31), (shard, sequence) => {
        expect(parseCursor(formatCursor({ shard, sequence }, ALL), { ...ALL })).toEqual({ shard, sequence });
      }),
    );
    expect(parseCursor(formatCursor(place, ALL), ALL)).toEqual(place);
  });

  test.each([
    ["another query's", formatCursor(place, { ...ALL, verdict: "ALLOW" })],
    ["cut", formatCursor(place, ALL).slice(0, -1)],
    ["longer", `${formatCursor(place, ALL)}A`],
    ["empty", ""],
    ["of a shard that no tenant has", `//8${formatCursor(place, ALL).slice(3)}`],
    ["of a shard beyond all", `__8${formatCursor(place, ALL).slice(3)}`],
  ])("that is %s is refused", (_, cursor) => {
    expect(() => parseCursor(cursor, ALL)).toThrow(DisclosureError);
    try {
      parseCursor(cursor, ALL);
    } catch (error) {
      expect(error).toMatchObject({
        code: "invalid_request",
        evidence: { errors: [{ pointer: "#/cursor" }] },
      });
    }
  });
});
