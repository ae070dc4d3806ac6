// The chain from a signer's certificate to a trust anchor (RFC 5280 section 6), as of the time of signing.
import { equalBytes, formatHex } from "../../bytes.ts";
import { DisclosureError, isDisclosureError } from "../../errors.ts";
import type { Certificate } from "./certificate.ts";
import {
  allowsKeyUsage,
  authorityKeyIdentifierOf,
  basicConstraintsOf,
  disobeyedExtensions,
  extendedKeyUsageOf,
  KeyUsage,
  subjectKeyIdentifierOf,
} from "./certificate-extensions.ts";
import { formatName } from "./distinguished-name.ts";
import { LIMITS } from "./limits.ts";
import type { SignatureCheck } from "./signature.ts";
import { signatureSchemeOf } from "./signature-scheme.ts";
import { check, judgeable, violatedCheck } from "./token-check.ts";

/** The use that a chain must be good for: every certificate valid at `time` (RFC 3339), every issuer allowed `purpose`. */
export type ChainContext = {
  readonly time: string;
  readonly purpose: string;
  readonly isSignatureValid: SignatureCheck;
};

const ANY_PURPOSE = "2.5.29.37.0";
const OTHER_KEY: ReadonlySet<unknown> = new Set(["certificate_signature", "public_key"]);

/**
 * The chain from `leaf` to one of `anchors`, first to last, through any of `intermediates`. An anchor is a name and a key
 * (RFC 5280 section 6.1.1): the caller trusts it, whatever its certificate says. Certificates that came with a token only
 * ever lead to one. The caller has found with `verifyUsable` that the leaf can be used.
 * Throws `token_invalid` where every chain breaks a rule, with that of the chain that came farthest, or
 * `signing_certificate` if there is none; `token_open` where one can't be judged here.
 */
export async function verifyChain(
  leaf: Certificate,
  intermediates: readonly Certificate[],
  anchors: readonly Certificate[],
  context: ChainContext,
): Promise<readonly Certificate[]> {
  // From each certificate the chain goes on once: cross-signed ones that lead in circles would take for ever.
  const untried = new Set(distinct([leaf, ...anchors, ...intermediates]));
  untried.delete(leaf);
  const search: Search = { isAnchor: isAmong(anchors), untried, work: newWork(), failures: [] };
  const chain = await extendChain([leaf], leaf, search, context);
  if (chain !== null) return chain;
  const unjudged = search.failures.find(({ error }) => error.code === "token_open");
  const [farthest] = search.failures.toSorted((a, b) => b.length - a.length);
  const failure = unjudged ?? farthest;
  if (failure !== undefined) throw failure.error;
  const message = "the certificates that the signer names lead to no trust anchor";
  throw new DisclosureError("token_invalid", message, { check: "signing_certificate" });
}

/**
 * True if one of `anchors` may be behind `leaf`: it is a certificate to which names lead, or its key signed one. If not,
 * the chain's faults say nothing: the anchors are other authorities'. Throws `token_open` where there were too many
 * signatures to tell.
 */
export async function leadsToAnchor(
  leaf: Certificate,
  certificates: readonly Certificate[],
  anchors: readonly Certificate[],
  context: ChainContext,
): Promise<boolean> {
  const [work, trusted] = [newWork(), distinct(anchors)];
  for (const certificate of reachByName(leaf, distinct([leaf, ...certificates]))) {
    if (isAmong(trusted)(certificate)) return true;
    for (const anchor of issuersOf(certificate, trusted)) {
      spend(work);
      if (await isSignedBy(anchor, certificate, context)) return true;
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
    (certificate) => isAmong(anchors)(certificate) || issuersOf(certificate, anchors).length > 0,
  );

/** The leaf, and the certificates to which the names of issuers lead from it. */
function reachByName(leaf: Certificate, certificates: readonly Certificate[]): Certificate[] {
  const reached = new Set([leaf]);
  // The set grows while it is walked, and each certificate is visited once.
  for (const certificate of reached) {
    for (const issuer of issuersOf(certificate, certificates)) reached.add(issuer);
  }
  return [...reached];
}

/** One certificate may be given several times. */
const distinct = (certificates: readonly Certificate[]): Certificate[] => {
  const byDer = new Map<string, Certificate>();
  for (const certificate of certificates) {
    const der = formatHex(certificate.der);
    if (!byDer.has(der)) byDer.set(der, certificate);
  }
  return [...byDer.values()];
};

/**
 * False only for a signature that is shown to be another key's: one that is no key, or of another kind, has not made it. One
 * of a kind that is not judged here may have.
 */
async function isSignedBy(
  issuer: Certificate,
  subject: Certificate,
  context: ChainContext,
): Promise<boolean> {
  try {
    await verifyCertificateSignature(subject, issuer, context);
    return true;
  } catch (error) {
    return !OTHER_KEY.has(violatedCheck(error));
  }
}

/** The signatures that may still be looked at. */
interface Work {
  left: number;
}

const newWork = (): Work => ({ left: LIMITS.signatureChecks });

function spend(work: Work): void {
  const tooMany = "too many certificates have the name of its issuer";
  judgeable(work.left-- > 0, "beyond_verifier", "certificate_signature", tooMany);
}

/** A chain that could not go on, of so many certificates. */
interface Failure {
  readonly length: number;
  readonly error: DisclosureError;
}

/** The attempts that are left on the way to an anchor, and why earlier ones failed. */
interface Search {
  readonly isAnchor: (certificate: Certificate) => boolean;
  readonly untried: Set<Certificate>;
  readonly work: Work;
  readonly failures: Failure[];
}

/** Null where no issuer is left to try. */
async function extendChain(
  chain: readonly Certificate[],
  last: Certificate,
  search: Search,
  context: ChainContext,
): Promise<readonly Certificate[] | null> {
  if (search.isAnchor(last)) return chain;
  for (const issuer of issuersOf(last, search.untried)) {
    if (!search.untried.has(issuer)) continue;
    try {
      await verifyIssued(chain, last, issuer, search, context);
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
      search.failures.push({ length: chain.length, error });
      continue;
    }
    search.untried.delete(issuer);
    const whole = await extendChain([...chain, issuer], issuer, search, context);
    if (whole !== null) return whole;
  }
  return null;
}

/**
 * Those that have the issuer's name: first those whose key is identified as the issuer's, then those of which that isn't
 * said, and last those whose key is identified as another (RFC 4158 section 3.5.12).
 */
function issuersOf(subject: Certificate, certificates: Iterable<Certificate>): Certificate[] {
  const named = [...certificates].filter((issuer) => equalBytes(issuer.subject.bytes, subject.issuer.bytes));
  if (named.length < 2) return named;
  const wanted = authorityKeyIdentifierOf(subject);
  const rankOf = (issuer: Certificate): number => {
    const own = subjectKeyIdentifierOf(issuer);
    if (own === null || wanted === null) return 1;
    return equalBytes(own, wanted) ? 0 : 2;
  };
  const ranked = named.map((issuer) => ({ issuer, rank: rankOf(issuer) }));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ issuer }) => issuer);
}

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
  if (!search.isAnchor(issuer)) {
    verifyUsable(issuer, context);
    verifyMayIssue(issuer, chain, context);
  }
  spend(search.work);
  await verifyCertificateSignature(subject, issuer, context);
}

/**
 * Throws `token_invalid` unless the certificate is valid at the time, `token_open` if it asks for something that is not
 * supported here.
 */
export function verifyUsable(certificate: Certificate, { time }: ChainContext): void {
  const { notBefore, notAfter } = certificate;
  const isValid = Date.parse(notBefore) <= Date.parse(time) && Date.parse(time) <= Date.parse(notAfter);
  check(isValid, "certificate_validity", "a certificate of the chain was not valid at genTime", {
    expected: { notBefore, notAfter },
    actual: time,
  });
  const actual = disobeyedExtensions(certificate);
  const message = "one of its certificates has a critical extension that is not supported";
  judgeable(actual.length === 0, "beyond_verifier", "certificate_critical_extension", message, { actual });
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
