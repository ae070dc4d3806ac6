// The address of a webhook as an operator gives it.
import { isIP } from "node:net";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { hostOf, isLoopbackAddress, isPublicAddress } from "./public-address.ts";

const MAX_URL_LENGTH = 2_048;
const LOOPBACK_NAME = "localhost";

/**
 * The addresses that a process delivers to: `public` ones over https alone, as every deployment does; or, on a developer's
 * machine, those of the machine itself too, over http as well.
 */
export type WebhookReach = "public" | "loopback_too";

/** Throws `invalid_request` for an address that no message would be sent to. */
export function parseWebhookUrl(text: string, reach: WebhookReach): URL {
  const url = URL.canParse(text) && text.length <= MAX_URL_LENGTH ? new URL(text) : refuse("is no URL");
  const host = hostOf(url);
  const isHere = reach === "loopback_too" && (host === LOOPBACK_NAME || isLoopbackAddress(host));
  if (url.protocol !== "https:" && !(isHere && url.protocol === "http:")) refuse("must begin with https://");
  if (url.username !== "" || url.password !== "") refuse("must hold no name and no password");
  if (url.hash !== "") refuse("must hold no fragment");
  if (isIP(host) !== 0 && !isHere && !isPublicAddress(host)) refuse("leads to an address that is not public");
  return url;
}

function refuse(what: string): never {
  throw new DisclosureError("invalid_request", `the address of the webhook ${what}`);
}
