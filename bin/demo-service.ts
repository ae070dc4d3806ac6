// The calls that the demo makes, and the wordings that it records.
import { setTimeout as sleep } from "node:timers/promises";
import { ATTESTATION_PATH, INTERACTIONS_PATH, TRUST_ANCHORS_PATH } from "../contract/public-paths.ts";
import { parseJson } from "../evidence/core/canonical-json.ts";
import type { AttestationRequest } from "../evidence/core/formats/attestation-request.ts";
import {
  type ComplianceReceipt,
  complianceReceiptSchema,
} from "../evidence/core/formats/compliance-receipt.ts";
import { disclosureOf } from "../evidence/policy/wordings.ts";
import type { LocalStack } from "../host/local/stack.ts";

const SEAL_PATIENCE_MS = 30_000;
const POLL_MS = 250;

interface OutputLine {
  /** Names the files of this line. */
  readonly name: string;
  readonly said: string;
  readonly call: string;
  /** By its id in evidence/policy/de.json. */
  readonly wording: string;
}

export const SCRIPT: readonly OutputLine[] = [
  {
    name: "call-1",
    said: "the greeting of a voice call",
    call: "demo-call",
    wording: "de-voice-introduction-4",
  },
  {
    name: "call-2",
    said: "a reminder at a new topic",
    call: "demo-call",
    wording: "de-voice-reminder-3",
  },
  {
    name: "call-3",
    said: "the notice of another AI that takes over",
    call: "demo-call",
    wording: "de-voice-handoff-ai-1",
  },
  {
    name: "chat-1",
    said: "the notice in a chat reply",
    call: "demo-chat",
    wording: "de-chat-notice-3",
  },
];

export interface Attested {
  readonly name: string;
  readonly request: AttestationRequest;
  readonly answer: ComplianceReceipt;
}

export async function attest({ url, apiKey }: LocalStack, line: OutputLine): Promise<Attested> {
  const request = buildRequest(line);
  const response = await fetch(`${url}${ATTESTATION_PATH}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    body: JSON.stringify(request),
  });
  return { name: line.name, request, answer: complianceReceiptSchema.parse(await readAnswer(response)) };
}

const buildRequest = ({ call, wording }: OutputLine): AttestationRequest => ({
  interaction_id: call,
  agent_identity: "demo-agent",
  ...disclosureOf(wording),
});

/** The report of a receipt, once a root over it is published. */
export async function sealedReport(stack: LocalStack, eventId: string): Promise<ComplianceReceipt> {
  const deadline = performance.now() + SEAL_PATIENCE_MS;
  while (performance.now() < deadline) {
    const answer = await readAnswer(await get(stack, `${ATTESTATION_PATH}/${eventId}`));
    const report = complianceReceiptSchema.parse(answer);
    if (report.merkle_proof.status === "included") return report;
    await sleep(POLL_MS);
  }
  throw new Error(`no root over ${eventId} was published within ${SEAL_PATIENCE_MS / 1000} seconds`);
}

/** All receipts of a conversation. */
export const getBundle = async (stack: LocalStack, interactionId: string): Promise<unknown> =>
  readAnswer(await get(stack, `${INTERACTIONS_PATH}/${interactionId}`));

/** The timestamp authority's certificate, in PEM. */
export const getCertificate = async ({ url }: LocalStack): Promise<string> =>
  (await fetch(`${url}${TRUST_ANCHORS_PATH}`)).text();

const get = ({ url, apiKey }: LocalStack, path: string): Promise<Response> =>
  fetch(url + path, { headers: { authorization: `Bearer ${apiKey}` } });

async function readAnswer(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
  return parseJson(new Uint8Array(await response.arrayBuffer()));
}
