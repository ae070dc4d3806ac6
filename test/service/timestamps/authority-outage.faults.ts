// Every timestamp authority down for an hour, and back again: nothing fails, nothing is lost, nobody has to help.
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import {
  type ComplianceReceipt,
  complianceReceiptSchema,
} from "../../../evidence/core/formats/compliance-receipt.ts";
import { bundleEvidenceSchema, evidenceSchema } from "../../../evidence/core/formats/evidence.ts";
import { evidenceBundleSchema } from "../../../evidence/core/formats/evidence-bundle.ts";
import { verifyBundle } from "../../../evidence/core/verify/verify-bundle.ts";
import { verifyReceipt } from "../../../evidence/core/verify/verify-receipt.ts";
import { verifySeal } from "../../../evidence/core/verify/verify-seal.ts";
import { runSealer } from "../../../service/sealing/sealer.ts";
import { gatherFrom } from "../../../service/timestamps/timestamp-gathering.ts";
import { Timestamps } from "../../../service/timestamps/timestamps.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { verifierOf } from "../../support/real-tokens.ts";
import { requestOf } from "../../support/test-process.ts";
import { anchorsOf, down, TsaNetwork } from "../../support/tsa-network.ts";

const stack = await startLedgerStack();
afterAll(stack.close);
afterAll(() => void vi.useRealTimers());
// The rests of authorities are measured on it.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));

const URLS = ["http://a.test", "http://b.test"];
/** Certificates of the development authority live for twenty years, and such of 2050 and later are written otherwise. */
const START = Date.parse("2028-05-01T12:00:00Z");
const OUTAGE_MINUTES = 60;
/** The longest rest of an authority, and then twenty seals a minute. */
const RECOVERY_MINUTES = 8;

async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  ledger.now = START;
  const caller = await ledger.newTenant("tenant");
  const network = new TsaNetwork(ledger.clock);
  const identities = URLS.map(() => network.newIdentity());
  const state = { isDown: false };
  const recover = () => {
    state.isDown = false;
    for (const [i, identity] of identities.entries()) network.set(URLS[i] ?? "", network.honest(identity));
  };
  const fail = () => {
    state.isDown = true;
    for (const url of URLS) network.set(url, down);
  };
  const trustAnchors = anchorsOf(...identities);
  const options = {
    authorities: URLS,
    trustAnchors,
    clock: ledger.clock,
    onFailure: () => {},
    fetch: network.fetch,
  };
  const process = ledger.newProcess((call, send) =>
    call.name === "Stamp" && state.isDown ? Promise.reject(new Error("no answer")) : send(),
  );
  const verifySealToken = verifierOf(trustAnchors);
  const gather = gatherFrom(options, URLS.length);
  const inline = new Timestamps(options);
  const seal = () => runSealer({ ...process.sealerServices, gather, verifySealToken });
  recover();
  return { ledger, caller, process, trustAnchors, recover, fail, seal, inline, network };
}

function passMinute(ledger: Ledger): void {
  ledger.now += MINUTE;
  vi.advanceTimersByTime(MINUTE);
}

// An hour of runs takes seconds, and on a busy machine many.
test("every attestation succeeds, roots keep coming out, and all becomes included by itself", async () => {
  const { ledger, caller, process, trustAnchors, recover, fail, seal, network } = await newWorld();
  const answers: ComplianceReceipt[] = [];
  const attest = async () => void answers.push(await process.attest(caller, requestOf("call")));
  await attest();
  await seal();
  fail();
  for (let minute = 0; minute < OUTAGE_MINUTES; minute++) {
    passMinute(ledger);
    await attest();
    await seal();
  }
  expect(new Set(answers.slice(1).map(({ tsa_timestamp }) => tsa_timestamp.status))).toEqual(
    new Set(["pending"]),
  );
  const { size } = await process.roots.head();
  expect(size).toBeGreaterThanOrEqual(OUTAGE_MINUTES / 2);
  const asked = network.asked.length;
  // Each authority is asked about once in two minutes, and not by every run for every seal.
  expect(asked).toBeLessThan(URLS.length * OUTAGE_MINUTES);

  recover();
  for (let minute = 0; minute < RECOVERY_MINUTES; minute++) {
    passMinute(ledger);
    await seal();
  }
  expect(await process.seals.incomplete()).toEqual({ tokenless: [], incomplete: [] });
  const checks = answers.map(async ({ event_id }) => {
    const report = complianceReceiptSchema.parse(await process.report(caller, event_id));
    expect([report.merkle_proof.status, report.tsa_timestamp.status]).toEqual(["included", "included"]);
    const knowledge = {
      trustAnchors,
      seal: await process.roots.seal(report.merkle_proof.cross_tenant_proof?.seal_index ?? -1),
    };
    const { valid, checks } = await verifyReceipt(evidenceSchema.parse(report), knowledge);
    expect(valid).toBe(true);
    expect(checks.find(({ name }) => name === "timestamp")?.ok).toBe(true);
  });
  await Promise.all(checks);
  expect(answers).toHaveLength(OUTAGE_MINUTES + 1);
});

test("each root that was published meanwhile follows the one before, and a bundle of the hour is whole by itself", async () => {
  const { ledger, caller, process, trustAnchors, recover, fail, seal } = await newWorld();
  fail();
  for (let minute = 0; minute < 10; minute++) {
    await process.attest(caller, requestOf("call"));
    await seal();
    passMinute(ledger);
  }
  const before = await process.roots.sealText(0);
  recover();
  for (let minute = 0; minute < RECOVERY_MINUTES; minute++) {
    await seal();
    passMinute(ledger);
  }
  expect(await process.roots.sealText(0)).toBe(before);

  const bundle = evidenceBundleSchema.parse(await process.interaction(caller, "call"));
  expect(bundle.seals[0]?.tsa_timestamp.status).toBe("pending");
  const published = new Map(bundle.seals.map((sealed) => [sealed.index, sealed]));
  const { valid, checks } = await verifyBundle(bundleEvidenceSchema.parse(bundle), {
    trustAnchors,
    published,
  });
  expect(valid).toBe(true);
  const ofTokens = checks.filter(({ name }) => /^receipts.*\/timestamp$|\/additional_timestamps$/.test(name));
  expect(ofTokens.filter(({ ok }) => ok !== true)).toEqual([]);
  for (const sealed of bundle.seals.slice(1)) {
    const previous = (await process.roots.seal(sealed.index - 1)) ?? undefined;
    const { checks } = await verifySeal(sealed, { trustAnchors, ...(previous && { previous }) });
    expect(checks.slice(0, 2).map(({ ok }) => ok)).toEqual([true, true]);
  }
});

test("a call is answered while its authority is down, pending, and stamped again as soon as it rests no more", async () => {
  const { ledger, recover, fail, inline } = await newWorld();
  const subject = { root: new Uint8Array(32).fill(7), notBefore: ledger.clock().toISOString() };
  fail();
  expect(await inline.stamp(subject, 1_000)).toBeNull();
  recover();
  vi.advanceTimersByTime(8_000);
  expect(await inline.stamp(subject, 1_000)).toMatchObject({ tsa_url: URLS[0] });
});
