// One call of the service's interface: its address, its key, its JSON.
import { parseJson } from "../core/canonical-json.ts";
import { ClientError } from "./errors.ts";
import { type Answer, sendWithRetry } from "./retry.ts";
import { readRetryAfter } from "./retry-after.ts";

const DEFAULT_ATTEMPTS = 5;
const DEFAULT_TIMEOUT_MS = 5_000;

export interface TransportOptions {
  /** The service's address, without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a call is sent in all (default 5), and how long each answer may take (default 5,000 ms). */
  readonly attempts?: number;
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface Call {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

export class Transport {
  readonly #base: string;
  readonly #authorization: string;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    // Not `new URL(path, base)`: that would drop the path that a stage or a proxy puts in front.
    this.#base = new URL(options.baseUrl).href.replace(/\/+$/, "");
    // Refused here, not at the first disclosure, where it is no header value.
    this.#authorization =
      new Headers({ authorization: `Bearer ${options.apiKey}` }).get("authorization") ?? "";
    this.#options = options;
  }

  /** The JSON of a good answer. Throws `refused` or `undeliverable`, and the signal's reason. */
  async call(path: string, { signal, ...init }: Call = {}): Promise<unknown> {
    const { attempts = DEFAULT_ATTEMPTS, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const send = (attemptSignal: AbortSignal) => this.#send(path, { ...init, signal: attemptSignal });
    const { status, body } = await sendWithRetry(send, { attempts, timeoutMs }, signal);
    if (isGood(status)) return body;
    throw new ClientError("refused", `the service refused: ${describe(status, body)}`, {
      evidence: body,
      status,
    });
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    // Unbound, as a browser's fetch wants it. A redirect would carry the request to somebody else.
    const fetch = this.#options.fetch ?? globalThis.fetch;
    const headers = { ...init.headers, authorization: this.#authorization };
    const response = await fetch(this.#base + path, { ...init, headers, redirect: "manual" });
    const { status, headers: answered } = response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status, body: readBody(status, bytes), retryAfterMs: readRetryAfter(answered, Date.now()) };
  }
}

/** A good status over something else than JSON is no answer of the service, but of a gateway on the way: throws. */
function readBody(status: number, bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (isGood(status)) throw error;
    return null;
  }
}

const isGood = (status: number): boolean => status >= 200 && status < 300;

function describe(status: number, body: unknown): string {
  const title = typeof body === "object" && body !== null && "title" in body ? body.title : null;
  return typeof title === "string" ? `${status}, ${title}` : String(status);
}
