// A stranger's recipe: the verdicts of receipts from static files alone, by another program in another language, and the
// name of a layer with curl and sha256sum, as docs/receipt-format.md has it.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { hashWordingText } from "../../clients/client/index.ts";
import { layerPath } from "../../contract/policy-paths.ts";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { layersByDigest, namedLayer } from "../../evidence/core/verify/verify-policy.ts";
import { ApiClient } from "../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../support/local-stack.ts";
import { readEvidence } from "../support/vector-files.ts";
import { EXAMPLES, run } from "./programs.ts";

const isThere = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const hasPython = isThere("python3", "--version");
const hasTools = ["curl", "sha256sum", "sh"].every((tool) =>
  isThere(tool, tool === "sh" ? "-c" : "--version", ":"),
);

const GREETING = "Guten Tag, Sie sprechen mit einer künstlichen Intelligenz.";
const RETIRED = "Hier ist Ihr digitaler Assistent.";
/** What is said, how, and the verdict that the vectors' example layer gives, by hand from docs/policy-layer.md. */
const SAID = [
  ["voice", "spoken_introduction", GREETING, "ALLOW"],
  ["chat", "written_notice", "Sie schreiben mit einer künstlichen Intelligenz.", "ALLOW"],
  ["voice", "spoken_introduction", RETIRED, "BLOCK"],
  ["voice", "spoken_reminder", GREETING, "MODIFY"],
  ["chat", "spoken_introduction", "Hallo", "MODIFY"],
] as const;
const ROUNDS = 4;

describe.skipIf(!hasPython)("twenty receipts of all three verdicts", () => {
  let stack: LocalStack;
  const folder = newFolder();
  const files: string[] = [];
  const reports: ComplianceReceipt[] = [];

  const verdicts = (...args: string[]) => run("python3", [`${EXAMPLES}verdict.py`, ...args], stack);

  beforeAll(async () => {
    const layer = join(folder, "layer.json");
    writeFileSync(layer, JSON.stringify(readEvidence("layers/example.json")));
    stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1", POLICY_FILES: layer } });
    const api = new ApiClient(stack);
    for (let round = 0; round < ROUNDS; round++)
      for (const said of SAID) reports.push(await api.attest(requestOf(said, round)));
    for (const [i, { event_id }] of reports.entries()) {
      const report = join(folder, `report-${i}.json`);
      writeFileSync(report, JSON.stringify(await api.includedReport(event_id)));
      files.push(report);
    }
    await copyLayers(stack, folder, reports);
  });

  test("agree with their layers, from files alone", async () => {
    const { status, stdout, stderr } = await verdicts(pathToFileURL(folder).href, ...files);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    const expected = Array.from({ length: ROUNDS }, () => SAID.map(([, , , verdict]) => verdict)).flat();
    expect(lines.map((line) => line.split(/ +/)[0])).toEqual(expected.map(() => "agrees"));
    expect(lines.map((line) => line.split(/ +/)[2])).toEqual(expected);
  });

  test("differ where a verdict was changed, and where one byte of the layer was", async () => {
    const [report] = reports;
    const [receipt] = report?.receipts ?? [];
    const forged = join(folder, "forged.json");
    writeFileSync(forged, JSON.stringify({ receipts: [{ ...receipt, verdict: "BLOCK" }] }));
    const { status, stdout, stderr } = await verdicts(pathToFileURL(folder).href, forged);
    expect([status, stdout, stderr]).toEqual([1, "", `DIFFERS  ${receipt?.event_id}\n`]);
    const other = newFolder();
    const path = layerPath(namedLayer(receipt ?? {}) ?? "");
    mkdirSync(dirname(join(other, path)), { recursive: true });
    writeFileSync(
      join(other, path),
      readFileSync(join(folder, path), "utf8").replace("2026-08-02", "2026-08-03"),
    );
    const changed = await verdicts(pathToFileURL(other).href, files[0] ?? "");
    expect([changed.status, changed.stderr]).toEqual([1, `DIFFERS  ${receipt?.event_id}\n`]);
  });

  test("agree with what the service serves, under names that sha256sum gives", async () => {
    const { status } = await verdicts(stack.url, ...files.slice(0, SAID.length));
    expect(status).toBe(0);
  });

  test.skipIf(!hasTools)(
    "and the page's line with curl and sha256sum prints the digest that it asked for",
    async () => {
      const page = readFileSync(new URL("../../docs/receipt-format.md", import.meta.url), "utf8");
      const [, line = ""] = /^(curl .*\| sha256sum)$/m.exec(page) ?? [];
      const digest = (namedLayer(reports[0]?.receipts[0] ?? {}) ?? "").slice("sha256:".length);
      const command = line.replace("https://receipts.example", stack.url).replace("$digest", digest);
      const { status, stdout } = await run("sh", ["-c", command], stack);
      expect([status, stdout]).toEqual([0, `${digest}  -\n`]);
    },
  );
});

const requestOf = (
  [modality, disclosure_method, text]: (typeof SAID)[number],
  round: number,
): AttestationRequest => ({
  interaction_id: `call-${round}-${modality}`,
  agent_identity: "voice-agent/1",
  modality,
  article_50_clause: "1",
  disclosure_method,
  jurisdiction: "DE",
  subject_hash: hashWordingText(text),
});

/** What a mirror would have: each layer under its name. */
async function copyLayers(
  { url }: LocalStack,
  folder: string,
  reports: readonly ComplianceReceipt[],
): Promise<void> {
  const digests = new Set(
    reports.flatMap(({ receipts }) => receipts.map((receipt) => namedLayer(receipt) ?? "")),
  );
  for (const digest of digests) {
    const response = await fetch(`${url}/${layerPath(digest)}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...layersByDigest([JSON.parse(new TextDecoder().decode(bytes))]).keys()]).toEqual([digest]);
    mkdirSync(dirname(join(folder, layerPath(digest))), { recursive: true });
    writeFileSync(join(folder, layerPath(digest)), bytes);
  }
}
