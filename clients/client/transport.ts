// One call of the service's API: its address, its key, its JSON.
import { WARNING_HEADER } from "../../contract/warning-header.ts";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { collectBytes } from "../../evidence/core/collect-bytes.ts";
import { printable } from "../../evidence/core/printable.ts";
import { ClientError } from "./errors.ts";
import { type CallAnswer, readRetryAfter, sendWithRetry } from "./retry.ts";
import { readTransportOptions, type TransportOptions, type TransportSettings } from "./transport-options.ts";

/** Twice the largest answer, a page of a conversation. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_TITLE = 200;

export interface HttpCall {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

export class Transport {
  readonly #settings: TransportSettings;

  /** Throws `invalid_options`. */
  constructor(options: TransportOptions) {
    this.#settings = readTransportOptions(options);
  }

  /** A good answer. Throws `refused` or `undeliverable`, and the signal's reason. */
  async call(path: string, { signal, ...init }: HttpCall = {}): Promise<CallAnswer> {
    const send = (attemptSignal: AbortSignal) => this.#send(path, { ...init, signal: attemptSignal });
    const answer = await sendWithRetry(send, this.#settings.limits, signal);
    const { status, body } = answer;
    if (isGood(status)) return answer;
    const message = `the service refused: ${describe(status, body)}`;
    throw new ClientError("refused", message, { evidence: body, status });
  }

  async #send(path: string, init: RequestInit): Promise<CallAnswer> {
    const { base, authorization, fetch: own } = this.#settings;
    // Unbound, as a browser's fetch wants it.
    const fetch = own ?? globalThis.fetch;
    const headers = { ...init.headers, authorization };
    // A redirect would carry the request, and maybe the key, to another server.
    const response = await fetch(base + path, { ...init, headers, redirect: "manual" });
    const bytes = await readBytes(response);
    const { status, headers: answered } = response;
    const warning = answered.get(WARNING_HEADER);
    return {
      status,
      body: readBody(status, bytes),
      retryAfterMs: readRetryAfter(answered, Date.now()),
      warning: warning === null ? null : printable(warning),
    };
  }
}

/** Throws where the answer is longer than any answer of the service. */
async function readBytes({ body }: Response): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const bytes = await collectBytes(chunksOf(body), MAX_ANSWER_BYTES);
  if (bytes === null) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
  return bytes;
}

/** Some runtimes can't iterate over a stream. A reader that stops early cancels it. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

/** A good status over something else than JSON comes from a gateway on the way and not from the service: throws. */
function readBody(status: number, bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (isGood(status)) throw error;
    return null;
  }
}

const isGood = (status: number): boolean => status >= 200 && status < 300;

/** The service's own title for the problem. A title from anybody else may be of any length, so it is cut. */
function describe(status: number, body: unknown): string {
  const title = typeof body === "object" && body !== null && "title" in body ? body.title : null;
  return typeof title === "string" ? `${status}, ${title.slice(0, MAX_TITLE)}` : String(status);
}
