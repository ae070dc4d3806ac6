// The timestamp of a root as a check: the token covers this very root, and leads to a trust anchor of the reader's.
import { parseBase64 } from "../bytes.ts";
import { isDisclosureError } from "../errors.ts";
import type { TsaTimestamp } from "../formats/metachain.ts";
import type { Renewal } from "../formats/renewal.ts";
import { isValidAt, type ProvenTime, readToken, verifyTimestamp } from "../timestamps/proven-time.ts";
import { parseTimestampToken } from "../timestamps/timestamp-token.ts";
import { TimestampVerifier, type TrustAnchors } from "../timestamps/timestamp-verifier.ts";
import { type TokenOpenReason, tokenOpenReason } from "../timestamps/x509/token-check.ts";
import { type Finding, holds, unchecked } from "./check.ts";
import { count } from "./count.ts";
import { verifyRenewal } from "./verify-renewal.ts";

/** The reader's inputs for a timestamp; the last two are for old timestamps. */
export interface ReaderTime {
  /** DER certificates of the timestamp authorities that the reader trusts; without any, no token can be checked. */
  readonly trustAnchors?: TrustAnchors | undefined;
  /** The reader's clock, RFC 3339. Without it, no certificate is found to have run out since. */
  readonly now?: string | undefined;
  /** Newer timestamps that cover older seals; each says which seal it renews. */
  readonly renewals?: readonly Renewal[] | undefined;
}

export interface StampedRoot extends ReaderTime {
  readonly root: string;
  readonly timestamp: TsaTimestamp;
  /** When the service says that what the root covers was there; the token can't be older. RFC 3339. */
  readonly notBefore: string | null;
  /** The seal that publishes the root. A root that no seal publishes has no later one that covers it. */
  readonly seal?: { readonly index: number; readonly tree_size: number } | null | undefined;
  /** The renewal that came with the receipt. It counts where the own token can't carry alone. */
  readonly carried?: Renewal | undefined;
}

/** Why a token could not be judged. */
interface Unjudged {
  readonly reason: TokenOpenReason;
  readonly detail: string;
}

/** The times that one token or one renewal proves; none where it could not be judged. */
interface Attempt {
  readonly times: readonly ProvenTime[];
  readonly unjudged?: Unjudged;
}

/**
 * Every time that is proved of the root, and by what: its own token's and those of its renewals, earliest first. A token
 * that can't be judged proves no time. Throws `token_invalid` or `proof_invalid` if any of them is
 * wrong otherwise, `malformed` for what is no token.
 */
export async function proveTimes(stamped: StampedRoot): Promise<readonly ProvenTime[]> {
  return timesOf(await attemptAll(stamped));
}

const timesOf = (attempts: readonly Attempt[]): readonly ProvenTime[] =>
  attempts.flatMap(({ times }) => times).toSorted(byGenTime);

async function attemptAll(stamped: StampedRoot): Promise<readonly Attempt[]> {
  const { root, seal, timestamp, notBefore, renewals = [], now } = stamped;
  const knowledge = { trustAnchors: TimestampVerifier.of(stamped.trustAnchors ?? []), now };
  const own = await attempt(verifyOwn(root, timestamp, notBefore, knowledge));
  const given = [...renewals, ...carriedRenewal(stamped, own)];
  const applicable = seal ? given.filter(({ renews }) => renews === seal.index) : [];
  const head = { merkle_root: root, tree_size: seal?.tree_size ?? 0 };
  const renewed = applicable.map((renewal) => attempt(verifyRenewal(head, renewal, knowledge)));
  return [own, ...(await Promise.all(renewed))];
}

async function verifyOwn(...token: Parameters<typeof verifyTimestamp>): Promise<readonly ProvenTime[]> {
  const time = await verifyTimestamp(...token);
  return time === null ? [] : [time];
}

/** A token that can't be judged proves nothing, and refutes nothing. */
async function attempt(verifying: Promise<readonly ProvenTime[]>): Promise<Attempt> {
  try {
    return { times: await verifying };
  } catch (error) {
    const reason = tokenOpenReason(error);
    if (reason === null || !isDisclosureError(error)) throw error;
    return { times: [], unjudged: { reason, detail: error.message } };
  }
}

/** A reader who doesn't trust the later authority loses nothing by it while the receipt's own token will do. */
function carriedRenewal({ carried, now }: StampedRoot, { times: [own] }: Attempt): readonly Renewal[] {
  const isEnough = own !== undefined && (now === undefined || isValidAt(own, now));
  return carried === undefined || isEnough ? [] : [carried];
}

/** Throws `token_invalid`, `proof_invalid`, or `malformed` for what is no token, unless the timestamp holds. */
export async function checkTimestamp(stamped: StampedRoot): Promise<Finding> {
  const { timestamp, trustAnchors = [], now } = stamped;
  if (!TimestampVerifier.of(trustAnchors).hasTrustAnchors) return checkWithoutAnchors(timestamp);
  const attempts = await attemptAll(stamped);
  const times = timesOf(attempts);
  const [first] = times;
  const unjudged = attempts.flatMap((attempt) => attempt.unjudged ?? []);
  if (first !== undefined) return now === undefined ? holds(describe(first)) : judge(times, unjudged, now);
  return openFor(unjudged) ?? unchecked("pending", "the timestamp is still pending");
}

/** Without an anchor no token is believed, but malformed tokens are still rejected. */
function checkWithoutAnchors(timestamp: TsaTimestamp): Finding {
  const token = readToken(timestamp);
  if (token === null) return unchecked("pending", "the timestamp is still pending");
  parseTimestampToken(parseBase64(token));
  return unchecked(
    "no_anchor",
    "no certificate of a timestamp authority was given to check the token against",
  );
}

/** Times under certificates that are valid today come first, then earlier times under expired ones. */
function judge(times: readonly ProvenTime[], unjudged: readonly Unjudged[], now: string): Finding {
  const valid = times.find((time) => isValidAt(time, now));
  const over = times
    .filter((time) => !isValidAt(time, now) && byGenTime(time, valid ?? time) <= 0)
    .map((time) => `${describe(time)}, whose certificate ran out at ${time.validUntil}`);
  if (valid !== undefined) return holds([describe(valid), ...over].join("; "));
  const expired = unchecked("expired", `${over.join("; ")}: no newer timestamp was given that renews it`);
  return openFor(unjudged, over) ?? expired;
}

/** The reason is that of the first token that could not be judged: the root's own, then those that renew it. */
function openFor(unjudged: readonly Unjudged[], before: readonly string[] = []): Finding | null {
  const [first] = unjudged;
  if (first === undefined) return null;
  return unchecked(first.reason, [...before, ...unjudged.map(({ detail }) => detail)].join("; "));
}

const describe = (time: ProvenTime): string => `the root existed at ${describeTime(time)}`;

/** The time, how exact it is, and who says so. */
export function describeTime({ genTime, accuracy, authority }: ProvenTime): string {
  const exactness = accuracy === null ? "" : `, give or take ${count(accuracy, "second")}`;
  return `${genTime}${exactness}, says ${authority.subject}`;
}

const byGenTime = (a: ProvenTime, b: ProvenTime): number => Date.parse(a.genTime) - Date.parse(b.genTime);
