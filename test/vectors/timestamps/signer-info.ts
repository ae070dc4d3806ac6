// Vectors of the SignerInfo: its digest, its members, and how it names the signer's certificate (RFC 5652 section 5.3).
import { byTsa, ca, forge, other, second, tsa, withUnsigned } from "./authorities.ts";
import { integer, membersOf, nothing, sequence, tlv } from "./der-writer.ts";
import { attribute, hash, Oid, ROOT, Schemes, subjectKeyIdentifier, tsaExtensions } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const identifier = hash("sha1", tsa.certificate);

export const signerInfoVectors: readonly Vector[] = [
  vector(
    "good-key-identifier",
    "accepted",
    "the signer is named by SubjectKeyIdentifier",
    byTsa(
      { extensions: [...tsaExtensions, subjectKeyIdentifier(identifier)] },
      { identifier: tlv(0x80, identifier) },
    ),
  ),
  vector(
    "good-unsigned-attributes",
    "accepted",
    "attributes that nobody signed",
    withUnsigned(attribute("2.999.5", integer(1))),
  ),
  vector(
    "digest-sha1",
    "weak: digest_algorithm",
    "the signer digests with SHA-1",
    forge({ digest: { oid: Oid.sha1, name: "sha1" }, scheme: Schemes.ecdsaSha1 }),
  ),
  vector(
    "digest-md5",
    "weak: digest_algorithm",
    "the signer names MD5",
    forge({ digest: { oid: "1.2.840.113549.2.5", name: "md5" } }),
  ),
  vector(
    "signer-member",
    "encoding",
    "a SignerInfo with a member that it does not have",
    forge({ alterSigners: (signer) => [sequence(...membersOf(signer), nothing)] }),
  ),
  vector(
    "no-certificate",
    "other_authority: trust_anchor",
    "the signer's certificate is missing",
    forge({ certificates: [] }),
  ),
  vector(
    "other-certificate",
    "other_authority: trust_anchor",
    "only another TSA's certificate",
    forge({ certificates: [second.certificate] }),
  ),
  vector(
    "key-identifier-none",
    "other_authority: trust_anchor",
    "a signer named by SubjectKeyIdentifier, and a certificate that has none",
    forge({ identifier: tlv(0x80, identifier) }),
  ),
  vector(
    "key-identifier-other",
    "other_authority: trust_anchor",
    "a SubjectKeyIdentifier that no certificate has",
    byTsa(
      { extensions: [...tsaExtensions, subjectKeyIdentifier(identifier)] },
      { identifier: tlv(0x80, hash("sha1", ROOT)) },
    ),
  ),
  vector(
    "identifier-serial",
    "other_authority: trust_anchor",
    "the signer's issuer with another serial number",
    forge({ identifier: sequence(ca.name, integer(second.serial)) }),
  ),
  vector(
    "identifier-issuer",
    "other_authority: trust_anchor",
    "the signer's serial number under another issuer",
    forge({ identifier: sequence(other.name, integer(tsa.serial)) }),
  ),
  vector(
    "identifier-member",
    "encoding",
    "issuer and serial number and something else",
    forge({ identifier: sequence(ca.name, integer(tsa.serial), nothing) }),
  ),
];
