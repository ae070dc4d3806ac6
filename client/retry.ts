// Sending until there is an answer: backoff with jitter, and never sooner than the service asks for.
import { ClientError } from "./errors.ts";

export interface RetryOptions {
  /** How often a call is sent in all. */
  readonly attempts: number;
  /** How long one answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

const BASE_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/** A longer Retry-After than this is not waited for: the caller has a conversation to go on with. */
const MAX_RETRY_AFTER_MS = 30_000;
/** 408 and 5xx say nothing about the call itself; the Idempotency-Key makes sending it again harmless. */
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);

/** The first answer that is not worth another try. Throws `undeliverable` where there is none. */
export async function sendWithRetry(
  send: (signal: AbortSignal) => Promise<Response>,
  { attempts, timeoutMs }: RetryOptions,
  signal?: AbortSignal,
): Promise<Response> {
  let last: unknown = null;
  for (let attempt = 0; attempt < attempts; attempt++) {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    const outcome = await sendOnce(send, signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
    if (outcome.response !== null && !RETRIED.has(outcome.response.status)) return outcome.response;
    last = outcome.response ?? outcome.error;
    const delay = delayBefore(attempt + 1, outcome.response);
    if (delay === null || attempt + 1 === attempts) break;
    await wait(delay, signal);
  }
  throw new ClientError("undeliverable", "the service gave no answer", await evidenceOf(last), last);
}

type Outcome =
  | { readonly response: Response; readonly error: null }
  | { readonly response: null; readonly error: unknown };

async function sendOnce(
  send: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return { response: await send(signal), error: null };
  } catch (error) {
    return { response: null, error };
  }
}

/** Milliseconds, or null where the service asks for more patience than a caller has. */
function delayBefore(attempt: number, response: Response | null): number | null {
  const backoff = Math.random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);
  const asked = readRetryAfter(response?.headers.get("retry-after") ?? null);
  if (asked > MAX_RETRY_AFTER_MS) return null;
  return Math.max(backoff, asked);
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function readRetryAfter(header: string | null): number {
  if (header === null) return 0;
  const seconds = Number(header);
  const delay = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(delay) && delay > 0 ? delay : 0;
}

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, delayMs);
    signal?.addEventListener("abort", finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
  });
}

async function evidenceOf(last: unknown): Promise<unknown> {
  return last instanceof Response ? { status: last.status, body: await last.text().catch(() => "") } : null;
}
