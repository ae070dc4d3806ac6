// Vectors of the TSA's certificate: its validity, members, extensions and signature (RFC 5280 section 4.1).
import { byTsa, flipLastBit, other, TBS, withMember } from "./authorities.ts";
import { boolean, nothing, octets, oid, sequence, text, tlv } from "./der-writer.ts";
import { extendedKeyUsage, extension, Oid, Schemes, tsaExtensions } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const ends = [text(0x17, "200101000000Z"), text(0x18, "20660101000000Z")];
const uniqueIdentifiers = [tlv(0x81, Uint8Array.of(0, 1)), tlv(0x82, Uint8Array.of(0, 1))];

export const signerCertificateVectors: readonly Vector[] = [
  vector(
    "good-expired-since",
    "accepted",
    "the TSA's certificate ran out after genTime",
    byTsa({ notAfter: "20261002000000Z" }),
  ),
  vector(
    "good-first-second",
    "accepted",
    "genTime is the certificate's first second",
    byTsa({ notBefore: "20261001120000Z" }),
  ),
  vector(
    "good-last-second",
    "accepted",
    "genTime is the certificate's last second",
    byTsa({ notAfter: "20261001120000Z" }),
  ),
  vector(
    "good-unique-identifiers",
    "accepted",
    "a certificate with issuerUniqueID and subjectUniqueID",
    byTsa({ alterTbs: (all) => all.toSpliced(TBS.extensions, 0, ...uniqueIdentifiers) }),
  ),
  vector(
    "before-certificate",
    "certificate_validity",
    "genTime before the TSA's certificate",
    byTsa({ notBefore: "20261002000000Z" }),
  ),
  vector(
    "after-certificate",
    "certificate_validity",
    "genTime after the TSA's certificate",
    byTsa({ notAfter: "20260930000000Z" }),
  ),
  vector(
    "after-last-second",
    "certificate_validity",
    "genTime half a second after the certificate's last",
    byTsa({ notAfter: "20261001120000Z" }, { tstInfo: { genTime: text(0x18, "20261001120000.5Z") } }),
  ),
  vector(
    "extension-twice",
    "encoding",
    "the purpose occurs twice",
    byTsa({ extensions: [...tsaExtensions, extendedKeyUsage(true, Oid.timeStamping)] }),
  ),
  vector(
    "extension-critical",
    "beyond_verifier: certificate_critical_extension",
    "a critical extension nobody knows",
    byTsa({ extensions: [...tsaExtensions, extension("2.999.4", true, nothing)] }),
  ),
  vector(
    "subject-alternative-name",
    "beyond_verifier: certificate_critical_extension",
    "a critical subjectAltName",
    byTsa({ extensions: [...tsaExtensions, extension("2.5.29.17", true, sequence(tlv(0x82, Buffer.from("tsa.example"))))] }),
  ),
  vector(
    "extension-member",
    "encoding",
    "an extension with a fourth member",
    byTsa({
      extensions: [...tsaExtensions, sequence(oid("2.999.4"), boolean(true), octets(nothing), nothing)],
    }),
  ),
  vector(
    "certificate-algorithms",
    "encoding",
    "a certificate that names two signature algorithms",
    byTsa({ outerAlgorithm: Schemes.ecdsaSha512.algorithm }),
  ),
  vector(
    "certificate-signature",
    "other_authority: trust_anchor",
    "the last bit of the certificate's signature is flipped",
    byTsa({ alterSignature: flipLastBit }),
  ),
  vector(
    "certificate-issuer",
    "other_authority: trust_anchor",
    "signed by the root's key under another issuer's name",
    byTsa({ issuerName: other.name }),
  ),
  vector(
    "certificate-member",
    "encoding",
    "a certificate with a fourth member",
    byTsa({ outerRest: [nothing] }),
  ),
  vector(
    "certificate-tbs-member",
    "encoding",
    "a member after a certificate's extensions",
    byTsa({ alterTbs: (all) => [...all, nothing] }),
  ),
  vector(
    "certificate-three-times",
    "encoding",
    "a certificate with three times",
    byTsa({ alterTbs: withMember(TBS.validity, sequence(...ends, text(0x17, "400101000000Z"))) }),
  ),
  vector(
    "certificate-one-time",
    "encoding",
    "a certificate without an end",
    byTsa({ alterTbs: withMember(TBS.validity, sequence(text(0x17, "200101000000Z"))) }),
  ),
];
