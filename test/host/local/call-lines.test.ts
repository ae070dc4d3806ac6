// The line of a call: what it holds for each kind of answer.
import { expect, test } from "vitest";
import { callLine } from "../../../host/local/call-lines.ts";
import type { Reply } from "../../../host/server/http-server.ts";
import { readReceipt } from "../../support/vector-files.ts";

const NOW = new Date(2026, 10, 22, 12, 4, 31);
const ROUTE = { method: "POST", route: "/v1/attestation" };
const report = readReceipt("receipts/greeting.json");

test.each<[string, Reply, string]>([
  [
    "a receipt",
    { status: 200, body: JSON.stringify(report) },
    `200 ALLOW turn ${report.receipts[0]?.turn} POST /v1/attestation ${report.event_id}`,
  ],
  [
    "a problem",
    { status: 422, body: JSON.stringify({ type: "/v1/problems#invalid-request", detail: "secret" }) },
    "422 invalid-request POST /v1/attestation",
  ],
  ["another answer", { status: 200, body: '{"chains":[]}' }, "200 POST /v1/attestation"],
  ["bytes", { status: 200, body: new Uint8Array(32) }, "200 POST /v1/attestation"],
  ["what is no JSON", { status: 500, body: "secret" }, "500 POST /v1/attestation"],
  ["no body", { status: 204 }, "204 POST /v1/attestation"],
])("of %s", (_, reply, line) => {
  expect(callLine({ ...ROUTE, reply }, NOW)).toBe(`12:04:31 ${line}`);
});
