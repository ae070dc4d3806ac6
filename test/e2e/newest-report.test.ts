// A report as of the newest seal over HTTP, beside the report that the same receipt had before.
import { beforeAll, describe, expect, test } from "vitest";
import {
  type ComplianceReceipt,
  complianceReceiptSchema,
} from "../../evidence/core/formats/compliance-receipt.ts";
import { verifyFiles } from "../../evidence/reader/index.ts";
import { type ApiClient, disclosure, readJson, readProblem } from "../support/api-client.ts";
import { startTarget } from "../support/target.ts";

const REQUEST = disclosure({ interaction_id: "conversation-1" });

let api: ApiClient;
let old: ComplianceReceipt;

const ask = (query: string): Promise<Response> => api.call("GET", `/v1/attestation/${old.event_id}?${query}`);
const newestReport = async () => readJson(await ask("as_of=newest"), complianceReceiptSchema);

beforeAll(async () => {
  ({ api } = await startTarget());
  old = await api.includedReport((await api.attest(REQUEST)).event_id);
});

describe("a report as of the newest seal", () => {
  test("leads to a later head once the chain has one, and holds there and beside the old one", async () => {
    await api.includedReport((await api.attest(disclosure())).event_id);
    const newest = await newestReport();
    expect(newest.receipts).toEqual(old.receipts);
    expect(newest.evidence_chain.sequence).toBeGreaterThan(old.evidence_chain.sequence);
    const { checks } = await api.verifyPublished(newest, REQUEST);
    // The receipt at the end of the chain is another one, as in any report that a later receipt shares its seal with.
    expect(checks.flatMap(({ name, ok }) => (ok === true ? [] : [name]))).toEqual(["evidence_chain"]);
    const files = [newest, old].map((answer, i) => ({
      name: `${i}.json`,
      bytes: new TextEncoder().encode(JSON.stringify(answer)),
    }));
    const given = { now: new Date().toISOString(), trustAnchors: await api.trustAnchors() };
    const found = await verifyFiles(files, given);
    expect(found.files.map(({ outcome }) => outcome)).not.toContain("does_not_hold");
    expect(found.together?.checks).toContainEqual(expect.objectContaining({ name: "one_history", ok: true }));
  });

  test.each(["as_of=2026-11-01", "as_of=", "as_of=NEWEST", "from_turn=1"])(
    "is the only one to ask for: ?%s is refused, and the parameter named",
    async (query) => {
      const problem = await readProblem(await ask(query));
      expect([problem.status, problem.errors?.[0]?.pointer]).toEqual([422, `#/${query.split("=")[0]}`]);
    },
  );
});
