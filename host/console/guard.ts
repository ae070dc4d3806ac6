// Decides whose requests the console answers: those of its own page, and of whoever typed its address on this machine.
// The console has no key of its own to ask for, so a page of another site must reach nothing of it.
import type { IncomingMessage } from "node:http";

const NAMES = ["127.0.0.1", "localhost"];
/** `none`: the reader typed the address, or opened it from outside of the browser. */
const OWN_SITES = ["same-origin", "none"];
const READING = ["GET", "HEAD"];

const WRONG_METHOD = 405;
const FORBIDDEN = 403;
/** HTTP's Misdirected Request. */
const WRONG_HOST = 421;

/** The status of the refusal, or null for a request that is answered. `port` is the console's own. */
export function refusalOf({ method = "", headers }: IncomingMessage, port: number): number | null {
  // A name of somebody else's that leads to this machine (DNS rebinding) shows in Host.
  const { host = "", origin } = headers;
  if (!NAMES.some((name) => host === `${name}:${port}`)) return WRONG_HOST;
  if (origin !== undefined && origin !== `http://${host}`) return FORBIDDEN;
  // Browsers state it with every request to the loopback address; other programs state nothing.
  const site = headers["sec-fetch-site"];
  if (site !== undefined && !OWN_SITES.includes(String(site))) return FORBIDDEN;
  return READING.includes(method) ? null : WRONG_METHOD;
}
