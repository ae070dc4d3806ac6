// The certificates of timestamp authorities that the caller trusts.
import { isDisclosureError } from "../core/errors.ts";
import { TimestampVerifier } from "../core/timestamps/timestamp-verifier.ts";
import { parseCertificate } from "../core/timestamps/x509/certificate.ts";
import { parseCertificatesPem } from "../core/timestamps/x509/pem.ts";
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
