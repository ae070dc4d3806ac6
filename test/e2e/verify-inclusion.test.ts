// POST /v1/verify-inclusion: a receipt as it was received, or any part of it that holds the proof, needs no key to be
// checked; what does not hold is an answer, what can't be read is a problem.
import { beforeAll, describe, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { type ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { startTarget } from "../support/target.ts";

let api: ApiClient;
let first: ComplianceReceipt;
let report: ComplianceReceipt;

beforeAll(async () => {
  ({ api } = await startTarget());
  first = await api.attest(disclosure());
  // Two leaves, so that the proof has a path, and a verdict of MODIFY.
  const second = await api.attest(disclosure({ disclosure_method: "carrier_pigeon" }));
  report = await api.includedReport(second.event_id);
});

const receiptOf = ({ receipts }: ComplianceReceipt) =>
  receipts[0] ?? expect.unreachable("a receipt is missing");

describe("verify-inclusion", () => {
  test("accepts a receipt as it came with the call, and says that it is not yet published", async () => {
    const { valid, checks, published } = await api.verifyInclusion(first);
    expect(valid).toBe(true);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    const made = [
      "receipt_format",
      "event_id",
      "output_hash",
      "leaf_hash",
      "event_inclusion",
      "evidence_chain",
    ];
    const names = checks.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...made, "merkle_root", "timestamp"]));
    // Nothing is said of what could not be checked here: the request was not sent, and no root is published yet.
    expect(names).not.toContain("input_hash");
    expect(names).not.toContain("published_root");
    expect(published).toBeNull();
  });

  test("accepts a sealed receipt and says where and when its root was published", async () => {
    const { valid, checks, published } = await api.verifyInclusion(report);
    const seal = await api.seal(report.merkle_proof.cross_tenant_proof?.seal_index ?? -1);
    expect(valid).toBe(true);
    expect(checks.find(({ name }) => name === "published_root")?.ok).toBe(true);
    expect(published).toEqual({ seal_index: seal.index, sealed_at: seal.sealed_at });
  });

  test("does not walk a receipt that somebody filled with objects", async () => {
    const nested = Array.from({ length: 60 }, (_, i) =>
      JSON.parse(`${'{"a":'.repeat(25)}${i}${"}".repeat(25)}`),
    );
    const filled = { ...report, receipts: [{ ...receiptOf(report), nested }] };
    const response = await api.post("/v1/verify-inclusion", JSON.stringify(filled));
    expect(await readProblem(response)).toMatchObject({
      status: 413,
      type: "/v1/problems#payload-too-large",
    });
  });

  test("takes no root for published where another one is, under the same seal", async () => {
    const copy = structuredClone(report);
    copy.merkle_proof.merkle_root = `0x${"1".repeat(64)}`;
    const { valid, checks, published } = await api.verifyInclusion(copy);
    expect(valid).toBe(false);
    expect(checks.find(({ name }) => name === "published_root")?.ok).toBe(false);
    expect(published).toBeNull();
  });

  test.each<[string, (keyof ComplianceReceipt)[]]>([
    ["the proof alone", ["merkle_proof"]],
    ["proof and timestamp", ["merkle_proof", "tsa_timestamp"]],
    ["proof and receipt", ["merkle_proof", "receipts"]],
    ["proof and head", ["merkle_proof", "evidence_chain"]],
  ])("accepts a part of a receipt: %s", async (_part, names) => {
    const part = Object.fromEntries(names.map((name) => [name, report[name]]));
    const { valid, published } = await api.verifyInclusion(part);
    expect(valid).toBe(true);
    expect(published).not.toBeNull();
  });

  test.each([
    [
      "a verdict",
      "leaf_hash",
      (copy: ComplianceReceipt) => Object.assign(receiptOf(copy), { verdict: "ALLOW" }),
    ],
    [
      "an added member",
      "leaf_hash",
      (copy: ComplianceReceipt) => Object.assign(receiptOf(copy), { note: "" }),
    ],
    [
      "a node of the path",
      "event_inclusion",
      ({ merkle_proof }: ComplianceReceipt) =>
        merkle_proof.event_inclusion_proof.path.fill(`0x${"0".repeat(64)}`),
    ],
    [
      "the root",
      "merkle_root",
      ({ merkle_proof }: ComplianceReceipt) =>
        Object.assign(merkle_proof, { merkle_root: `0x${"1".repeat(64)}` }),
    ],
    [
      "the seal's index",
      "published_root",
      ({ merkle_proof }: ComplianceReceipt) =>
        Object.assign(merkle_proof.cross_tenant_proof ?? {}, { seal_index: 9999 }),
    ],
    [
      "the token",
      "timestamp",
      ({ tsa_timestamp }: ComplianceReceipt) =>
        Object.assign(tsa_timestamp, { timestamp_token: first.tsa_timestamp.timestamp_token }),
    ],
  ])(
    "answers that a receipt with %s changed is not valid, and which check fails",
    async (_what, name, change) => {
      const copy = structuredClone(report);
      change(copy);
      const { valid, checks } = await api.verifyInclusion(copy);
      expect(valid).toBe(false);
      expect(checks.filter(({ ok }) => !ok).map((check) => check.name)).toContain(name);
    },
  );

  test.each([
    ["no proof", {}],
    ["a proof without a path", { merkle_proof: { status: "pending" } }],
    ["a list", []],
  ])("refuses what can't be read as a proof: %s", async (_what, body) => {
    const response = await api.post("/v1/verify-inclusion", JSON.stringify(body), { key: null });
    expect(await readProblem(response)).toMatchObject({ status: 422, type: "/v1/problems#invalid-request" });
  });

  test("answers a body full of wrong entries with a short problem", async () => {
    const body = JSON.stringify({ renewal: { between: new Array(1_000).fill(0) } });
    const problem = await readProblem(await api.post("/v1/verify-inclusion", body, { key: null }));
    expect(problem).toMatchObject({ status: 422, detail: expect.stringContaining("the first 20 of 10") });
    expect(problem.errors).toHaveLength(20);
  });
});
