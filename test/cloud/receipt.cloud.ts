// One receipt's way in the cloud: recorded once, sealed by schedule, timestamped by public authorities, and verified by
// strangers' means.
import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { complianceReceiptSchema } from "../../evidence/core/formats/compliance-receipt.ts";
import { attest, call, isEmulator, receipts, target } from "./target.ts";

const POLL_MS = 5_000;
/** Some seals: an authority may be slow. */
const PATIENCE_MS = 8 * 60_000;
const CALLERS = 16;

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-cloud-"));
let report: unknown;
let recorded: Record<string, unknown>;
const key = randomUUID();
const interaction = `receipt-${randomUUID()}`;

async function includedReport(eventId: string): Promise<unknown> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const answer = await (await call("GET", `/v1/attestation/${eventId}`)).json();
    if (answer.merkle_proof?.status === "included") return answer;
  }
  throw new Error("no seal came to cover the receipt");
}

beforeAll(async () => {
  recorded = await (await attest(interaction, key)).json();
  complianceReceiptSchema.parse(recorded);
  report = await includedReport(String(recorded.event_id));
});

test("a retry with the same Idempotency-Key finds the same receipt", async () => {
  const again = await (await attest(interaction, key)).json();
  expect(again.receipts).toEqual(recorded.receipts);
});

test(`${CALLERS} callers of one conversation get the turns from 1 on, each once`, async () => {
  const together = `together-${randomUUID()}`;
  const answers = await Promise.all(Array.from({ length: CALLERS }, () => attest(together)));
  const turns = await Promise.all(answers.map(async (answer) => (await answer.json()).receipts[0].turn));
  expect(turns.sort((a, b) => a - b)).toEqual(Array.from({ length: CALLERS }, (_, i) => i + 1));
});

describe("the sealed report", () => {
  test("is judged valid by the service, without a key", async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(report);
    const answer = await call("POST", "/v1/verify-inclusion", { key: null, headers, body });
    expect(await answer.json()).toMatchObject({ valid: true });
  });

  test("holds by the command line, against what is published", async () => {
    const file = join(folder, "report.json");
    writeFileSync(file, JSON.stringify(report));
    const { said, ok } = await receipts("verify", file, "--metachain", target.url, ...anchors());
    expect([ok, said]).toEqual([true, expect.anything()]);
  });
});

test("everything that is published holds by the command line's audit", async ({ skip }) => {
  if (isEmulator) skip("the emulator has no CloudFront, which alone serves the log's tiles");
  const { said, ok } = await receipts("audit", target.url, ...anchors());
  expect([ok, said]).toEqual([true, expect.anything()]);
});

/** A deployment with authorities of its own has its operator name their certificates. */
function anchors(): string[] {
  const file = process.env.CLOUD_TSA_CA;
  return file === undefined ? [] : ["--tsa-ca", file];
}
