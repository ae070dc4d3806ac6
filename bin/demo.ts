// `npm run demo`: the main job on real input. Attests a German voice conversation and a chat reply, waits for the
// seal, and checks everything as a stranger would: without a key. Exits non-zero if anything does not hold.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "../core/canonical-json.ts";
import type { AttestationRequest } from "../core/formats/attestation-request.ts";
import { type ComplianceReceipt, complianceReceiptSchema } from "../core/formats/compliance-receipt.ts";
import { metachainSchema, type Seal, sealSchema } from "../core/formats/metachain.ts";
import { parseCertificatesPem } from "../core/timestamps/x509/pem.ts";
import type { Check, Verification } from "../core/verify/check.ts";
import { verifyLinks } from "../core/verify/verify-links.ts";
import { type ReaderKnowledge, verifyReceipt } from "../core/verify/verify-receipt.ts";
import { verifySeal } from "../core/verify/verify-seal.ts";
import { readSettings } from "../local/settings.ts";
import { type LocalStack, startStack } from "../local/stack.ts";
import { policyLayers } from "../policy/index.ts";

const SEAL_INTERVAL_SECONDS = 1;
const SEAL_PATIENCE_MS = 30_000;
const POLL_MS = 250;

/** The wordings that are spoken and shown, by their ids in policy/de.json. */
const SCRIPT: readonly { wording: string; method: string; said: string; call: string }[] = [
  {
    call: "demo-call",
    wording: "de-voice-introduction-1",
    method: "spoken_introduction",
    said: "the greeting",
  },
  { call: "demo-call", wording: "de-voice-reminder-1", method: "spoken_reminder", said: "a new topic" },
  { call: "demo-call", wording: "de-voice-reminder-1", method: "spoken_reminder", said: "a hand-off" },
  { call: "demo-chat", wording: "de-chat-notice-1", method: "written_notice", said: "a chat reply" },
];

interface Attested {
  readonly request: AttestationRequest;
  readonly answer: ComplianceReceipt;
  readonly said: string;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-demo-"));
  step("Starting the service on this machine");
  const stack = await startStack(
    readSettings({ PORT: "0", DATA_DIR: folder, SEAL_INTERVAL_SECONDS: String(SEAL_INTERVAL_SECONDS) }),
  );
  try {
    await walkThrough(stack);
  } finally {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function walkThrough(stack: LocalStack): Promise<void> {
  done(stack.url);
  const attested: Attested[] = [];
  for (const line of SCRIPT) attested.push(await attestLine(stack, line));
  step("Waiting until the sealer has published a root over all of them");
  const reports = await Promise.all(attested.map(({ answer }) => sealedReport(stack, answer.event_id)));
  done(`root ${reports.at(-1)?.merkle_proof.merkle_root}`);

  step("Fetching what the public can see: the roots and the timestamp authority's certificate");
  const seals = await publishedSeals(stack);
  const trustAnchors = parseCertificatesPem(await (await get(stack, "/tsa/certificate.pem")).text());
  done(`${seals.length} ${seals.length === 1 ? "root" : "roots"}`);
  await checkSeals(seals, trustAnchors);
  for (const [i, { request, answer, said }] of attested.entries()) {
    await checkReceipt(`${said}, as it was answered`, answer, { request, trustAnchors });
    const report = reports[i] ?? answer;
    const seal = seals[report.merkle_proof.cross_tenant_proof?.seal_index ?? -1] ?? null;
    await checkReceipt(`${said}, against the published root`, report, { request, seal, trustAnchors });
  }
  await checkLinks(attested);
  await checkThatDamageShows(reports[0]);
  conclude(attested, seals);
}

async function attestLine(stack: LocalStack, line: (typeof SCRIPT)[number]): Promise<Attested> {
  const request = buildRequest(line);
  step(`Attesting ${line.said} (${request.modality}, ${line.wording})`);
  const response = await fetch(`${stack.url}/v1/attestation`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${stack.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    body: JSON.stringify(request),
  });
  const answer = complianceReceiptSchema.parse(await readAnswer(response));
  const [receipt] = answer.receipts;
  done(
    `${receipt?.verdict}, receipt ${receipt?.sequence} of the chain, turn ${receipt?.turn} of the conversation`,
  );
  return { request, answer, said: line.said };
}

function buildRequest({ call, wording: id, method }: (typeof SCRIPT)[number]): AttestationRequest {
  const wording = policyLayers.flatMap(({ wordings }) => wordings).find((candidate) => candidate.id === id);
  if (wording === undefined) throw new Error(`policy/de.json has no wording ${id}`);
  return {
    interaction_id: call,
    modality: wording.modality,
    article_50_clause: "1",
    disclosure_method: method,
    agent_identity: "demo-agent",
    jurisdiction: "DE",
    subject_hash: wording.digest,
  };
}

async function sealedReport(stack: LocalStack, eventId: string): Promise<ComplianceReceipt> {
  const deadline = performance.now() + SEAL_PATIENCE_MS;
  while (performance.now() < deadline) {
    const response = await get(stack, `/v1/attestation/${eventId}`, stack.apiKey);
    const report = complianceReceiptSchema.parse(await readAnswer(response));
    if (report.merkle_proof.status === "included") return report;
    await sleep(POLL_MS);
  }
  throw new Error(`no root over ${eventId} was published within ${SEAL_PATIENCE_MS / 1000} seconds`);
}

async function publishedSeals(stack: LocalStack): Promise<Seal[]> {
  const { size } = metachainSchema.parse(await readAnswer(await get(stack, "/v1/metachain")));
  const paths = Array.from({ length: size }, (_, index) => `/v1/metachain/roots/${index}`);
  return Promise.all(paths.map(async (path) => sealSchema.parse(await readAnswer(await get(stack, path)))));
}

async function checkSeals(seals: readonly Seal[], trustAnchors: readonly Uint8Array[]): Promise<void> {
  for (const seal of seals) {
    const previous = seals[seal.index - 1];
    const knowledge = { trustAnchors, ...(previous !== undefined && { previous }) };
    report(`seal ${seal.index}`, await verifySeal(seal, knowledge));
  }
}

async function checkReceipt(
  what: string,
  receipt: ComplianceReceipt,
  knowledge: ReaderKnowledge,
): Promise<void> {
  report(what, await verifyReceipt(receipt, knowledge));
}

async function checkLinks(attested: readonly Attested[]): Promise<void> {
  for (const [call, members] of Map.groupBy(attested, ({ request }) => request.interaction_id)) {
    const receipts = members.flatMap(({ answer }) => answer.receipts);
    report(`the links between the receipts of ${call}`, await verifyLinks(receipts));
  }
}

/** A check that could not fail would prove nothing. */
async function checkThatDamageShows(good: ComplianceReceipt | undefined): Promise<void> {
  step("Changing one word of a receipt");
  const [receipt] = good?.receipts ?? [];
  if (good === undefined || receipt === undefined) throw new Error("there is no receipt to change");
  const forged = { ...good, receipts: [{ ...receipt, verdict: "MODIFY" }] };
  const { valid, checks } = await verifyReceipt(forged);
  if (valid) throw new Error("a changed receipt was accepted");
  done(`refused: ${failures(checks)}`);
}

function conclude(attested: readonly Attested[], seals: readonly Seal[]): void {
  const calls = new Set(attested.map(({ request }) => request.interaction_id)).size;
  const roots = seals.length === 1 ? "1 published root covers" : `${seals.length} published roots cover`;
  console.log(`
What was proved, without a key and without trusting the service:
  - ${attested.length} disclosures in ${calls} conversations were recorded, in exactly these wordings and in this order.
  - None of the receipts can be dropped, changed or moved in its chain without it showing.
  - ${roots} all of them, and the timestamp authority's tokens say when at the latest they existed.
Not proved: that a person heard or read the words. The service sees digests only.`);
}

const get = (stack: LocalStack, path: string, apiKey?: string): Promise<Response> =>
  fetch(stack.url + path, apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } });

async function readAnswer(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
  return parseJson(new Uint8Array(await response.arrayBuffer()));
}

function report(what: string, { valid, checks }: Verification): void {
  step(`Checking ${what}`);
  if (!valid) throw new Error(`${what} does not hold: ${failures(checks)}`);
  done(`${checks.filter(({ ok }) => ok).length} checks hold`);
}

const failures = (checks: readonly Check[]): string =>
  checks
    .filter(({ ok }) => ok === false)
    .map(({ name, detail }) => `${name}: ${detail}`)
    .join("; ");

const step = (text: string): boolean => process.stdout.write(`${text} … `);
const done = (text: string): void => console.log(text);

main().catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
