// The options of client and queue: checked once, before the first disclosure needs them. All throw `invalid_options`.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { TimestampVerifier } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import { parseCertificate } from "../../evidence/core/timestamps/x509/certificate.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { ClientError } from "./errors.ts";

/** The longest that a timer can wait. */
const MAX_LIMIT = 2 ** 31 - 1;

/** Refuses what is no object, and a member of another name: a misspelt option would be ignored in silence. */
export function requireOptions(options: unknown, known: Readonly<Record<string, true>>): void {
  const names = Object.keys(known);
  if (typeof options !== "object" || options === null)
    throw invalidOption("options", `must be an object with some of ${names.join(", ")}`);
  for (const name of Object.keys(options))
    if (!Object.hasOwn(known, name))
      throw invalidOption(name, `there is no such option; there are ${names.join(", ")}`);
}

/** A whole number from 1 on. */
export function readLimit(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT) return value;
  throw invalidOption(name, `must be a whole number from 1 to ${MAX_LIMIT}`);
}

/** Refuses what is neither left out nor a function. */
export function requireFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function") throw invalidOption(name, "must be a function");
}

/** The certificates in PEM text, or none. They are checked here: a bad anchor must not look like a bad token. */
export function readTrustAnchors(pem: unknown): TimestampVerifier {
  if (pem === undefined) return new TimestampVerifier([]);
  if (typeof pem !== "string") throw invalidOption("trustAnchors", "must be certificates as PEM text");
  try {
    const anchors = parseCertificatesPem(pem);
    anchors.forEach(parseCertificate);
    return new TimestampVerifier(anchors);
  } catch (cause) {
    if (!isDisclosureError(cause)) throw cause;
    throw invalidOption("trustAnchors", cause.message, cause);
  }
}

export const invalidOption = (name: string, message: string, cause?: unknown): ClientError =>
  new ClientError("invalid_options", `${name}: ${message}`, { cause });
