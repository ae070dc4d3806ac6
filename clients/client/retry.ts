// Sends a call until there is an answer, up to a limit: backoff with jitter, and never sooner than the service asks.
import { HOUR_MS, SECOND_MS } from "../../contract/time.ts";
import { ClientError } from "./errors.ts";

export interface RetryLimits {
  /** The number of attempts in all. */
  readonly attempts: number;
  /** The time that one answer may take, to its last byte, in milliseconds. */
  readonly timeoutMs: number;
  /** The time that all attempts may take, pauses included, in milliseconds. */
  readonly deadlineMs: number;
}

/** One answer of the service. */
export interface CallAnswer {
  readonly status: number;
  /** The JSON of the body; null where it is not JSON. */
  readonly body: unknown;
  readonly retryAfterMs: number;
  /** The header Disclosure-Warning: a sentence about the request, which was accepted all the same; null without it. */
  readonly warning: string | null;
}

const BASE_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/** These don't judge the call itself, and the Idempotency-Key makes sending it again harmless. */
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);

const SECONDS = /^\d{1,9}$/;
/** IMF-fixdate. Date.parse alone would take "in 5 minutes" for a day of May. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** No service is waited for longer at a time; a timer of more than 24 days would end at once. */
const MAX_RETRY_AFTER_MS = HOUR_MS;

type Send = (signal: AbortSignal) => Promise<CallAnswer>;
type AttemptOutcome = { readonly answer: CallAnswer | null; readonly error: unknown };

/** The first answer that is not worth another try. Throws `undeliverable` where there is none. */
export async function sendWithRetry(
  send: Send,
  limits: RetryLimits,
  signal?: AbortSignal,
): Promise<CallAnswer> {
  const deadline = performance.now() + limits.deadlineMs;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const timeoutMs = Math.min(limits.timeoutMs, deadline - performance.now());
    const { answer, error } = await sendOnce(send, timeoutMs, signal);
    if (answer !== null && !RETRIED.has(answer.status)) return answer;
    const delayMs = Math.max(backoffAfter(attempt), answer?.retryAfterMs ?? 0);
    const isTooLate = performance.now() + delayMs >= deadline;
    if (attempt >= limits.attempts || isTooLate) throw undeliverable(answer, error);
    await wait(delayMs, signal);
  }
}

/** Throws only where the caller gave up; a failure of the network or a timeout is an outcome. */
async function sendOnce(
  send: Send,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<AttemptOutcome> {
  // AbortSignal.any would leak here: on a signal that lives as long as the program, its dependents would pile up.
  const attempt = new AbortController();
  const giveUp = (): void => attempt.abort(signal?.reason);
  const timer = setTimeout(() => attempt.abort(new Error("the service did not answer in time")), timeoutMs);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return { answer: await send(attempt.signal), error: undefined };
  } catch (error) {
    signal?.throwIfAborted();
    return { answer: null, error };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

function undeliverable(answer: CallAnswer | null, cause: unknown): ClientError {
  if (answer === null) return new ClientError("undeliverable", "the service gave no answer", { cause });
  const { status, body: evidence, retryAfterMs } = answer;
  const message = `the service can't take the call now: ${status}`;
  return new ClientError("undeliverable", message, { evidence, status, retryAfterMs });
}

/** Fully random, so that clients that failed together do not come back together. */
const backoffAfter = (attempt: number): number =>
  Math.random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);

/** Rejects with the signal's reason. */
export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  const giveUp = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  });
}

/** The Retry-After of an answer (RFC 9110 section 10.2.3) in milliseconds; 0 where there is none that can be read. */
export function readRetryAfter(headers: Headers, now: number): number {
  const asked = headers.get("retry-after")?.trim() ?? "";
  if (SECONDS.test(asked)) return Math.min(Number(asked) * SECOND_MS, MAX_RETRY_AFTER_MS);
  // Both dates are by the service's clock, so that a wrong one on this side does not matter.
  const delay = readDate(asked, Number.NaN) - readDate(headers.get("date") ?? "", now);
  return delay > 0 ? Math.min(delay, MAX_RETRY_AFTER_MS) : 0;
}

const readDate = (text: string, otherwise: number): number =>
  HTTP_DATE.test(text) ? Date.parse(text) : otherwise;
