// TSTInfo, what a timestamp says (RFC 3161 section 2.4.2), and whether it says it about our root.

import { equalBytes, formatHex } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { formatNode } from "../merkle/hash.ts";
import { type AlgorithmIdentifier, isSha256, readAlgorithm } from "./x509/algorithms.ts";
import { readExtension } from "./x509/certificate.ts";
import { type DerValue, parseDer, Tag } from "./x509/der.ts";
import { type DerFields, readObjectIdentifier, readSequence, readSmallInteger } from "./x509/der-fields.ts";
import { readGeneralizedTime } from "./x509/generalized-time.ts";
import { check, judgeable, readAs } from "./x509/token-check.ts";

export type TstInfo = {
  readonly version: number;
  readonly policy: string;
  readonly imprintAlgorithm: AlgorithmIdentifier;
  readonly hashedMessage: Uint8Array;
  /** The contents of the INTEGER, as are those of the nonce. */
  readonly serialNumber: Uint8Array;
  /** RFC 3339, UTC. */
  readonly genTime: string;
  /** How far genTime may be off, in seconds; null where the authority does not say. */
  readonly accuracy: number | null;
  readonly nonce: Uint8Array | null;
  readonly hasCriticalExtension: boolean;
};

/** The nonce and policy of the request; a stored token is verified without them. */
export type TokenExpectations = {
  /** The contents of the nonce INTEGER that was sent. */
  readonly nonce?: Uint8Array;
  /** The policy that the token must name, as a dotted object identifier. */
  readonly policy?: string;
};

/** Throws `malformed`, or `token_invalid` (`gen_time`, `accuracy`), unless `der` is a TSTInfo in DER. */
export const parseTstInfo = (der: Uint8Array): TstInfo => readSequence(parseDer(der), readMembers);

function readMembers(fields: DerFields): TstInfo {
  const version = readSmallInteger(fields.next(Tag.integer));
  const policy = readObjectIdentifier(fields.next(Tag.objectIdentifier));
  const imprint = readImprint(fields.next(Tag.sequence));
  const serialNumber = fields.next(Tag.integer).content;
  const time = fields.next(Tag.generalizedTime);
  const genTime = readAs("gen_time", "genTime is not a time", () => readGeneralizedTime(time));
  const precision = fields.optional(Tag.sequence);
  const accuracy = readAs("accuracy", "the accuracy is not one", () => readAccuracy(precision));
  fields.optional(Tag.boolean); // ordering: nobody orders tokens by their times alone
  const nonce = fields.optional(Tag.integer)?.content ?? null;
  fields.optional(Tag.context(0)); // tsa: a hint; the certificate is what is believed
  const extensions = fields.optional(Tag.context(1))?.children.map(readExtension) ?? [];
  const hasCriticalExtension = extensions.some(([, { critical }]) => critical);
  return { version, policy, ...imprint, serialNumber, genTime, accuracy, nonce, hasCriticalExtension };
}

/** Accuracy: seconds, milliseconds [0] and microseconds [1]. What is left out is none. */
function readAccuracy(value: DerValue | undefined): number | null {
  if (value === undefined) return null;
  return readSequence(value, (fields) => {
    const seconds = fields.optional(Tag.integer);
    const millis = fields.optional(Tag.contextPrimitive(0));
    const micros = fields.optional(Tag.contextPrimitive(1));
    const wholeSeconds = seconds === undefined ? 0 : readSmallInteger(seconds);
    return wholeSeconds + readThousandths(millis) / 1_000 + readThousandths(micros) / 1_000_000;
  });
}

/** INTEGER (1..999). What is left out is 0. */
function readThousandths(value: DerValue | undefined): number {
  if (value === undefined) return 0;
  const thousandths = readSmallInteger({ ...value, tag: Tag.integer });
  if (thousandths >= 1 && thousandths <= 999) return thousandths;
  throw new DisclosureError("malformed", "expected 1 to 999 thousandths", { actual: thousandths });
}

const readImprint = (value: DerValue) =>
  readSequence(value, (fields) => ({
    imprintAlgorithm: readAlgorithm(fields.next(Tag.sequence)),
    hashedMessage: fields.next(Tag.octetString).content,
  }));

/**
 * Throws `token_invalid` unless this is a stamp of `root`, as it was asked for; `token_open` for another version than 1
 * and for a critical extension.
 */
export function verifyTstInfo(tstInfo: TstInfo, root: Uint8Array, expected: TokenExpectations): void {
  verifyImprint(tstInfo, root);
  verifyExpectations(tstInfo, expected);
  const { version, hasCriticalExtension } = tstInfo;
  const [other, extended] = ["its TSTInfo is not of version 1", "its TSTInfo has a critical extension"];
  judgeable(version === 1, "beyond_verifier", "tst_info_version", other, { expected: 1, actual: version });
  judgeable(!hasCriticalExtension, "beyond_verifier", "tst_info_extensions", extended);
}

function verifyImprint({ imprintAlgorithm, hashedMessage }: TstInfo, root: Uint8Array): void {
  // The root is a SHA-256: under another algorithm the same 32 bytes would stand for another message.
  check(isSha256(imprintAlgorithm), "imprint_algorithm", "the messageImprint is not a SHA-256", {
    expected: "SHA-256",
    actual: imprintAlgorithm.oid,
  });
  requireImprint(formatHex(hashedMessage), formatNode(root));
}

/** Throws `token_invalid` (`imprint`) unless `messageImprint`, in hex, is `root`, which is `0x` and hex. */
export function requireImprint(messageImprint: string, root: string): void {
  const actual = `0x${messageImprint}`;
  check(actual === root, "imprint", "the token is over another root", { expected: root, actual });
}

function verifyExpectations(tstInfo: TstInfo, { nonce, policy = tstInfo.policy }: TokenExpectations): void {
  // Without this an old answer over the same root could be replayed as a new one.
  const echoed = nonce === undefined || (tstInfo.nonce !== null && equalBytes(tstInfo.nonce, nonce));
  check(echoed, "nonce", "the token does not answer our request", {
    expected: nonce && formatHex(nonce),
    actual: tstInfo.nonce && formatHex(tstInfo.nonce),
  });
  check(tstInfo.policy === policy, "policy", "the token was issued under another policy", {
    expected: policy,
    actual: tstInfo.policy,
  });
}
