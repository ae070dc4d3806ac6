// Trust anchors as a reader recognises them: whose certificate, valid when, with which fingerprint.
import { formatDigest, hashBytes } from "../core/merkle/hash.ts";
import { parseCertificate } from "../core/timestamps/x509/certificate.ts";
import { formatName } from "../core/timestamps/x509/distinguished-name.ts";

export interface AnchorDescription {
  /** RFC 4514. */
  readonly subject: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** `sha256:` and hex, over the DER. */
  readonly fingerprint: string;
}

/** `anchors` are DER certificates. Throws `malformed` if one is none. */
export const describeAnchors = (anchors: readonly Uint8Array[]): AnchorDescription[] =>
  anchors.map((der) => {
    const { subject, notBefore, notAfter } = parseCertificate(der);
    return { subject: formatName(subject), notBefore, notAfter, fingerprint: formatDigest(hashBytes(der)) };
  });
