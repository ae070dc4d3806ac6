// The wording policy of a deployment with layers of its own: published under their hashes, applied to receipts, and changed
// by a later deployment, which changes nothing that was attested before.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LAYERS_FOLDER, layerPath } from "../../contract/policy-paths.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { jurisdictionPolicySchema, policyIndexSchema } from "../../evidence/core/formats/policy-index.ts";
import { disclosure } from "../support/api-client.ts";
import { runSchedules } from "../support/emulator-api.ts";
import { newDeployedTenant, theDeployment } from "../support/target.ts";
import { Cdk, deployBeside } from "./cdk.ts";

const trial = theDeployment();
const NAME = "worded";
const SHIPPED = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "evidence", "policy", "de.json"), "utf8"),
);
const FILE = join(trial.folder, "de.json");

/** The German layer in another version, whose attested wording was in use from a day long past, and may be retired. */
function writeLayer(version: string, retired_on: string | null): void {
  const { subject_hash } = disclosure();
  const wordings = SHIPPED.wordings.map((wording: { digest: string }) =>
    wording.digest === subject_hash ? { ...wording, approved_on: "2026-01-01", retired_on } : wording,
  );
  writeFileSync(FILE, JSON.stringify({ ...SHIPPED, version, wordings }));
}

const receiptOf = ({ receipts: [receipt] }: ComplianceReceipt) =>
  receipt ?? expect.unreachable("a receipt is missing");

test("layers are published, applied and changed, and old receipts keep theirs", async () => {
  writeLayer("2026-11-22.8", null);
  const stack = await deployBeside(trial, { name: NAME, policyFiles: [FILE] });
  const { api } = await newDeployedTenant(stack);
  const read = async (path: string): Promise<Response> => {
    const answer = await api.call("GET", path, { key: null });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer;
  };
  const listed = async () => jurisdictionPolicySchema.parse(await (await read("/v1/policy/DE")).json());

  const before = await api.attest(disclosure());
  expect(receiptOf(before)).toMatchObject({ verdict: "ALLOW", policy: { version: "2026-11-22.8" } });
  const first = receiptOf(before).policy.digest;
  const report = await api.includedReport(before.event_id);

  // Whoever holds the receipt reads its layer, and needs no more than a hash to believe it.
  const answer = await read(`/${layerPath(first)}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(first);
  expect(answer.headers.get("cache-control")).toContain("immutable");
  const { jurisdictions } = policyIndexSchema.parse(await (await read("/v1/policy")).json());
  expect(jurisdictions).toContainEqual(expect.objectContaining({ jurisdiction: "DE", digest: first }));
  expect(await listed()).toMatchObject({ current: first, layers: [{ digest: first }] });
  const status = await (await read("/v1/status")).json();
  expect(JSON.stringify(status)).toContain("2026-11-22.8");
  const { status: absent } = await api.call("GET", `/${LAYERS_FOLDER}/${"0".repeat(64)}`, { key: null });
  expect(absent).toBe(404);

  writeLayer("2026-11-22.9", "2026-01-02");
  await new Cdk(trial, NAME).deploy();
  await runSchedules(stack.endpoint, stack.name);
  const after = await api.attest(disclosure({ interaction_id: "call:after" }));
  const { policy, verdict } = receiptOf(after);
  expect([policy.version, verdict]).toEqual(["2026-11-22.9", "BLOCK"]);
  expect(await listed()).toMatchObject({
    current: policy.digest,
    layers: [{ digest: first }, { digest: policy.digest }],
  });
  expect(Buffer.from(await (await read(`/${layerPath(first)}`)).arrayBuffer())).toEqual(bytes);
  expect(receiptOf(await api.report(before.event_id))).toEqual(receiptOf(report));
});
