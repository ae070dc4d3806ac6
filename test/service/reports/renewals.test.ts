// Reports of receipts whose own token has run out, soon will, or never came: what they carry, and that it verifies.
import { afterAll, describe, expect, test } from "vitest";
import {
  type ComplianceReceipt,
  complianceReceiptSchema,
} from "../../../evidence/core/formats/compliance-receipt.ts";
import { evidenceSchema } from "../../../evidence/core/formats/evidence.ts";
import type { TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { verifyReceipt } from "../../../evidence/core/verify/verify-receipt.ts";
import { findRenewals } from "../../../service/reports/renewals.ts";
import { readReport } from "../../../service/reports/reports.ts";
import { runSealer } from "../../../service/sealing/sealer.ts";
import type { GatherTokens } from "../../../service/timestamps/ports.ts";
import { type DatedAuthority, makeAuthority } from "../../support/dated-authority.ts";
import { LEAF_HASH } from "../../support/leaf-items.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const START = Date.parse("2027-05-01T12:00:00Z");
const DAY = 24 * HOUR;
const early = makeAuthority("Early", "2028-01-01T00:00:00Z");
const late = makeAuthority("Late", "2035-01-01T00:00:00Z");
const all = [early.anchor, late.anchor];

async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  ledger.now = START;
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  /** A run with a token of each of these authorities. */
  const seal = async (authorities: readonly DatedAuthority[]) => {
    // The seal of this run alone: seals that got none are visited again.
    const asked = [...authorities];
    const gather: GatherTokens = async (root) => ({
      tokens: asked.splice(0).map((authority) => stampNow(ledger, authority, root)),
      missing: 0,
    });
    const { published } = await runSealer({
      ...process.sealerServices,
      gather,
      // The sealer of that day trusted authorities that today's reader may not.
      verifySealToken: async () => undefined,
    });
    return published[0];
  };
  const attest = async () => (await process.attest(caller, requestOf("call"))).event_id;
  const report = async (eventId: string, trustAnchors: readonly Uint8Array[] = all) => {
    const { table, macs, readLogSignatures } = process;
    const findRenewal = findRenewals({ table, trustAnchors, clock: ledger.clock });
    return complianceReceiptSchema.parse(
      await readReport({ table, macs, findRenewal, readLogSignatures }, caller, eventId),
    );
  };
  /** A seal with a token of each of these authorities, over a receipt of its own. */
  const sealOne = async (...authorities: DatedAuthority[]) => {
    const eventId = await attest();
    if (authorities.length === 0) {
      await seal([]);
      ledger.now += 2 * MINUTE;
    }
    const sealed = await seal(authorities);
    ledger.now += MINUTE;
    return { eventId, index: sealed?.index };
  };
  return { ledger, caller, sealOne, report };
}

/** In whole seconds, as the time of a token is. */
const stampNow = ({ now }: Ledger, authority: DatedAuthority, root: Uint8Array): TsaTimestamp =>
  authority.stamp(root, `${new Date(now).toISOString().slice(0, 19)}Z`);

/** What a reader with a clock finds of the timestamp. */
async function timestampCheck(report: ComplianceReceipt, { now }: Ledger, trustAnchors = all) {
  const knowledge = { trustAnchors, now: new Date(now).toISOString() };
  const { checks } = await verifyReceipt(evidenceSchema.parse(JSON.parse(JSON.stringify(report))), knowledge);
  const { ok, detail } = checks.find(({ name }) => name === "timestamp") ?? {};
  return { ok, detail };
}

describe("a report carries no renewal", () => {
  test("while its own token stands for long", async () => {
    const { ledger, sealOne, report } = await newWorld();
    const { eventId } = await sealOne(late);
    await sealOne(late);
    expect(await report(eventId)).not.toHaveProperty("renewal");
    ledger.now = Date.parse("2034-09-30T00:00:00Z");
    expect(await report(eventId)).not.toHaveProperty("renewal");
  });

  test("while no later seal has a token that stands longer", async () => {
    const { ledger, sealOne, report } = await newWorld();
    await sealOne(late);
    const { eventId } = await sealOne(early);
    await sealOne(early);
    await sealOne();
    ledger.now += 365 * DAY;
    expect(await report(eventId)).not.toHaveProperty("renewal");
  });

  test("while the tokens that stand longer have run out too", async () => {
    const { ledger, sealOne, report } = await newWorld();
    const middle = makeAuthority("Middle", "2029-01-01T00:00:00Z");
    const anchors = [early.anchor, middle.anchor];
    const { eventId } = await sealOne(early);
    await sealOne(middle);
    ledger.now = Date.parse("2028-12-31T00:00:00Z");
    expect((await report(eventId, anchors)).renewal?.seal.index).toBe(1);
    ledger.now = Date.parse("2029-01-02T00:00:00Z");
    expect(await report(eventId, anchors)).not.toHaveProperty("renewal");
  });

  test("by a seal that is not public yet", async () => {
    const { ledger, sealOne, report } = await newWorld();
    const { eventId } = await sealOne(early);
    await sealOne(late);
    ledger.now = Date.parse("2028-02-01T00:00:00Z");
    const key = (await keysUnder(ledger, "seals")).at(-1) ?? ["", ""];
    const published = await readItem(ledger, key);
    // As a run leaves it that dies between the root and the head.
    await writeItem(ledger, without(published, "published"));
    expect(await report(eventId)).not.toHaveProperty("renewal");
    await writeItem(ledger, published);
    expect((await report(eventId)).renewal?.seal.index).toBe(1);
  });

  test("while its receipt is not sealed", async () => {
    const { sealOne, ledger, caller, report } = await newWorld();
    await sealOne(late);
    const { event_id } = await ledger.newProcess().attest(caller, requestOf("call"));
    expect(await report(event_id)).not.toHaveProperty("renewal");
  });
});

describe("a report carries a seal's token that stands, and the path to it", () => {
  test("where the certificate of its own token has run out", async () => {
    const { ledger, sealOne, report } = await newWorld();
    const { eventId, index } = await sealOne(early);
    for (let i = 0; i < 3; i++) await sealOne(early);
    for (let i = 0; i < 3; i++) await sealOne(late);
    ledger.now = Date.parse("2028-02-01T00:00:00Z");
    const { renewal, ...rest } = await report(eventId);
    // The first that stands still: of all times that can be proved, the nearest to the receipt's own.
    expect([renewal?.renews, renewal?.seal.index, renewal?.between]).toEqual([index, 4, []]);
    expect(await timestampCheck({ ...rest, renewal }, ledger)).toEqual({
      ok: true,
      detail: expect.stringMatching(
        / says CN=Late,C=DE; .* says CN=Early,C=DE, whose certificate ran out at 2028-01-01/,
      ),
    });
    expect((await timestampCheck(rest, ledger)).ok).toBeNull();
  });

  test("where that is to happen within ninety days", async () => {
    const { ledger, sealOne, report } = await newWorld();
    const { eventId } = await sealOne(early);
    await sealOne(late);
    ledger.now = Date.parse("2027-10-02T00:00:00Z");
    expect(await report(eventId)).not.toHaveProperty("renewal");
    ledger.now += 2 * DAY;
    expect((await report(eventId)).renewal?.seal.index).toBe(1);
  });

  test("where its seal was published without a token that ever came", async () => {
    const { ledger, sealOne, report } = await newWorld();
    const { eventId } = await sealOne();
    expect(await report(eventId)).not.toHaveProperty("renewal");
    await sealOne(late);
    const renewed = await report(eventId);
    expect(renewed.tsa_timestamp.status).toBe("pending");
    expect(await timestampCheck(renewed, ledger)).toEqual({
      ok: true,
      detail: expect.stringContaining("says CN=Late"),
    });
  });

  test("where today's trust anchors don't know its own token any more", async () => {
    const { sealOne, report } = await newWorld();
    const { eventId } = await sealOne(early);
    await sealOne(late);
    expect((await report(eventId, [late.anchor])).renewal?.seal.index).toBe(1);
  });

  test.each([0, 1, 2, 9, 17])(
    "of the first that does, after %i that don't and before newer ones that have none yet",
    async (count) => {
      const { ledger, sealOne, report } = await newWorld();
      const { eventId } = await sealOne(early);
      for (let i = 0; i < count; i++) await sealOne(early);
      for (let i = 0; i < 4; i++) await sealOne(late);
      ledger.now = Date.parse("2028-02-01T00:00:00Z");
      await sealOne();
      const renewed = await report(eventId);
      expect(renewed.renewal?.seal.index).toBe(count + 1);
      expect((await timestampCheck(renewed, ledger)).ok).toBe(true);
    },
  );

  test("of a seal that got it after it was published", async () => {
    const { ledger, sealOne, report } = await newWorld();
    const { eventId } = await sealOne(early);
    await sealOne();
    const { seals } = ledger.newProcess();
    const record = await seals.newest();
    if (record === null) throw new Error("no seal");
    await seals.addLaterToken(record, stampNow(ledger, late, parseNode(record.tree.merkle_root)));
    ledger.now = Date.parse("2028-02-01T00:00:00Z");
    const renewed = await report(eventId);
    expect(renewed.renewal?.seal).toMatchObject({ index: 1, tsa_timestamp: { status: "pending" } });
    expect((await timestampCheck(renewed, ledger)).ok).toBe(true);
  });

  test("of the receipt's own seal, where a second authority's token outlives the first's", async () => {
    const { ledger, sealOne, report } = await newWorld();
    const { eventId, index } = await sealOne(early, late);
    ledger.now = Date.parse("2028-02-01T00:00:00Z");
    const renewed = await report(eventId);
    expect(renewed.renewal).toMatchObject({ renews: index, consistency_path: [], seal: { index } });
    expect(await timestampCheck(renewed, ledger)).toEqual({
      ok: true,
      detail: expect.stringMatching(/^the root existed at 2027-05-01.* says CN=Late/),
    });
  });
});

test("a reader who trusts the first authority alone loses nothing by a renewal while the own token stands", async () => {
  const { ledger, sealOne, report } = await newWorld();
  const { eventId } = await sealOne(early);
  await sealOne(late);
  ledger.now = Date.parse("2027-12-01T00:00:00Z");
  const renewed = await report(eventId);
  expect(renewed).toHaveProperty("renewal");
  expect((await timestampCheck(renewed, ledger, [early.anchor])).ok).toBe(true);
  ledger.now = Date.parse("2028-02-01T00:00:00Z");
  const check = await timestampCheck(renewed, ledger, [early.anchor]);
  expect(check).toMatchObject({
    ok: null,
    detail: expect.stringContaining("none of the given certificates"),
  });
});

test("a renewal that the table can't prove is an error of ours, not an answer", async () => {
  const { ledger, sealOne, report } = await newWorld();
  const { eventId } = await sealOne();
  await sealOne(late);
  const key = (await keysUnder(ledger, "chain#metachain")).at(-1) ?? ["", ""];
  const entry = await readItem(ledger, key);
  await writeItem(ledger, { ...entry, [LEAF_HASH]: { B: new Uint8Array(32) } });
  await expect(report(eventId)).rejects.toMatchObject({ code: "ledger_corrupt" });
});
