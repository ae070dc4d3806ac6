// RFC 3161 TimeStampToken: what it says, and every reason to believe it. The certificates inside a token are never
// trust anchors; those come from the caller alone.

import { formatHex } from "../bytes.ts";
import { DisclosureError, isDisclosureError } from "../errors.ts";
import { formatDigest, hashBytes } from "../merkle/hash.ts";
import { permittedCertificates, verifySigningCertificate } from "./signing-certificate.ts";
import { parseTstInfo, type TokenExpectations, type TstInfo, verifyTstInfo } from "./tst-info.ts";
import { type Certificate, parseCertificate } from "./x509/certificate.ts";
import {
  allowsKeyUsage,
  allowsOtherKeyUsage,
  extendedKeyUsageOf,
  KeyUsage,
} from "./x509/certificate-extensions.ts";
import { parseDer, Tag } from "./x509/der.ts";
import { onlyChild, readObjectIdentifier, readSequence } from "./x509/der-fields.ts";
import { formatName } from "./x509/distinguished-name.ts";
import { isSignatureValid as checkSignature, type SignatureCheck } from "./x509/signature.ts";
import { verifySignedAttributes } from "./x509/signed-attributes.ts";
import { readSignedData } from "./x509/signed-data.ts";
import { findSignerCertificate, type SignerInfo, verifySignature } from "./x509/signer-info.ts";
import { check, readAs, type TokenOpenReason } from "./x509/token-check.ts";
import { leadsToAnchor, namesLeadToAnchor, verifyChain, verifyUsable } from "./x509/x509-chain.ts";

/** A token that was read, not believed. `content` is the DER of the TSTInfo. */
export type TimestampToken = {
  readonly tstInfo: TstInfo;
  readonly content: Uint8Array;
  readonly certificates: readonly Certificate[];
  readonly signers: readonly SignerInfo[];
};

/** A verified token proves that `root` existed at `genTime`, on the word of `authority`. */
export type VerifiedTimestamp = {
  /** RFC 3339, UTC, with the fraction of a second that the token has. */
  readonly genTime: string;
  /** How far genTime may be off, in seconds; null where the authority does not say. */
  readonly accuracy: number | null;
  /** Hex of the contents of the INTEGER. Token bytes are malleable: imprint, serial and genTime identify a token. */
  readonly serialNumber: string;
  readonly policy: string;
  /** Hex; the root. */
  readonly messageImprint: string;
  /** The certificate of the TSA; names as RFC 4514 writes them. */
  readonly authority: { readonly subject: string; readonly issuer: string };
  /** `sha256:` of the SubjectPublicKeyInfo in that certificate: one key is one signer, whatever certificates it has. */
  readonly signer: string;
  /** `sha256:` fingerprint of the trust anchor's DER. */
  readonly trustAnchor: string;
  /** When the first certificate of the chain runs out, RFC 3339. Afterwards nobody answers for the keys any more. */
  readonly validUntil: string;
};

/** A token of which nothing is shown to be false, and which proves nothing here. */
export type OpenTimestamp = Pick<VerifiedTimestamp, "genTime" | "messageImprint"> & {
  readonly trustAnchor: null;
  /** `token_open`: why it can't be judged. */
  readonly why: DisclosureError;
};

/** By what a token is judged, besides the anchors. */
export type JudgementOptions = TokenExpectations & {
  readonly patience?: Patience;
  readonly isSignatureValid?: SignatureCheck;
};

/** Says whether it is worth to look at the signatures of a token whose names lead to an anchor, or to none. */
export type Patience = (namesLead: boolean) => boolean;

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";

/**
 * Reads a TimeStampToken: the CMS ContentInfo in DER, not the whole TimeStampResp. Throws `token_invalid`, `token_open`
 * for one in another form of BER or beyond the limits.
 */
export function parseTimestampToken(der: Uint8Array): TimestampToken {
  return readAs("encoding", "expected a TimeStampToken in DER", () =>
    readSequence(parseDer(der), (fields) => {
      const contentType = readObjectIdentifier(fields.next(Tag.objectIdentifier));
      requireType("content_type", contentType, SIGNED_DATA);
      const signedData = readSignedData(onlyChild(fields.next(Tag.context(0))));
      requireType("encapsulated_content_type", signedData.contentType, TST_INFO);
      return { ...signedData, tstInfo: parseTstInfo(signedData.content) };
    }),
  );
}

function requireType(name: "content_type" | "encapsulated_content_type", actual: string, expected: string) {
  check(actual === expected, name, "the content is of another type", { expected, actual });
}

/**
 * Verifies that `der`, a TimeStampToken, stamps `root` (32 bytes, the SHA-256 messageImprint itself) and leads to
 * one of `trustAnchors` (DER certificates), as it was at genTime: revocation is not looked at.
 * Throws `token_invalid` with the violated check in its evidence, `token_open` if it can't be judged, `malformed` for an
 * anchor that is no certificate.
 */
export async function verifyTimestampToken(
  der: Uint8Array,
  root: Uint8Array,
  trustAnchors: readonly Uint8Array[],
  expected: TokenExpectations = {},
): Promise<VerifiedTimestamp> {
  const anchors = trustAnchors.map(parseCertificate);
  return requireJudged(await judgeToken(parseTimestampToken(der), root, anchors, expected));
}

/** The same for a token that was read, except that one which can't be judged is returned with the reason. */
export async function judgeToken(
  token: TimestampToken,
  root: Uint8Array,
  anchors: readonly Certificate[],
  options: JudgementOptions = {},
): Promise<VerifiedTimestamp | OpenTimestamp> {
  try {
    return await judge(token, root, anchors, options);
  } catch (error) {
    if (isDisclosureError(error, "token_open")) return describeOpen(token.tstInfo, error);
    // A check refuses what it can't read.
    if (!isDisclosureError(error, "malformed")) throw error;
    throw new DisclosureError(
      "token_invalid",
      "a part of the token is malformed",
      { check: "encoding" },
      error,
    );
  }
}

/** Throws `token_open` for a token that could not be judged. */
export function requireJudged(timestamp: VerifiedTimestamp | OpenTimestamp): VerifiedTimestamp {
  if (timestamp.trustAnchor === null) throw timestamp.why;
  return timestamp;
}

async function judge(
  { tstInfo, content, certificates, signers }: TimestampToken,
  root: Uint8Array,
  anchors: readonly Certificate[],
  { patience = () => true, isSignatureValid = checkSignature, ...expected }: JudgementOptions,
): Promise<VerifiedTimestamp> {
  verifyTstInfo(tstInfo, root, expected);
  const signer = requireOneSigner(signers);
  // RFC 3161 section 2.4.1 lets a token come without certificates: then the reader's own may have its signer's.
  const certificate = findSignerCertificate(signer, [...certificates, ...anchors]);
  if (certificate === undefined)
    throw otherAuthority("the token holds no certificate of its signer, and none of the given ones is that");
  const attributes = verifySignedAttributes(signer, TST_INFO, content);
  verifySigningCertificate(attributes, certificate);
  verifyTimestampingCertificate(certificate);
  const context = { time: tstInfo.genTime, purpose: TIME_STAMPING, isSignatureValid };
  verifyUsable(certificate, context);
  if (!patience(namesLeadToAnchor(certificate, certificates, anchors)))
    throw otherAuthority("too many tokens lead to none of the given certificates to examine this one");
  await verifySignature(signer, certificate, isSignatureValid);
  const permitted = permittedCertificates(attributes, certificates);
  try {
    const chain = await verifyChain(certificate, permitted, anchors, context);
    return describe(tstInfo, certificate, chain);
  } catch (error) {
    // Last of all: a token that is found to be unanchored has no other fault.
    if (!isDisclosureError(error) || (await leadsToAnchor(certificate, certificates, anchors, context)))
      throw error;
    const { subject, issuer } = authorityOf(certificate);
    const authority = `the token is by ${subject}, certified by ${issuer}`;
    throw otherAuthority(`${authority}: none of the given certificates is that authority's`, issuer);
  }
}

function otherAuthority(message: string, expected?: string): DisclosureError {
  const reason: TokenOpenReason = "other_authority";
  return new DisclosureError("token_open", message, { reason, check: "trust_anchor", expected });
}

/** RFC 3161 section 2.4.2: the TSA's signature and no other. */
function requireOneSigner([signer, ...others]: readonly SignerInfo[]): SignerInfo {
  const isOne = signer !== undefined && others.length === 0;
  check(isOne, "one_signer", "the token has not exactly one signer", { expected: 1 });
  return signer;
}

/** RFC 3161 section 2.3: a key for timestamps and nothing else, and for signatures if its usage is limited. */
function verifyTimestampingCertificate(certificate: Certificate): void {
  const usage = extendedKeyUsageOf(certificate);
  const isReserved = usage?.critical === true && usage.purposes.join() === TIME_STAMPING;
  check(isReserved, "extended_key_usage", "the signer's key is not reserved for timestamps", {
    expected: { critical: true, purposes: [TIME_STAMPING] },
    actual: usage,
  });
  const forSignatures = KeyUsage.digitalSignature | KeyUsage.nonRepudiation;
  const signs =
    allowsKeyUsage(certificate, forSignatures) && !allowsOtherKeyUsage(certificate, forSignatures);
  check(signs, "key_usage", "the signer's key is not for signatures and nothing else");
}

const describe = (
  tstInfo: TstInfo,
  certificate: Certificate,
  chain: readonly Certificate[],
): VerifiedTimestamp => ({
  genTime: tstInfo.genTime,
  accuracy: tstInfo.accuracy,
  serialNumber: formatHex(tstInfo.serialNumber),
  policy: tstInfo.policy,
  messageImprint: formatHex(tstInfo.hashedMessage),
  authority: authorityOf(certificate),
  signer: formatDigest(hashBytes(certificate.publicKeyInfo.bytes)),
  trustAnchor: formatDigest(hashBytes((chain.at(-1) ?? certificate).der)),
  validUntil: chain.map(({ notAfter }) => notAfter).reduce(earlier),
});

const describeOpen = ({ genTime, hashedMessage }: TstInfo, why: DisclosureError): OpenTimestamp => ({
  genTime,
  messageImprint: formatHex(hashedMessage),
  trustAnchor: null,
  why,
});

const authorityOf = ({ subject, issuer }: Certificate): VerifiedTimestamp["authority"] => ({
  subject: formatName(subject),
  issuer: formatName(issuer),
});

const earlier = (a: string, b: string): string => (Date.parse(a) <= Date.parse(b) ? a : b);
