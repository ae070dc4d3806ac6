// The published roots: each is written once, follows the one before, and is timestamped by the authority whose
// certificate is served beside it.
import { beforeAll, expect, test } from "vitest";
import { parseBase64 } from "../../evidence/core/bytes.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { verifyTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import { type ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { isDeployed, startTarget } from "../support/target.ts";

const SEALS = 3;

let api: ApiClient;
/** Roots that were there before: the deployed stack has other tenants. */
let before: number;
let texts: string[];

beforeAll(async () => {
  ({ api } = await startTarget());
  before = (await api.metachain()).size;
  for (let i = 0; i < SEALS; i++) await attestAndSeal();
  texts = await rootTexts();
});

async function attestAndSeal(): Promise<ComplianceReceipt> {
  const { event_id } = await api.attest(disclosure());
  return api.includedReport(event_id);
}

/** The published bytes of every root, as they are now. */
async function rootTexts(): Promise<string[]> {
  const { size } = await api.metachain();
  const texts = Array.from({ length: size }, async (_, index) =>
    (await api.call("GET", `/v1/metachain/roots/${index}`, { key: null })).text(),
  );
  return Promise.all(texts);
}

test("names the number of roots, the latest of them and where each is", async () => {
  const { size, latest, roots } = await api.metachain();
  expect(size).toBe(before + SEALS);
  expect(latest).toEqual(JSON.parse(texts.at(-1) ?? ""));
  expect(roots).toBe("/v1/metachain/roots/{index}");
});

test("numbers the seals from 0, and each names the root and the size of the one before", async () => {
  const seals = await api.seals();
  expect(seals.map(({ index }) => index)).toEqual(seals.map((_, i) => i));
  expect(seals.map(({ previous_root }) => previous_root)).toEqual([
    null,
    ...seals.slice(0, -1).map(({ merkle_root }) => merkle_root),
  ]);
  const sizes = [0, ...seals.map(({ tree_size }) => tree_size)];
  expect(seals.map(({ previous_tree_size }) => previous_tree_size)).toEqual(sizes.slice(0, -1));
  expect(seals.slice(before).map(({ tree_size }) => tree_size - (sizes[before] ?? 0))).toEqual([1, 2, 3]);
  expect(seals.slice(before).map(({ receipt_count }) => receipt_count)).toEqual([1, 1, 1]);
});

test("proves that each tree extends the one before", async () => {
  expect(await api.faultsOfSeals()).toEqual([]);
});

test("serves the certificate that the tokens of roots and receipts verify with", async () => {
  const trustAnchors = await api.trustAnchors();
  const report = await attestAndSeal();
  const stamped = [
    ...(await api.seals()).slice(before),
    { ...report, merkle_root: report.merkle_proof.merkle_root },
  ];
  for (const { tsa_timestamp, merkle_root } of stamped) {
    const token = parseBase64(tsa_timestamp.timestamp_token ?? "");
    const { genTime } = await verifyTimestampToken(token, parseNode(merkle_root), trustAnchors);
    expect(Math.abs(Date.parse(genTime) - Date.now())).toBeLessThan(60_000);
  }
});

test("lets anybody read and keep a root, from any web page, and the head only for seconds", async () => {
  const root = await api.call("GET", "/v1/metachain/roots/0", { key: null });
  expect(Object.fromEntries(root.headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "access-control-allow-origin": "*",
  });
  const head = await api.call("GET", "/v1/metachain", { key: null });
  expect(head.headers.get("cache-control")).toBe("public, max-age=5");
});

test.each(["99999", "-1", "01", "1.0", "latest", "9007199254740993"])("has no root %s", async (index) => {
  const problem = await readProblem(await api.call("GET", `/v1/metachain/roots/${index}`, { key: null }));
  expect(problem).toMatchObject({ status: 404, type: "/v1/problems#not-found" });
});

test.each(["PUT", "DELETE", "POST", "PATCH"])("offers no %s of a root", async (method) => {
  const response = await api.call(method, "/v1/metachain/roots/0", { key: null });
  // The emulator knows no answer of API Gateway's own, and says 200.
  if (!isDeployed) {
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await readProblem(response)).toMatchObject({
      status: 405,
      type: "/v1/problems#method-not-allowed",
    });
  }
  expect((await rootTexts())[0]).toBe(texts[0]);
});

test("keeps every root to the byte while more are published", async () => {
  await attestAndSeal();
  expect((await rootTexts()).slice(0, texts.length)).toEqual(texts);
  expect(await api.faultsOfSeals()).toEqual([]);
});
