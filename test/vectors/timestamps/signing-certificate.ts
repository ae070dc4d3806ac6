// Vectors of ESSCertID and ESSCertIDv2, the attributes that bind the signer's certificate (RFC 2634, RFC 5035).
import { ca, forge, other, second, tsa } from "./authorities.ts";
import { type Bytes, integer, nothing, octets, oid, sequence } from "./der-writer.ts";
import {
  attribute,
  caExtensions,
  Digests,
  essV1,
  essV2,
  essV2By,
  generalNames,
  hash,
  type Identity,
  makeIdentity,
  makeToken,
  Oid,
  tsaExtensions,
} from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const issuerSerial = (issuer: Identity, { serial }: Identity, ...rest: Bytes[]): Bytes =>
  sequence(generalNames(issuer.name), integer(serial), ...rest);
const certId = ({ certificate }: Identity): Bytes => sequence(octets(hash("sha256", certificate)));

const intermediate = makeIdentity({ name: "Intermediate", issuer: ca, extensions: caExtensions });
const below = makeIdentity({ name: "TSA", issuer: intermediate, extensions: tsaExtensions });
/** A token with an intermediate, whose ESSCertIDv2 names these certificates. */
const byChain = (...certIds: Bytes[]): Bytes =>
  makeToken({
    tsa: below,
    certificates: [below.certificate, intermediate.certificate],
    attributes: { ess: attribute(Oid.essV2, sequence(sequence(...certIds))) },
  });

/** A token whose SigningCertificateV2 has these members. */
const byLists = (...members: Bytes[]): Bytes =>
  forge({ attributes: { ess: attribute(Oid.essV2, sequence(...members)) } });

export const signingCertificateVectors: readonly Vector[] = [
  vector(
    "good-issuer-serial",
    "accepted",
    "ESSCertIDv2 with its issuerSerial",
    forge({ attributes: { ess: essV2(tsa, issuerSerial(ca, tsa)) } }),
  ),
  vector(
    "good-both-ess",
    "accepted",
    "ESSCertID and ESSCertIDv2",
    forge({ attributes: { extra: [essV1(tsa)] } }),
  ),
  vector(
    "good-ess-sha512",
    "accepted",
    "ESSCertIDv2 by SHA-512",
    forge({ attributes: { ess: essV2By(tsa, Digests.sha512) } }),
  ),
  vector(
    "good-ess-chain",
    "accepted",
    "ESSCertIDv2 names the signer's certificate and its issuer's",
    byChain(certId(below), certId(intermediate)),
  ),
  vector(
    "good-ess-chain-root",
    "accepted",
    "ESSCertIDv2 names the whole chain",
    byChain(certId(below), certId(intermediate), certId(ca)),
  ),
  vector(
    "ess-v2",
    "signing_certificate",
    "ESSCertIDv2 of another certificate",
    forge({ attributes: { ess: essV2(second) } }),
  ),
  vector(
    "ess-v1",
    "signing_certificate",
    "ESSCertID of another certificate",
    forge({ attributes: { ess: essV1(second) } }),
  ),
  vector(
    "ess-v1-beside-v2",
    "signing_certificate",
    "a good ESSCertIDv2 and an ESSCertID of another certificate",
    forge({ attributes: { extra: [essV1(second)] } }),
  ),
  vector(
    "ess-missing",
    "signing_certificate",
    "neither ESSCertID nor ESSCertIDv2",
    forge({ attributes: { ess: Buffer.alloc(0) } }),
  ),
  vector(
    "ess-empty",
    "encoding",
    "ESSCertIDv2 that names no certificate",
    forge({ attributes: { ess: attribute(Oid.essV2, sequence(sequence())) } }),
  ),
  vector(
    "ess-twice",
    "signed_attributes_unique",
    "ESSCertIDv2 occurs twice, once right",
    forge({ attributes: { extra: [essV2(second)] } }),
  ),
  vector(
    "ess-two-values",
    "signed_attributes_unique",
    "ESSCertIDv2 with two values",
    forge({
      attributes: {
        ess: attribute(Oid.essV2, sequence(sequence(certId(tsa))), sequence(sequence(certId(second)))),
      },
    }),
  ),
  vector(
    "ess-second",
    "signing_certificate",
    "the signer's certificate is the second that ESSCertIDv2 names",
    forge({
      attributes: {
        ess: attribute(Oid.essV2, sequence(sequence(certId(second), certId(tsa)))),
      },
    }),
  ),
  vector(
    "ess-sha1",
    "weak: digest_algorithm",
    "ESSCertIDv2 by SHA-1",
    forge({ attributes: { ess: essV2By(tsa, Digests.sha1) } }),
  ),
  vector(
    "ess-serial",
    "signing_certificate_issuer_serial",
    "ESSCertIDv2 with another serial number",
    forge({ attributes: { ess: essV2(tsa, issuerSerial(ca, second)) } }),
  ),
  vector(
    "ess-issuer",
    "signing_certificate_issuer_serial",
    "ESSCertIDv2 with another issuer",
    forge({ attributes: { ess: essV2(tsa, issuerSerial(other, tsa)) } }),
  ),
  vector(
    "ess-issuer-member",
    "encoding",
    "an issuerSerial with a third member",
    forge({ attributes: { ess: essV2(tsa, issuerSerial(ca, tsa, nothing)) } }),
  ),
  vector(
    "good-ess-policies",
    "accepted",
    "ESSCertIDv2 with a policy, which limits nothing",
    byLists(sequence(certId(tsa)), sequence(sequence(oid("2.999.2")))),
  ),
  vector(
    "ess-policies-integer",
    "encoding",
    "ESSCertIDv2 with a number where its policies belong",
    byLists(sequence(certId(tsa)), integer(1)),
  ),
  vector(
    "ess-member",
    "encoding",
    "ESSCertIDv2 with a member that it does not have",
    byChain(sequence(octets(hash("sha256", below.certificate)), integer(1))),
  ),
  vector(
    "ess-chain-other",
    "signing_certificate",
    "ESSCertIDv2 lets the chain lead through another certificate only",
    byChain(certId(below), certId(other)),
  ),
  vector(
    "ess-chain-root-alone",
    "signing_certificate",
    "ESSCertIDv2 names the root and not the intermediate before it",
    byChain(certId(below), certId(ca)),
  ),
  vector(
    "ess-chain-unreadable",
    "encoding",
    "ESSCertIDv2 names what is no certificate",
    byChain(certId(below), nothing),
  ),
];
