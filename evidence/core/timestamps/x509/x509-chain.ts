// The chain from a signer's certificate to a trust anchor (RFC 5280 section 6), as of the time of signing.
import { equalBytes } from "../../bytes.ts";
import { isDisclosureError } from "../../errors.ts";
import type { Certificate } from "./certificate.ts";
import {
  allowsKeyUsage,
  basicConstraintsOf,
  disobeyedExtensions,
  extendedKeyUsageOf,
  KeyUsage,
} from "./certificate-extensions.ts";
import { formatName } from "./distinguished-name.ts";
import type { SignatureCheck } from "./signature.ts";
import { signatureSchemeOf } from "./signature-scheme.ts";
import { check, violatedCheck } from "./token-check.ts";

/** The use that a chain must be good for: every certificate valid at `time` (RFC 3339), every issuer allowed `purpose`. */
export type ChainContext = {
  readonly time: string;
  readonly purpose: string;
  readonly isSignatureValid: SignatureCheck;
};

/** Real chains take two to four; a token could hold sixteen certificates of one name, each with a chain of its own. */
const MAX_SIGNATURE_CHECKS = 6;
const ANY_PURPOSE = "2.5.29.37.0";

/**
 * The chain from `leaf` to one of `anchors`, first to last, through any of `intermediates`. Anchors are trusted
 * because the caller says so; certificates that came with a token only ever lead to one. The caller has found with
 * `verifyUsable` that the leaf can be used.
 * Throws `token_invalid`: for a chain that breaks its first broken rule, or `signing_certificate` if there is none.
 */
export async function verifyChain(
  leaf: Certificate,
  intermediates: readonly Certificate[],
  anchors: readonly Certificate[],
  context: ChainContext,
): Promise<readonly Certificate[]> {
  // From each certificate the chain goes on once: cross-signed ones that lead in circles would take for ever.
  const untried = new Set([...anchors, ...intermediates].filter((certificate) => certificate !== leaf));
  const search = { isAnchor: isAmong(anchors), untried, checksLeft: MAX_SIGNATURE_CHECKS };
  const chain = await extendChain([leaf], leaf, search, context);
  check(
    chain !== null,
    "signing_certificate",
    "the certificates that the signer names lead to no trust anchor",
  );
  return chain;
}

/**
 * True if one of `anchors` may be behind `leaf`: it is a certificate to which names lead, or its key signed one, or there
 * were too many signatures to check. If not, the chain's faults say nothing: the anchors are other authorities'.
 */
export async function leadsToAnchor(
  leaf: Certificate,
  certificates: readonly Certificate[],
  anchors: readonly Certificate[],
  context: ChainContext,
): Promise<boolean> {
  let checksLeft = MAX_SIGNATURE_CHECKS;
  for (const certificate of reachByName(leaf, certificates)) {
    if (isAmong(anchors)(certificate)) return true;
    for (const anchor of anchors) {
      if (!isNamedIssuer(anchor, certificate)) continue;
      if (checksLeft-- === 0 || (await isSignedBy(anchor, certificate, context))) return true;
    }
  }
  return false;
}

/** True if names alone lead from `leaf` to one of `anchors`. No signature is looked at, so this is cheap. */
export const namesLeadToAnchor = (
  leaf: Certificate,
  certificates: readonly Certificate[],
  anchors: readonly Certificate[],
): boolean =>
  reachByName(leaf, certificates).some(
    (certificate) =>
      isAmong(anchors)(certificate) || anchors.some((anchor) => isNamedIssuer(anchor, certificate)),
  );

/** The leaf, and the certificates to which the names of issuers lead from it. */
function reachByName(leaf: Certificate, certificates: readonly Certificate[]): Certificate[] {
  const reached = new Set([leaf]);
  // The set grows while it is walked, and each certificate is visited once.
  for (const certificate of reached) {
    for (const issuer of certificates) if (isNamedIssuer(issuer, certificate)) reached.add(issuer);
  }
  return [...reached];
}

/** False only for a signature that is shown to be another key's: one of an unsupported kind is not. */
async function isSignedBy(
  issuer: Certificate,
  subject: Certificate,
  context: ChainContext,
): Promise<boolean> {
  try {
    await verifyCertificateSignature(subject, issuer, context);
    return true;
  } catch (error) {
    return violatedCheck(error) !== "certificate_signature";
  }
}

/** The attempts that are left on the way to an anchor. */
interface Search {
  readonly isAnchor: (certificate: Certificate) => boolean;
  readonly untried: Set<Certificate>;
  checksLeft: number;
}

/** Null where no issuer is left to try. Throws `token_invalid` if there were issuers and each breaks a rule. */
async function extendChain(
  chain: readonly Certificate[],
  last: Certificate,
  search: Search,
  context: ChainContext,
): Promise<readonly Certificate[] | null> {
  if (search.isAnchor(last)) return chain;
  let failure: unknown;
  for (const issuer of search.untried) {
    if (!isNamedIssuer(issuer, last)) continue;
    try {
      await verifyIssued(chain, last, issuer, search, context);
      search.untried.delete(issuer);
      const whole = await extendChain([...chain, issuer], issuer, search, context);
      if (whole !== null) return whole;
    } catch (error) {
      if (!isDisclosureError(error, "token_invalid")) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return null;
}

const isNamedIssuer = (issuer: Certificate, { issuer: name }: Certificate): boolean =>
  equalBytes(issuer.subject.bytes, name.bytes);

const isAmong =
  (anchors: readonly Certificate[]) =>
  ({ der }: Certificate): boolean =>
    anchors.some((anchor) => equalBytes(anchor.der, der));

async function verifyIssued(
  chain: readonly Certificate[],
  subject: Certificate,
  issuer: Certificate,
  search: Search,
  context: ChainContext,
): Promise<void> {
  verifyUsable(issuer, context);
  verifyMayIssue(issuer, chain, context);
  check(search.checksLeft-- > 0, "certificate_signature", "there are too many certificates to try");
  await verifyCertificateSignature(subject, issuer, context);
}

/** Throws `token_invalid` unless the certificate is valid at the time, and asks for nothing that is not supported. */
export function verifyUsable(certificate: Certificate, { time }: ChainContext): void {
  const { notBefore, notAfter } = certificate;
  const isValid = Date.parse(notBefore) <= Date.parse(time) && Date.parse(time) <= Date.parse(notAfter);
  check(isValid, "certificate_validity", "a certificate of the chain was not valid at genTime", {
    expected: { notBefore, notAfter },
    actual: time,
  });
  const actual = disobeyedExtensions(certificate);
  const message = "a certificate has a critical extension that is not supported";
  check(actual.length === 0, "certificate_critical_extension", message, { actual });
}

function verifyMayIssue(issuer: Certificate, chain: readonly Certificate[], { purpose }: ChainContext): void {
  const { isCa, pathLength } = basicConstraintsOf(issuer);
  check(isCa, "issuer_is_ca", "an issuer of the chain is no CA", { actual: formatName(issuer.subject) });
  check(
    allowsKeyUsage(issuer, KeyUsage.keyCertSign),
    "issuer_key_usage",
    "an issuer may not sign certificates",
  );
  const actual = chain.slice(1).filter((certificate) => !isSelfIssued(certificate)).length;
  check(actual <= pathLength, "path_length", "the chain is longer than an issuer allows", {
    expected: pathLength,
    actual,
  });
  const purposes = extendedKeyUsageOf(issuer)?.purposes ?? [ANY_PURPOSE];
  const isForPurpose = purposes.includes(purpose) || purposes.includes(ANY_PURPOSE);
  check(isForPurpose, "issuer_extended_key_usage", "an issuer is for other purposes", { actual: purposes });
}

const isSelfIssued = ({ issuer, subject }: Certificate): boolean => equalBytes(issuer.bytes, subject.bytes);

async function verifyCertificateSignature(
  subject: Certificate,
  issuer: Certificate,
  { isSignatureValid }: ChainContext,
): Promise<void> {
  const scheme = signatureSchemeOf(subject.signatureAlgorithm);
  const unnamed = "a certificate's signature does not name its digest";
  check(scheme.digest !== null, "signature_algorithm", unnamed);
  const { tbs, signature } = subject;
  const isValid = await isSignatureValid(scheme, scheme.digest, issuer.publicKeyInfo, tbs, signature);
  check(isValid, "certificate_signature", "a certificate was not signed by the issuer it names");
}
