// Where the service is, the key to it, and how long to try: checked once, before the first disclosure needs them.
import { ClientError } from "./errors.ts";
import type { RetryLimits } from "./retry.ts";

export interface TransportOptions extends Partial<RetryLimits> {
  /** The service's address, without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** In place of the runtime's own; it must heed the signal that it is given. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface TransportSettings {
  readonly base: string;
  readonly authorization: string;
  readonly limits: RetryLimits;
  readonly fetch: typeof globalThis.fetch | undefined;
}

const DEFAULTS: RetryLimits = { attempts: 5, timeoutMs: 10_000, deadlineMs: 30_000 };
/** The longest that a timer can wait. */
const MAX_LIMIT = 2 ** 31 - 1;
const API_KEY = /^[\x21-\x7e]{1,1024}$/;

/** Throws `invalid_options`, and never says what the key is. */
export function readTransportOptions(options: TransportOptions): TransportSettings {
  const { attempts, timeoutMs, deadlineMs } = DEFAULTS;
  return {
    base: readBaseUrl(options.baseUrl),
    authorization: `Bearer ${readApiKey(options.apiKey)}`,
    limits: {
      attempts: readLimit("attempts", options.attempts ?? attempts),
      timeoutMs: readLimit("timeoutMs", options.timeoutMs ?? timeoutMs),
      deadlineMs: readLimit("deadlineMs", options.deadlineMs ?? deadlineMs),
    },
    fetch: options.fetch,
  };
}

/** A whole number from 1 on. Throws `invalid_options`. */
export function readLimit(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT) return value;
  throw new ClientError("invalid_options", `${name}: must be a whole number from 1 to ${MAX_LIMIT}`);
}

/** A path may be in it, of a stage or a proxy; a password may not, for addresses end up in errors. */
function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new ClientError("invalid_options", "baseUrl: must be the address of a service, such as https://…");
}

function readApiKey(key: unknown): string {
  if (typeof key === "string" && API_KEY.test(key)) return key;
  throw new ClientError(
    "invalid_options",
    "apiKey: must be one word of visible ASCII characters, with no line break at its end",
  );
}
