// What the API answers, field by field: the interface document's section 2 and the contract of the design's section 2.
// Hashes and authentication codes are recomputed by code of the tests.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { type ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { digestOf, jcs, sha256 } from "../support/plain-json.ts";
import { plainLeaf } from "../support/receipt-leaf.ts";
import { isDeployed, startTarget, type Target } from "../support/target.ts";

const NOTHING_BEFORE = `sha256:${"0".repeat(64)}`;
const UNKNOWN_DIGEST = `sha256:${"5".repeat(64)}`;

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const digest = matching(/^sha256:[0-9a-f]{64}$/);
const node = matching(/^0x[0-9a-f]{64}$/);
const base64 = matching(/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
const mac = matching(/^[A-Za-z0-9+/]{43}=$/);
const chainId = matching(/^[0-9a-f]{32}$/);
const instant = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const keyId = matching(/^[0-9a-f-]+\/\d{4}-\d\d-\d\d$/);
const text = matching(/./);

/** One conversation of two turns, the second with a wording that nobody approved. */
const FIRST = disclosure({ interaction_id: "conversation-1" });
const SECOND = disclosure({ interaction_id: "conversation-1", subject_hash: UNKNOWN_DIGEST });

let target: Target;
let api: ApiClient;
let first: ComplianceReceipt;
let second: ComplianceReceipt;
let report: ComplianceReceipt;

beforeAll(async () => {
  target = await startTarget();
  api = target.api;
  first = await api.attest(FIRST);
  second = await api.attest(SECOND);
  report = await api.signedReport(second.event_id);
});

/** The member that a dotted path leads to. */
const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);

/** Everything but an object's own authentication. */
function unsigned(signed: object): object {
  const { auth_mechanism: _m, key_id: _k, signature: _s, ...rest } = signed as ComplianceReceipt;
  return rest;
}

const leafHashOf = (receipt: object): Buffer =>
  sha256(Buffer.concat([Uint8Array.of(0), plainLeaf(unsigned(receipt))]));
const macOf = (label: string, { key_id }: { key_id: string | null }, hash: Buffer): Promise<string> =>
  target.authenticate(key_id ?? "", Buffer.concat([Buffer.from(`disclosure-receipt/1/${label}\n`), hash]));
const receiptOf = ({ receipts }: ComplianceReceipt) =>
  receipts[0] ?? expect.unreachable("a receipt is missing");

describe("the answer to an attestation", () => {
  test.each([
    // interface document, 2.2
    ["event_id", uuid],
    ["receipts", [expect.anything()]],
    ["evidence_chain.head_hash", digest],
    ["merkle_proof.status", "pending"],
    ["merkle_proof.merkle_root", node],
    ["merkle_proof.event_inclusion_proof", expect.any(Object)],
    ["merkle_proof.cross_tenant_proof", null],
    ["tsa_timestamp.status", "included"],
    ["tsa_timestamp.timestamp_token", base64],
    ["tsa_timestamp.tsa_url", matching(/^https?:\/\//)],
    ["tsa_timestamp.covers", "merkle_root"],
    ["auth_mechanism", "hmac-sha256"],
    ["signature", mac],
    // interface document, 2.3
    ["receipts.0.event_id", uuid],
    ["receipts.0.sequence", 1],
    ["receipts.0.turn", 2],
    ["receipts.0.verdict", "MODIFY"],
    ["receipts.0.input_hash", digest],
    ["receipts.0.output_hash", digest],
    ["receipts.0.auth_mechanism", "hmac-sha256"],
    ["receipts.0.signature", mac],
    ["receipts.0.receipt_format_version", "1.0"],
    ["receipts.0.verifiability", "verifiable"],
    // design, section 2
    ["receipts.0.chain_id", chainId],
    ["receipts.0.previous_hash", digest],
    ["receipts.0.previous_turn_hash", digest],
    ["receipts.0.issued_at", instant],
    ["receipts.0.disclosure.article_50_clause", "1"],
    ["receipts.0.disclosure.disclosure_method", "spoken_introduction"],
    ["receipts.0.disclosure.jurisdiction", "DE"],
    ["receipts.0.disclosure.modality", "voice"],
    ["receipts.0.disclosure.subject_hash", UNKNOWN_DIGEST],
    ["receipts.0.policy.jurisdiction", "DE"],
    ["receipts.0.policy.version", text],
    ["receipts.0.policy.wording_id", null],
    ["receipts.0.policy.findings", ["wording_unknown"]],
    ["receipts.0.key_id", keyId],
    ["evidence_chain.chain_id", chainId],
    ["evidence_chain.sequence", 1],
    ["merkle_proof.event_inclusion_proof.leaf_hash", node],
    ["merkle_proof.event_inclusion_proof.leaf_index", 1],
    ["merkle_proof.event_inclusion_proof.tree_size", 2],
    ["merkle_proof.event_inclusion_proof.path", [node]],
    ["merkle_proof.event_inclusion_proof.root", node],
    ["key_id", keyId],
  ])("has %s as documented", (path, format) => {
    expect(valueAt(second, path)).toEqual(format);
  });

  test("gives ALLOW, with its id and no finding, to an approved wording", () => {
    const { verdict, policy } = receiptOf(first);
    expect(verdict).toBe("ALLOW");
    expect(policy).toMatchObject({ wording_id: "de-voice-introduction-1", findings: [] });
  });

  test.each([
    [{ disclosure_method: "carrier_pigeon" }, ["method_unknown"]],
    [{ modality: "chat" }, ["method_not_for_modality", "wording_for_other_modality"]],
    [{ subject_hash: UNKNOWN_DIGEST }, ["wording_unknown"]],
  ] as const)("records %j as MODIFY and says what to change", async (changes, findings) => {
    const receipt = receiptOf(await api.attest(disclosure(changes)));
    expect(receipt.verdict).toBe("MODIFY");
    expect(receipt.policy.findings).toEqual(expect.arrayContaining([...findings]));
  });

  test("says when the disclosure was made, where the caller does, and only then", async () => {
    for (const disclosed_at of ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00.250Z"]) {
      const request = disclosure({ disclosed_at });
      const receipt = receiptOf(await api.attest(request));
      expect(receipt.disclosure.disclosed_at).toBe(disclosed_at);
      expect(receipt.input_hash).toBe(digestOf(request));
    }
    expect(receiptOf(first).disclosure).not.toHaveProperty("disclosed_at");
  });

  test("names the very layer that was applied", () => {
    const layer = JSON.parse(readFileSync(new URL("../../evidence/policy/de.json", import.meta.url), "utf8"));
    expect(receiptOf(first).policy.digest).toBe(digestOf(layer));
  });

  test("names the root of its own chain while it is pending, and the head under that root", () => {
    const { merkle_proof, evidence_chain } = second;
    const { root, leaf_hash, tree_size } = merkle_proof.event_inclusion_proof;
    expect(merkle_proof.merkle_root).toBe(root);
    expect(evidence_chain.sequence).toBe(tree_size - 1);
    expect(evidence_chain.head_hash).toBe(leaf_hash.replace("0x", "sha256:"));
  });

  test("holds hashes that anyone recomputes from the request and the receipt", () => {
    for (const [answer, request] of [
      [first, FIRST],
      [second, SECOND],
    ] as const) {
      const receipt = receiptOf(answer);
      const { event_id, policy, turn, verdict } = receipt;
      expect(receipt.input_hash).toBe(digestOf(request));
      expect(receipt.output_hash).toBe(digestOf({ event_id, policy, turn, verdict }));
      expect(answer.merkle_proof.event_inclusion_proof.leaf_hash).toBe(
        `0x${leafHashOf(receipt).toString("hex")}`,
      );
    }
  });

  test("links each receipt to the one before it, in its chain and in its conversation", () => {
    const link = `sha256:${leafHashOf(receiptOf(first)).toString("hex")}`;
    expect(receiptOf(first)).toMatchObject({ sequence: 0, turn: 1, previous_hash: NOTHING_BEFORE });
    expect(receiptOf(first).previous_turn_hash).toBeNull();
    expect(receiptOf(second)).toMatchObject({ previous_hash: link, previous_turn_hash: link });
  });

  test("is authenticated with HMAC-SHA256 under the service's key, and so is its receipt", async () => {
    for (const answer of [first, second, report]) {
      const receipt = receiptOf(answer);
      expect(receipt.signature).toBe(await macOf("receipt", receipt, leafHashOf(receipt)));
      expect(receipt.key_id.slice(-10)).toBe(receipt.issued_at.slice(0, 10));
      expect(answer.signature).toBe(await macOf("response", answer, sha256(jcs(unsigned(answer)))));
    }
  });

  test("holds neither of the request's identifiers", () => {
    const answer = JSON.stringify([first, second, report]);
    expect(answer).not.toContain(FIRST.interaction_id);
    expect(answer).not.toContain(FIRST.agent_identity);
  });

  test("says that nobody in between may store it", async () => {
    const response = await api.call("GET", `/v1/attestation/${first.event_id}`);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});

describe("the report of a call", () => {
  test.each([
    ["merkle_proof.status", "included"],
    ["merkle_proof.merkle_root", node],
    ["merkle_proof.event_inclusion_proof.tree_size", expect.any(Number)],
    ["merkle_proof.cross_tenant_proof.seal_index", expect.any(Number)],
    [
      "merkle_proof.cross_tenant_proof.leaf",
      { chain_id: chainId, head_index: expect.any(Number), tree_size: expect.any(Number), root: node },
    ],
    ["merkle_proof.cross_tenant_proof.leaf_index", expect.any(Number)],
    ["merkle_proof.cross_tenant_proof.tree_size", expect.any(Number)],
    ["merkle_proof.cross_tenant_proof.path", expect.any(Array)],
    ["merkle_proof.cross_tenant_proof.root", node],
    ["tsa_timestamp.status", "included"],
    ["tsa_timestamp.timestamp_token", base64],
    ["tsa_timestamp.covers", "merkle_root"],
  ])("has %s as documented once it is sealed", (path, format) => {
    expect(valueAt(report, path)).toEqual(format);
  });

  test("holds the very receipt of the call", () => {
    expect(report.event_id).toBe(second.event_id);
    expect(report.receipts).toEqual(second.receipts);
  });

  test("leads to the root that is published under its seal, and to the timestamp of that root", async () => {
    const { merkle_root, cross_tenant_proof } = report.merkle_proof;
    const seal = await api.seal(cross_tenant_proof?.seal_index ?? -1);
    expect(seal.merkle_root).toBe(merkle_root);
    expect(report.tsa_timestamp).toEqual(seal.tsa_timestamp);
  });

  test("verifies in every step against what is published, with the request at hand", async () => {
    const { valid, checks } = await api.verifyPublished(report, SECOND);
    expect(checks.filter(({ ok }) => ok !== true)).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(["input_hash", "published_root"]));
    expect(valid).toBe(true);
  });

  test("stays what it was when more is attested and sealed", async () => {
    const later = await api.attest(disclosure({ interaction_id: "another" }));
    await api.includedReport(later.event_id);
    expect(await api.report(second.event_id)).toEqual(report);
  });

  // The emulator resolves dots, and answers by itself.
  test.each(["00000000-0000-8000-8000-000000000000", "not-an-id", ...(isDeployed ? [] : ["%2e%2e"])])(
    "is not found for %s",
    async (eventId) => {
      const problem = await readProblem(await api.call("GET", `/v1/attestation/${eventId}`));
      expect(problem).toMatchObject({ status: 404, type: "/v1/problems#not-found" });
    },
  );
});

describe("the evidence bundle of a conversation", () => {
  test("holds every receipt in order, its request, its proof and the seals", async () => {
    await api.includedReport(first.event_id);
    const bundle = await api.interaction("conversation-1");
    expect(bundle.interaction_id).toBe("conversation-1");
    expect(bundle.receipts).toEqual([receiptOf(first), receiptOf(second)]);
    expect(bundle.requests).toEqual([FIRST, SECOND]);
    expect(bundle.proofs.map(({ event_id }) => event_id)).toEqual([first.event_id, second.event_id]);
    expect(bundle.proofs[1]?.merkle_proof).toEqual(report.merkle_proof);
    const after = bundle.receipts.flatMap(({ recorded_after: seal }) => seal?.seal_index ?? []);
    const named = [...after, ...bundle.proofs.map(({ merkle_proof: p }) => p.cross_tenant_proof?.seal_index)];
    expect(bundle.seals.map(({ index }) => index)).toEqual([...new Set(named)]);
    for (const seal of bundle.seals) expect(seal).toEqual(await api.seal(seal.index));
    expect(bundle.next_turn).toBeNull();
    expect(bundle.signature).toBe(await macOf("response", bundle, sha256(jcs(unsigned(bundle)))));
  });

  test.each([encodeURIComponent, String])(
    "is found by an id of every sign, as clients write it",
    async (write) => {
      const id = `call:2026@desk+1=${write.name}`;
      const { event_id } = await api.attest(disclosure({ interaction_id: id }));
      const bundle = await api.interaction(write(id));
      expect(bundle.receipts.map((receipt) => receipt.event_id)).toEqual([event_id]);
    },
  );

  // Some gateways decode a path before they split it, as the emulator does.
  test("is found by an id with slashes and semicolons, percent-encoded or as it is", async () => {
    const id = "rooms/42;a=1/leg";
    const { event_id } = await api.attest(disclosure({ interaction_id: id }));
    for (const written of [encodeURIComponent(id), id]) {
      expect(await api.interaction(written)).toMatchObject({ interaction_id: id, receipts: [{ event_id }] });
    }
  });

  test("can begin at a later turn", async () => {
    expect((await api.interaction("conversation-1", 2)).receipts).toEqual([receiptOf(second)]);
  });

  test.each(["conversation-2", "conversation-2?from_turn=3"])("is not found for %s", async (path) => {
    const problem = await readProblem(await api.call("GET", `/v1/interactions/${path}`));
    expect(problem).toMatchObject({ status: 404, type: "/v1/problems#not-found" });
  });

  test.each(["from_turn=0", "from_turn=x", "from_turn=1.5", "page=2"])("refuses ?%s", async (query) => {
    const problem = await readProblem(await api.call("GET", `/v1/interactions/conversation-1?${query}`));
    expect(problem).toMatchObject({ status: 422, type: "/v1/problems#invalid-request" });
  });
});

describe("the published description", () => {
  test("GET /v1/openapi.json is the document in docs", async () => {
    const response = await api.call("GET", "/v1/openapi.json", { key: null });
    const inDocs = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
    expect(await response.json()).toEqual(inDocs);
  });
});
