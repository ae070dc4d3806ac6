// Trust anchors: the known public authorities' that every program of a reader brings along, and their description.
import { formatDigest, hashBytes } from "../core/merkle/hash.ts";
import { trustAnchorsOf } from "../core/timestamps/authorities.ts";
import { knownAuthorities } from "../core/timestamps/known-authorities.ts";
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

/** DER root certificates of the known public timestamp authorities. */
export const knownTrustAnchors: readonly Uint8Array[] = trustAnchorsOf(knownAuthorities);

/** `anchors` are DER certificates. Throws `malformed` if one is none. */
export const describeAnchors = (anchors: readonly Uint8Array[]): AnchorDescription[] =>
  anchors.map((der) => {
    const { subject, notBefore, notAfter } = parseCertificate(der);
    return { subject: formatName(subject), notBefore, notAfter, fingerprint: formatDigest(hashBytes(der)) };
  });
