// `npm run demo`: the main job on real input. It records a German voice call and a chat reply, waits until a root over
// them is published, and checks everything as a stranger would: without a key. The evidence stays in a folder. Exits
// non-zero if anything does not hold.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ComplianceReceipt } from "../evidence/core/formats/compliance-receipt.ts";
import { readSettings } from "../host/local/settings.ts";
import { type LocalStack, startStack } from "../host/local/stack.ts";
import { Exit } from "../tools/cli/command.ts";
import { main as receipts } from "../tools/cli/main.ts";
import { Terminal } from "../tools/cli/output/terminal.ts";
import { type Attested, attest, getBundle, getCertificate, SCRIPT, sealedReport } from "./demo-service.ts";

const SEAL_INTERVAL_SECONDS = 1;

const FOLDER = "demo";
const EVIDENCE = join(FOLDER, "evidence");
const PUBLISHED = join(FOLDER, "published");
const AUTHORITY = join(FOLDER, "authority.pem");
const FORGED = join(FOLDER, "forged.json");

async function main(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "disclosure-receipts-demo-"));
  step("Starting the service on this machine");
  const stack = await startStack(
    readSettings({ PORT: "0", DATA_DIR: data, SEAL_INTERVAL_SECONDS: String(SEAL_INTERVAL_SECONDS) }),
  );
  try {
    done(stack.url);
    await walkThrough(stack);
  } finally {
    await stack.stop();
    rmSync(data, { recursive: true, force: true });
  }
  conclude();
}

async function walkThrough(stack: LocalStack): Promise<void> {
  for (const old of [EVIDENCE, PUBLISHED, AUTHORITY, FORGED]) rmSync(old, { recursive: true, force: true });
  const attested: Attested[] = [];
  for (const line of SCRIPT) {
    step(`Recording ${line.said}`);
    const recorded = await attest(stack, line);
    attested.push(recorded);
    done(describe(recorded));
  }
  step("Waiting until the service has published a root over all of them");
  const reports = await Promise.all(attested.map(({ answer }) => sealedReport(stack, answer.event_id)));
  done("published");
  await keepEvidence(stack, attested, reports);

  heading("The public list of roots, copied and checked");
  await run(Exit.holds, "mirror", stack.url, PUBLISHED, "--tsa-ca", AUTHORITY);
  heading("The evidence, checked without a key");
  await run(Exit.holds, "verify", ...CHECK, "--strict");
  heading("Three of the receipts alone, without the second of the call");
  const left = ["call-1", "call-3", "chat-1"].map((name) => join(EVIDENCE, `${name}.json`));
  await run(Exit.holds, "verify", ...left, "--metachain", PUBLISHED, "--tsa-ca", AUTHORITY);
  heading("A copy of the first receipt in which one word was changed");
  // A check that could not fail would prove nothing.
  await run(Exit.doesNotHold, "verify", FORGED);
}

const CHECK = [EVIDENCE, "--metachain", PUBLISHED, "--tsa-ca", AUTHORITY];

function describe({ answer }: Attested): string {
  const [receipt] = answer.receipts;
  const wording = receipt?.verdict === "ALLOW" ? "an approved wording" : "a wording with remarks";
  return `turn ${receipt?.turn} of its conversation, ${wording}`;
}

/** Everything that a stranger needs to check it, and the requests, which only the operator and the customer have. */
async function keepEvidence(
  stack: LocalStack,
  attested: readonly Attested[],
  reports: readonly ComplianceReceipt[],
): Promise<void> {
  for (const [i, { request, name }] of attested.entries()) {
    keep(join(EVIDENCE, `${name}.json`), reports[i]);
    keep(join(EVIDENCE, `${name}-request.json`), request);
  }
  const [first] = attested;
  const [report] = reports;
  const [receipt] = report?.receipts ?? [];
  if (first === undefined || report === undefined || receipt === undefined)
    throw new Error("nothing was recorded");
  keep(join(EVIDENCE, "call.json"), await getBundle(stack, first.request.interaction_id));
  keep(FORGED, { ...report, receipts: [{ ...receipt, verdict: "MODIFY" }] });
  writeFileSync(AUTHORITY, await getCertificate(stack));
}

function keep(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** Runs a command of `receipts` as a reader would, and shows what it prints. */
async function run(expected: number, ...args: readonly string[]): Promise<void> {
  const terminal = new Terminal({ out: process.stdout, err: process.stderr, environment: process.env });
  const status = await receipts(args, terminal);
  if (status !== expected) throw new Error(`"receipts ${args.join(" ")}" ended with ${status}`);
}

function conclude(): void {
  console.log(`
What this shows, without a key and without trusting the service:
  - ${SCRIPT.length} disclosures in 2 conversations were recorded, in exactly these wordings and in this order.
  - A receipt that is changed or moved does not hold. One that is left out in the middle shows in its neighbours, as above;
    one that is left out at the end shows in the chain's history (docs/history.md).
  - They existed by the times that the timestamp authority confirms.
It does not show that a person heard or read the words. The service sees digests only.

The evidence is in ${FOLDER}/. To look at it:
  npm run -s receipts -- verify ${CHECK.join(" ")}
  npm run -s receipts -- inspect ${join(EVIDENCE, "call.json")}
  npm run -s receipts -- verify ${FORGED}`);
}

const step = (text: string): boolean => process.stdout.write(`${text} … `);
const done = (text: string): void => console.log(text);
const heading = (text: string): void => console.log(`\n${text}:`);

main().catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
