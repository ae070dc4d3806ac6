// Each client against the service, and its evidence before the verifier of the other language.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { DisclosureClient } from "../../../clients/client/index.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import type { EvidenceBundle } from "../../../evidence/core/formats/evidence-bundle.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../../support/local-stack.ts";
import { hasPython, SOURCES } from "./python.ts";

const PROGRAM = fileURLToPath(new URL("attest.py", import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface Attested {
  readonly receipt: ComplianceReceipt;
  readonly report: ComplianceReceipt;
  readonly bundle: EvidenceBundle;
  readonly rows: readonly string[];
  readonly queued: readonly string[];
}

describe.skipIf(!hasPython)("the service's evidence", () => {
  let stack: LocalStack;
  let api: ApiClient;
  let trustAnchors: string;
  const folder = newFolder();
  const request = disclosure({ interaction_id: "from-python" });

  beforeAll(async () => {
    stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
    api = new ApiClient(stack);
    trustAnchors = await (await fetch(`${stack.url}/tsa/certificate.pem`)).text();
  });

  function python(args: readonly string[], input = ""): { status: number | null; stdout: string } {
    const env = { PATH: process.env.PATH, PYTHONPATH: SOURCES, PYTHONDONTWRITEBYTECODE: "1" };
    const options = { encoding: "utf8", input, env, maxBuffer: MAX_OUTPUT_BYTES } as const;
    const { status, stdout, stderr } = spawnSync("python3", args, options);
    expect(stderr).toBe("");
    return { status, stdout };
  }

  function fileWith(name: string, content: unknown): string {
    const file = join(folder, name);
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  }

  test("that the client in Python got holds before the verifier in TypeScript, up to the published root", async () => {
    const queue = join(folder, "queue");
    const queued = disclosure({ interaction_id: "queued-in-python" });
    const pem = fileWith("tsa.pem", trustAnchors);
    const args = [PROGRAM, stack.url, pem, JSON.stringify(request), JSON.stringify(queued), queue];
    const { status, stdout } = python(args, stack.apiKey);
    expect(status).toBe(0);
    const attested: Attested = JSON.parse(stdout);
    expect(attested.receipt.receipts[0]).toMatchObject({ turn: 1, verdict: "ALLOW" });
    expect(attested.rows).toContain(attested.receipt.event_id);
    const { valid, checks } = await api.verifyPublished(attested.report, request);
    expect([valid, checks.filter(({ ok }) => ok === false)]).toEqual([true, []]);
    expect(attested.bundle.receipts).toEqual(attested.receipt.receipts);
    const client = new DisclosureClient({ baseUrl: stack.url, apiKey: stack.apiKey, trustAnchors });
    await client.remember(attested.receipt);
    expect((await client.interaction("from-python")).receipts).toEqual(attested.receipt.receipts);
    const { receipts } = await client.interaction("queued-in-python");
    expect(receipts.map(({ event_id }) => event_id)).toEqual(attested.queued);
    expect(attested.queued).toHaveLength(5);
    const left = Buffer.concat(readdirSync(queue).map((name) => readFileSync(join(queue, name))));
    expect([left.includes("queued-in-python"), left.includes(stack.apiKey)]).toEqual([false, false]);
  });

  test("that the client in TypeScript got holds before the verifier in Python, with every check made", async () => {
    const own = disclosure({ interaction_id: "from-typescript" });
    const client = new DisclosureClient({ baseUrl: stack.url, apiKey: stack.apiKey, trustAnchors });
    const { event_id } = await client.attest(own);
    await api.includedReport(event_id);
    const report = await client.report(event_id);
    const layer = await api.call("GET", `/v1/policy/layers/${report.receipts[0]?.policy.digest.slice(7)}`);
    const index = report.merkle_proof.cross_tenant_proof?.seal_index ?? -1;
    const files = [
      ["--request", fileWith("request.json", own)],
      ["--layer", fileWith("layer.json", await layer.text())],
      ["--tsa-ca", fileWith("anchors.pem", trustAnchors)],
      ["--seal", fileWith("seal.json", await api.seal(index))],
    ].flat();
    const verify = ["-m", "disclosure_receipts", "verify", "--strict", "--json"];
    const { status, stdout } = python([...verify, fileWith("report.json", report), ...files]);
    expect([status, JSON.parse(stdout).verdict]).toEqual([0, "holds"]);
    const bundle = fileWith("bundle.json", await client.interaction("from-typescript"));
    expect(python([...verify, bundle, ...files]).status).not.toBe(1);
    const forged = { ...report, receipts: [{ ...report.receipts[0], verdict: "BLOCK" }] };
    expect(python([...verify, fileWith("forged.json", forged), ...files]).status).toBe(1);
  });
});
