// Vectors of the envelope: the ContentInfo, the SignedData in it, and the certificates beside the signer's (RFC 5652).
import { ca, forge, second, tsa, withUnsigned } from "./authorities.ts";
import {
  type Bytes,
  context,
  integer,
  membersOf,
  nothing,
  octets,
  oid,
  sequence,
  tlv,
} from "./der-writer.ts";
import { attribute, type Identity, makeToken, Oid } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const good = forge();
const [signedData = nothing] = membersOf(membersOf(good)[1] ?? nothing);

/** The SignerInfo of a token by this TSA. */
function signerInfoOf(by: Identity): Bytes {
  let signerInfo: Bytes = nothing;
  const alterSigners = (signer: Bytes): Bytes[] => {
    signerInfo = signer;
    return [signer];
  };
  makeToken({ tsa: by, alterSigners });
  return signerInfo;
}

export const envelopeVectors: readonly Vector[] = [
  vector("good", "accepted", "the token that all forgeries below change in one place", forge()),
  vector(
    "good-root-inside",
    "accepted",
    "the root is inside the token too",
    forge({ certificates: [tsa.certificate, ca.certificate] }),
  ),
  vector(
    "good-attribute-certificate",
    "accepted",
    "an attribute certificate beside the signer's",
    forge({ certificates: [tsa.certificate, context(2, integer(1))] }),
  ),
  vector(
    "good-crls",
    "accepted",
    "revocation lists beside the certificates",
    forge({ certificates: [tsa.certificate], crls: [sequence()] }),
  ),
  vector("trailing-byte", "encoding", "a byte after the token", Buffer.concat([good, Uint8Array.of(0)])),
  vector(
    "indefinite-length",
    "beyond_verifier: encoding",
    "BER: the outermost length is indefinite",
    Buffer.concat([Uint8Array.of(0x30, 0x80), good.subarray(4), Uint8Array.of(0, 0)]),
  ),
  vector(
    "indefinite-length-inside",
    "beyond_verifier: encoding",
    "BER: the length of the SignedData is indefinite, as archives write it",
    sequence(oid(Oid.signedData), Buffer.concat([Uint8Array.of(0xa0, 0x80), signedData, Uint8Array.of(0, 0)])),
  ),
  vector(
    "indefinite-length-open",
    "encoding",
    "BER of an indefinite length that does not end",
    Buffer.concat([Uint8Array.of(0x30, 0x80), good.subarray(4)]),
  ),
  vector(
    "length-padded",
    "beyond_verifier: encoding",
    "BER: the outermost length has a zero in front",
    Buffer.concat([Uint8Array.of(0x30, 0x83, 0), good.subarray(2)]),
  ),
  vector(
    "integer-padded",
    "beyond_verifier: encoding",
    "BER: an INTEGER with a zero in front",
    withUnsigned(attribute("2.999.5", tlv(0x02, Uint8Array.of(0, 1)))),
  ),
  vector(
    "integer-empty",
    "encoding",
    "an INTEGER without a digit, which is no BER",
    withUnsigned(attribute("2.999.5", tlv(0x02))),
  ),
  vector(
    "integer-constructed",
    "encoding",
    "an INTEGER with parts, which is no BER",
    withUnsigned(attribute("2.999.5", tlv(0x22, integer(1)))),
  ),
  vector("content-type", "content_type", "the ContentInfo says id-data", forge({ outerType: Oid.data })),
  vector(
    "content-info-member",
    "encoding",
    "a ContentInfo with a third member",
    sequence(...membersOf(good), nothing),
  ),
  vector(
    "content-two-values",
    "encoding",
    "a ContentInfo of two contents",
    sequence(oid(Oid.signedData), context(0, ...membersOf(membersOf(good)[1] ?? nothing), nothing)),
  ),
  vector(
    "signed-data-member",
    "encoding",
    "a SignedData with a member after its signers",
    sequence(
      oid(Oid.signedData),
      context(0, sequence(...membersOf(membersOf(membersOf(good)[1] ?? nothing)[0] ?? nothing), nothing)),
    ),
  ),
  vector(
    "encapsulated-content-type",
    "encapsulated_content_type",
    "the content says id-data",
    forge({ innerType: Oid.data }),
  ),
  vector(
    "encapsulated-member",
    "encoding",
    "an EncapsulatedContentInfo with a third member",
    forge({ sentContent: (content) => Buffer.concat([context(0, octets(content)), nothing]) }),
  ),
  vector(
    "encapsulated-two-values",
    "encoding",
    "an EncapsulatedContentInfo of two contents",
    forge({ sentContent: (content) => context(0, octets(content), nothing) }),
  ),
  vector(
    "content-missing",
    "encoding",
    "a detached signature: no TSTInfo inside",
    forge({ sentContent: () => Buffer.alloc(0) }),
  ),
  vector(
    "content-pieces",
    "beyond_verifier: encoding",
    "BER: the TSTInfo in pieces",
    forge({
      sentContent: (content) =>
        context(0, tlv(0x24, octets(content.subarray(0, 9)), octets(content.subarray(9)))),
    }),
  ),
  vector(
    "two-signers",
    "one_signer",
    "a second TSA signed too",
    forge({
      alterSigners: (signer) => [signer, signerInfoOf(second)],
      certificates: [tsa.certificate, second.certificate],
    }),
  ),
  vector("no-signer", "one_signer", "nobody signed", forge({ alterSigners: () => [] })),
];
