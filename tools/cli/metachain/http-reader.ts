// Reads files of one origin over HTTP. The server is not trusted: it may send no more bytes, and take no more time or
// redirects, than a root needs. No other origin than the one that the reader named is ever contacted.
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { MAX_ROOT_BYTES } from "../../../contract/limits.ts";
import { SECOND_MS } from "../../../contract/time.ts";
import { DisclosureError, isDisclosureError } from "../../../evidence/core/errors.ts";
import { collect } from "../files/read-file.ts";

/** From the request to the last byte of the answer. */
const REQUEST_MS = 15_000;
const MAX_REDIRECTS = 5;
const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
const MAX_PROBLEM_BYTES = 16 * 1024;
/** Characters of a refusal's own words that are shown. */
const MAX_DETAIL = 300;
const problemSchema = z.object({ detail: z.string() });

/** A failure that may pass: the answer says so, or there was no answer. */
class Passing extends Error {
  readonly pauseMs: number | null;
  /** True for a rate limit: the server works, and asks to be left alone for a while. */
  readonly isThrottled: boolean;

  constructor(message: string, { pauseMs = null, isThrottled = false, cause }: PassingDetails = {}) {
    super(message, { cause });
    this.pauseMs = pauseMs;
    this.isThrottled = isThrottled;
  }
}

interface PassingDetails {
  readonly pauseMs?: number | null;
  readonly isThrottled?: boolean;
  readonly cause?: unknown;
}

export interface HttpReaderOptions {
  /** These headers go with every request, and so to the one origin alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many answers of a rate limit one request waits out before they count as failures; none by default. */
  readonly maxThrottled?: number;
  /** The most bytes of an answer; those of a root by default. */
  readonly maxBytes?: number;
}

export class HttpReader {
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #maxThrottled: number;
  readonly #maxBytes: number;

  /** `base` ends in a slash. */
  constructor(
    base: URL,
    { headers = {}, maxThrottled = 0, maxBytes = MAX_ROOT_BYTES }: HttpReaderOptions = {},
  ) {
    this.#base = base;
    this.#headers = headers;
    this.#maxThrottled = maxThrottled;
    this.#maxBytes = maxBytes;
  }

  /** The body, or null for a 404; a fault that may pass is tried again, after longer and longer pauses. */
  async get(path: string): Promise<Uint8Array | null> {
    const url = new URL(path, this.#base);
    let throttled = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryOnce(url);
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        if (error.isThrottled && throttled < this.#maxThrottled) {
          throttled += 1;
          attempt -= 1;
        }
        if (attempt === MAX_TRIES) throw unavailable(`${url}: ${error.message}`, error);
        const pause = error.pauseMs ?? FIRST_PAUSE_MS * 2 ** Math.max(0, attempt - 1) * (0.5 + Math.random());
        await sleep(Math.min(pause, MAX_PAUSE_MS));
      }
    }
  }

  async #tryOnce(url: URL): Promise<Uint8Array | null> {
    const signal = AbortSignal.timeout(REQUEST_MS);
    try {
      return await readAnswer(await this.#follow(url, signal), this.#maxBytes);
    } catch (error) {
      if (isDisclosureError(error, "payload_too_large")) throw unavailable(`${url}: ${error.message}`, error);
      if (error instanceof Passing || isDisclosureError(error)) throw error;
      throw new Passing(reasonOf(error), { cause: error });
    }
  }

  async #follow(start: URL, signal: AbortSignal): Promise<Response> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await fetch(url, { redirect: "manual", signal, headers: this.#headers });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      url = this.#redirected(location, url);
    }
    throw unavailable(`${start} redirects in circles`);
  }

  /** A stranger's redirect could lead to a machine inside the reader's own network. */
  #redirected(location: string, from: URL): URL {
    const url = URL.parse(location, from);
    if (url?.origin === this.#base.origin && url.username === "" && url.password === "") return url;
    throw unavailable(`${from} redirects to another host, which is not contacted`);
  }
}

async function readAnswer(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  if (response.status === 200 && response.body !== null) return collect(response.body, maxBytes);
  const message = `the answer is ${response.status}`;
  const isGone = response.status === 404 || response.status === 410;
  if (!isGone && response.status !== 429 && response.status < 500)
    throw unavailable(`${response.url}: ${message}${await readDetail(response)}`);
  await response.body?.cancel();
  if (isGone) return null;
  const pauseMs = pauseOf(response.headers.get("retry-after"));
  throw new Passing(message, { pauseMs, isThrottled: response.status === 429 });
}

/** Reads what a problem (RFC 9457) says is wrong; an answer that is no problem gives an empty text. */
async function readDetail(response: Response): Promise<string> {
  try {
    const body = response.body && (await collect(response.body, MAX_PROBLEM_BYTES));
    const { detail } = problemSchema.parse(JSON.parse(new TextDecoder().decode(body ?? new Uint8Array())));
    return `: ${detail.slice(0, MAX_DETAIL)}`;
  } catch {
    // The status says what the answer is, whatever else the answer holds.
    return "";
  }
}

/** Retry-After in seconds, as milliseconds; null for one that is a date. */
const pauseOf = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * SECOND_MS : null;

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  const cause = error instanceof Error ? error.cause : undefined;
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === "string" ? `can't be reached (${code})` : "can't be reached";
}

export const unavailable = (message: string, cause?: unknown): DisclosureError =>
  new DisclosureError("publication_unavailable", message, {}, cause);

/** Refuses pages that lead back to one another. */
export const inCircles = (what: string) => (): never => {
  throw unavailable(`the pages of ${what} go in circles`);
};
