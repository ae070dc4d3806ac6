// Reads a service with a tenant's key, which is sent to the host that the reader named and to no other.
import { UsageError } from "../command.ts";
import { HttpReader, type HttpReaderOptions } from "./http-reader.ts";

/** A key in clear text is for this machine alone. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Refusals of the rate limit that one request of a long run waits out, each for as long as the service says. */
export const MAX_THROTTLED = 60;

/** Throws `UsageError` for an address to which a key must not be sent. */
export function openKeyed(address: string, apiKey: string, options: HttpReaderOptions = {}): HttpReader {
  const url = URL.parse(address);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (url === null || !isSafe) throw new UsageError("the service's address is an https URL");
  const headers = { ...options.headers, authorization: `Bearer ${apiKey}` };
  return new HttpReader(new URL("/", url), { ...options, headers });
}
