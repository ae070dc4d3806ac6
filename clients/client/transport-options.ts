// The options of calls: the service's address, the key to it, and how long to try.
import { invalidOption, readLimit, requireFunction } from "./options.ts";
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
const API_KEY = /^[\x21-\x7e]{1,1024}$/;

/** Throws `invalid_options`, and never says what the key is. */
export function readTransportOptions(options: TransportOptions): TransportSettings {
  const { attempts, timeoutMs, deadlineMs } = DEFAULTS;
  requireFunction("fetch", options.fetch);
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

/** It may have a path, of a stage or a proxy. It must not have a password, for addresses end up in errors. */
function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw invalidOption("baseUrl", "must be the address of a service, such as https://…");
  const base = url.href.replace(/\/+$/, "");
  // Every path begins with it, so the service would be asked for /v1/v1/… and know no such path.
  if (base.endsWith("/v1")) throw invalidOption("baseUrl", "leave out the /v1 at its end");
  return base;
}

function readApiKey(key: unknown): string {
  if (typeof key === "string" && API_KEY.test(key)) return key;
  throw invalidOption(
    "apiKey",
    "must be one word of visible ASCII characters, with no line break at its end",
  );
}
