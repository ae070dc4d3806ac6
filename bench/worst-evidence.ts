// `node bench/worst-evidence.ts`: what the worst evidence that we can think of costs a reader, in processor time of
// reading and verifying. Files of 2 MB as the command line and the page take them, bodies of 320 KiB as
// POST /v1/verify-inclusion takes them. Prints machine, version and limits.
import { MAX_PROOF_BODY_BYTES } from "../contract/limits.ts";
import { parseJson } from "../core/canonical-json.ts";
import { isDisclosureError } from "../core/errors.ts";
import { bundleEvidenceSchema, evidenceSchema } from "../core/formats/evidence.ts";
import { parseCertificatesPem } from "../core/timestamps/x509/pem.ts";
import { verifyBundle } from "../core/verify/verify-bundle.ts";
import { verifyReceipt } from "../core/verify/verify-receipt.ts";
import { machine } from "./measuring.ts";
import { read } from "./worst/documents.ts";
import { BUNDLES, RECEIPTS } from "./worst/evidence.ts";
import { ANCHOR } from "./worst/tokens.ts";

const FILE_BYTES = 2_000_000;
const BODY_BYTES = MAX_PROOF_BODY_BYTES;
const MAX_FILE_MS = 2_000;
const MAX_BODY_MS = 20;
const WARM_RUNS = 3;
const NOW = "2026-11-22T00:00:00.000Z";
const trustAnchors = [...parseCertificatesPem(read("authorities/service.pem")), ANCHOR.certificate];

async function examine(text: string, kind: "receipt" | "bundle"): Promise<string> {
  try {
    const value = parseJson(text);
    const knowledge = { trustAnchors, now: NOW };
    if (kind === "receipt")
      return (await verifyReceipt(evidenceSchema.parse(value), knowledge)).valid ? "holds" : "fails";
    return (await verifyBundle(bundleEvidenceSchema.parse(value), knowledge)).valid ? "holds" : "fails";
  } catch (error) {
    if (isDisclosureError(error) || (error as Error).name === "ZodError") return "unreadable";
    throw error;
  }
}

async function report(name: string, text: string, kind: "receipt" | "bundle", limit: number): Promise<void> {
  const times: number[] = [];
  let found = "";
  for (let run = 0; run <= WARM_RUNS; run++) {
    const start = process.cpuUsage();
    found = await examine(text, kind);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  const ms = Math.min(...times.slice(1));
  const size = `${(text.length / 1_000).toFixed(0)} kB`;
  console.log(
    `${name.padEnd(44)}${size.padStart(9)}${ms.toFixed(1).padStart(10)} ms  ${found.padEnd(11)}${ms > limit ? "over" : ""}`,
  );
}

console.log(`${machine()}, processor time, best of ${WARM_RUNS} after one that warms up`);
for (const [what, bytes, limit] of [
  ["bodies", BODY_BYTES, MAX_BODY_MS],
  ["files", FILE_BYTES, MAX_FILE_MS],
] as const) {
  console.log(`\n${what}: ${limit} ms at most`);
  for (const [name, make] of Object.entries(RECEIPTS))
    await report(name, JSON.stringify(make(bytes)), "receipt", limit);
  if (bytes === FILE_BYTES)
    for (const [name, make] of Object.entries(BUNDLES))
      await report(name, JSON.stringify(make(bytes)), "bundle", limit);
}
