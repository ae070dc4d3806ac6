// Sending until there is an answer: backoff with jitter, and never sooner than the service asks for.
import { ClientError } from "./errors.ts";

export interface RetryOptions {
  /** How often a call is sent in all. */
  readonly attempts: number;
  /** How long one answer may take, to its last byte, in milliseconds. */
  readonly timeoutMs: number;
}

/** One answer of the service. */
export interface Answer {
  readonly status: number;
  /** The JSON of the body; null where it is none. */
  readonly body: unknown;
  readonly retryAfterMs: number;
}

const BASE_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/** A longer Retry-After than this is not waited for: the caller has a conversation to go on with. */
const MAX_RETRY_AFTER_MS = 30_000;
/** These say nothing about the call itself, and the Idempotency-Key makes sending it again harmless. */
const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504]);

type Send = (signal: AbortSignal) => Promise<Answer>;
type Outcome = { readonly answer: Answer | null; readonly error: unknown };

/** The first answer that is not worth another try. Throws `undeliverable` where there is none. */
export async function sendWithRetry(
  send: Send,
  options: RetryOptions,
  signal?: AbortSignal,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const { answer, error } = await sendOnce(send, options.timeoutMs, signal);
    if (answer !== null && !RETRIED.has(answer.status)) return answer;
    const askedMs = answer?.retryAfterMs ?? 0;
    if (attempt >= options.attempts || askedMs > MAX_RETRY_AFTER_MS) throw undeliverable(answer, error);
    await wait(Math.max(backoffAfter(attempt), askedMs), signal);
  }
}

/** Throws only where the caller gave up; a failure of the network or of time is an outcome. */
async function sendOnce(send: Send, timeoutMs: number, signal: AbortSignal | undefined): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await send(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
    return { answer, error: undefined };
  } catch (error) {
    signal?.throwIfAborted();
    return { answer: null, error };
  }
}

function undeliverable(answer: Answer | null, cause: unknown): ClientError {
  if (answer === null) return new ClientError("undeliverable", "the service gave no answer", { cause });
  const { status, body: evidence, retryAfterMs } = answer;
  const message = `the service can't take the call now: ${status}`;
  return new ClientError("undeliverable", message, { evidence, status, retryAfterMs });
}

/** All of it random, so that the clients that failed together do not come back together. */
const backoffAfter = (attempt: number): number =>
  Math.random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  });
}
