// The certificates of timestamp authorities that the caller trusts.
import { isDisclosureError } from "../core/errors.ts";
import { parseCertificatesPem } from "../core/pem.ts";
import { parseCertificate } from "../core/rfc3161/certificate.ts";
import { TimestampVerifier } from "../core/timestamp-verifier.ts";
import { ClientError } from "./errors.ts";

/** Of PEM text; of none where none is given. Throws `invalid_options`: a bad anchor must not look like a bad token. */
export function readTrustAnchors(pem: string | undefined): TimestampVerifier {
  if (pem === undefined) return new TimestampVerifier([]);
  try {
    const anchors = parseCertificatesPem(pem);
    anchors.forEach(parseCertificate);
    return new TimestampVerifier(anchors);
  } catch (cause) {
    if (!isDisclosureError(cause)) throw cause;
    throw new ClientError("invalid_options", `trustAnchors: ${cause.message}`, { cause });
  }
}
