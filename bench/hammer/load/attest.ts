// One logical call: sent again, as our client does it, until there is an answer that judges it.
import {
  type CallAnswer,
  type RetryLimits,
  readRetryAfter,
  sendWithRetry,
} from "../../../clients/client/retry.ts";
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import { DAY_MS } from "../../../contract/time.ts";
import { indexIn, type Random } from "../../throughput/random.ts";
import type { LoadTenant } from "../world/tenants.ts";
import type { Findings } from "./findings.ts";
import { type AnsweredReceipt, type CallJournal, readAnswer } from "./journal.ts";
import type { Measures } from "./measures.ts";

/** The call goes on until the run ends, whatever the service does. Only the time of one try is our client's default. */
const PATIENT: RetryLimits = { attempts: 1_000_000, timeoutMs: 10_000, deadlineMs: DAY_MS };
/** A call without an Idempotency-Key must not be sent twice. */
const ONCE: RetryLimits = { ...PATIENT, attempts: 1 };
const OK = 200;
const UNPROCESSABLE = 422;

export interface Attesting {
  /** Where attestations are sent; each try goes to any of them. */
  readonly attestUrls: () => readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly journal: CallJournal;
  readonly measures: Measures;
  readonly findings: Findings;
  /** Ends the calls that are still without an answer. */
  readonly over: AbortSignal;
}

export interface AttestCall {
  readonly tenant: LoadTenant;
  readonly apiKey: string;
  readonly interactionId: string;
  /** Null for a call that is sent once. */
  readonly idempotencyKey: string | null;
  readonly body: string;
  /** Statuses that are no surprise, beside 200. */
  readonly expected: readonly number[];
}

export interface AttestOutcome {
  /** Null where no answer came. */
  readonly status: number | null;
  readonly receipt: AnsweredReceipt | null;
}

export const REFUSED = [UNPROCESSABLE] as const;

export async function attestOnce(
  call: AttestCall,
  attesting: Attesting,
  random: Random,
): Promise<AttestOutcome> {
  const { journal, measures, findings } = attesting;
  const [asked_at, began] = [Date.now(), performance.now()];
  let tries = 0;
  const send = (signal: AbortSignal): Promise<CallAnswer> => {
    tries++;
    return sendTo(urlOf(attesting, random), call, attesting, signal);
  };
  const limits = call.idempotencyKey === null ? ONCE : PATIENT;
  // Without an answer before the run is over, or with one that judges nothing, the call stays open.
  const answer = await sendWithRetry(send, limits, attesting.over).catch(() => null);
  if (tries === 0) return { status: null, receipt: null };
  measures.retries += tries - 1;
  const receipt = answer?.status === OK ? readAnswer(answer.body) : null;
  if (answer !== null) measures.took("attest", performance.now() - began);
  if (answer !== null && (answer.status === OK ? receipt === null : !call.expected.includes(answer.status)))
    findings.add("attest", `a call was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const { tenant, interactionId: interaction_id, idempotencyKey: idempotency_key, body } = call;
  const status = answer?.status ?? null;
  const made = {
    tenant: tenant.index,
    interaction_id,
    idempotency_key,
    body,
    asked_at,
    answered_at: Date.now(),
  };
  journal.write({ ...made, tries, status }, receipt);
  return { status, receipt };
}

function urlOf({ attestUrls }: Attesting, random: Random): string {
  const urls = attestUrls();
  return urls[indexIn(random, urls.length)] ?? "";
}

async function sendTo(
  url: string,
  { apiKey, idempotencyKey, body }: AttestCall,
  { headers, measures }: Attesting,
  signal: AbortSignal,
): Promise<CallAnswer> {
  const key = idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey };
  const sent = { ...headers, ...key, authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  try {
    const response = await fetch(url + ATTESTATION_PATH, { method: "POST", headers: sent, body, signal });
    const answer: unknown = await response.json();
    measures.answered(response.status);
    const retryAfterMs = readRetryAfter(response.headers, Date.now());
    return { status: response.status, body: answer, retryAfterMs, warning: null };
  } catch (error) {
    measures.answered(0);
    throw error;
  }
}
