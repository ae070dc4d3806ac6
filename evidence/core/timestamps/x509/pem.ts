// PEM certificates (RFC 7468 section 5): the form in which trust anchors are handed around.
import { parseBase64 } from "../../bytes.ts";
import { DisclosureError } from "../../errors.ts";

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/= \t\r\n]*)-----END CERTIFICATE-----/g;
const BEGIN = "-----BEGIN CERTIFICATE-----";

/**
 * The DER of each certificate of a PEM text, in order; text around the blocks is explanatory and skipped.
 * Throws `malformed` if there is none, or if one is damaged: a silently dropped anchor would look like distrust.
 */
export function parseCertificatesPem(pem: string): Uint8Array[] {
  const blocks = Array.from(pem.matchAll(BLOCK), ([, body = ""]) => body.replace(/\s/g, ""));
  const begun = pem.split(BEGIN).length - 1;
  if (blocks.length === 0) throw new DisclosureError("malformed", "expected a PEM certificate");
  if (blocks.length !== begun) throw new DisclosureError("malformed", "a PEM certificate is damaged");
  return blocks.map(parseBase64);
}
