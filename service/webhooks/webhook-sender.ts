// Sends one message to a receiver that may be anybody: over https, to the very address that was checked, without
// following where it points, within a time, and without reading what it says.
import { lookup as resolve } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { SECOND_MS } from "../../contract/time.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";
import { parseWebhookUrl, type WebhookReach } from "./webhook-url.ts";

/** From the lookup of the name to the answer's status. */
const TOTAL_MS = 5_000;
/** An answer with more bytes than these is cut off: its status is all that counts. */
const MAX_ANSWER_BYTES = 16 * 1_024;

/** The reasons for which there may be no answer. */
type NoAnswer = "timeout" | "refused_address" | "no_connection";

export interface Posted {
  /** The HTTP status, or why there is none. */
  readonly status: number | NoAnswer;
  /** How long the receiver asks to be left alone, in milliseconds; null where it says nothing. */
  readonly retryAfterMs: number | null;
}

export interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Never throws. */
export type PostMessage = (message: OutgoingMessage) => Promise<Posted>;

export const isDelivered = ({ status }: Posted): boolean =>
  typeof status === "number" && status >= 200 && status < 300;

class RefusedAddress extends Error {}

export function postFrom(reach: WebhookReach, totalMs = TOTAL_MS): PostMessage {
  const isAllowed = (address: string): boolean =>
    isPublicAddress(address) || (reach === "loopback_too" && isLoopbackAddress(address));
  return async (message) => {
    const signal = AbortSignal.timeout(totalMs);
    try {
      return await post(parseWebhookUrl(message.url, reach), message, lookupOf(isAllowed), signal);
    } catch (error) {
      return { status: reasonOf(error, signal), retryAfterMs: null };
    }
  };
}

function reasonOf(error: unknown, signal: AbortSignal): NoAnswer {
  if (error instanceof RefusedAddress || isDisclosureError(error, "invalid_request"))
    return "refused_address";
  return signal.aborted ? "timeout" : "no_connection";
}

function post(
  url: URL,
  { headers, body }: OutgoingMessage,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Posted> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const bytes = Buffer.from(body);
  return new Promise((answer, fail) => {
    const options = { method: "POST", headers: { ...headers, "content-length": bytes.length } };
    // No agent: a connection that is kept open would be to an address that was checked for another message.
    const sending = request(url, { ...options, agent: false, lookup, signal }, (response) => {
      const { statusCode: status = 0, headers } = response;
      answer({ status, retryAfterMs: readRetryAfter(headers["retry-after"]) });
      let read = 0;
      response.on("data", (chunk: Buffer) => {
        read += chunk.length;
        if (read > MAX_ANSWER_BYTES) response.destroy();
      });
      response.on("error", () => {});
    });
    sending.on("error", fail);
    // Node closes a connection whose receiver switches protocols (101), and calls that no error. After an answer or an
    // error this changes nothing.
    sending.on("close", () => fail(new Error("the connection was closed before an answer")));
    sending.end(bytes);
  });
}

/** Resolves a name and refuses it where one of its addresses is not allowed. The connection is made to what it gives. */
const lookupOf =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses;
      const isRefused = addresses.some(({ address }) => !isAllowed(address));
      if (error !== null || first === undefined || isRefused)
        return callback(error ?? new RefusedAddress(), "", 0);
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });

/** Retry-After (RFC 9110 section 10.2.3) in seconds or as a date. */
function readRetryAfter(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
