// A chain's history over HTTP, as its tenant's key fetches it from the stack and nobody else can.
import { beforeAll, describe, expect, test } from "vitest";
import { chainListSchema, chainPageSchema } from "../../evidence/core/formats/chain-history.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { ChainHistory } from "../../evidence/core/log/chain-history.ts";
import { KnownHistory } from "../../evidence/core/verify/tenant-history.ts";
import { verifyHistory } from "../../evidence/core/verify/verify-history.ts";
import { ApiClient, disclosure, readJson, readProblem } from "../support/api-client.ts";
import { startLocalStack } from "../support/local-stack.ts";

const BYTES = { accept: "application/octet-stream" };

let api: ApiClient;
let report: ComplianceReceipt;
let chain: string;

beforeAll(async () => {
  api = new ApiClient(await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } }));
  await api.attest(disclosure());
  const { event_id } = await api.attest(disclosure());
  report = await api.includedReport(event_id);
  chain = `/v1/chains/${report.receipts[0]?.chain_id}`;
});

describe("a chain's history", () => {
  test("is found from the list of the tenant's chains, and holds the receipt", async () => {
    const { chains } = await readJson(await api.call("GET", "/v1/chains"), chainListSchema);
    expect(chains.map(({ chain_id }) => `/v1/chains/${chain_id}`)).toContain(chain);
    const { heads, chain_id } = await readJson(await api.call("GET", chain), chainPageSchema);
    const size = heads.at(-1)?.tree_size ?? 0;
    const response = await api.call("GET", `${chain}/entries/000.p/${size}`, { headers: BYTES });
    const leaves = new Uint8Array(await response.arrayBuffer());
    expect(leaves).toHaveLength(64 * size);
    const history = new ChainHistory(chain_id, (from, to) => leaves.subarray(64 * from, 64 * to));
    for (const head of heads) history.add(head);
    const tenant = { chains: new Map([[chain_id, history]]), tenantAnchor: null };
    const known = new KnownHistory({ history: tenant, walk: null, fingerprint: null });
    const [check] = await verifyHistory(report, known);
    expect(check).toMatchObject({ name: "chain_history", ok: true });
  });

  test("comes as bytes that the caller alone may keep, for good", async () => {
    const { headers } = await api.call("GET", `${chain}/entries/000.p/1`, { headers: BYTES });
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
  });

  test("comes as base64 to callers that do not ask for bytes first, as API Gateway sends it", async () => {
    const path = `${chain}/entries/000.p/1`;
    const bytes = Buffer.from(await (await api.call("GET", path, { headers: BYTES })).arrayBuffer());
    const text = await (await api.call("GET", path, { headers: { accept: "*/*" } })).text();
    expect(text).toBe(bytes.toString("base64"));
  });

  test.each([
    ["a chain of nobody's", "/v1/chains/00000000000000000000000000000000"],
    ["what is no chain id", "/v1/chains/metachain"],
    ["a bundle that is not published yet", "{chain}/entries/009"],
    ["another spelling of a bundle's place", "{chain}/entries/0"],
    ["hashes, which everybody computes", "{chain}/tile/0/000"],
    ["a bundle without a place", "{chain}/entries"],
  ])("has no answer but 404 for %s", async (_, path) => {
    const response = await api.call("GET", path.replace("{chain}", chain), { headers: BYTES });
    expect((await readProblem(response)).status).toBe(404);
  });

  test("takes a size to go on from, and a key", async () => {
    const wrong = await api.call("GET", `${chain}?from=x`);
    expect((await readProblem(wrong)).status).toBe(422);
    for (const path of ["/v1/chains", chain, `${chain}/entries/000.p/1`])
      expect((await readProblem(await api.call("GET", path, { key: null }))).status).toBe(401);
    expect((await readProblem(await api.call("POST", chain))).status).toBe(405);
  });
});
