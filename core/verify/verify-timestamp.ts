// The timestamp of a root as a check: the token covers this very root, and leads to a trust anchor of the reader's.
import { parseBase64 } from "../bytes.ts";
import type { TsaTimestamp } from "../formats/metachain.ts";
import type { Renewal } from "../formats/renewal.ts";
import { isStanding, type ProvenTime, readToken, verifyTimestamp } from "../timestamps/proven-time.ts";
import { parseTimestampToken } from "../timestamps/timestamp-token.ts";
import { TimestampVerifier, type TrustAnchors } from "../timestamps/timestamp-verifier.ts";
import { type Finding, holds, unchecked } from "./check.ts";
import { count } from "./count.ts";
import { verifyRenewal } from "./verify-renewal.ts";

/** What the reader of a timestamp has beside it; the last two are for timestamps of old. */
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

/**
 * Every time that is proved of the root, and by what: its own token's and those of its renewals, earliest first.
 * Throws `token_invalid` or `proof_invalid` if any of them does not hold, `malformed` for what is no token.
 */
export async function proveTimes(stamped: StampedRoot): Promise<readonly ProvenTime[]> {
  const { root, seal, timestamp, notBefore, renewals = [], now } = stamped;
  const knowledge = { trustAnchors: TimestampVerifier.of(stamped.trustAnchors ?? []), now };
  const own = await verifyTimestamp(root, timestamp, notBefore, knowledge);
  const given = [...renewals, ...carriedRenewal(stamped, own)];
  const applicable = seal ? given.filter(({ renews }) => renews === seal.index) : [];
  const head = { merkle_root: root, tree_size: seal?.tree_size ?? 0 };
  const renewed = await Promise.all(applicable.map((renewal) => verifyRenewal(head, renewal, knowledge)));
  return [...(own ? [own] : []), ...renewed.flat()].toSorted(byGenTime);
}

/** A reader who doesn't trust the later authority loses nothing by it while the receipt's own token will do. */
function carriedRenewal({ carried, now }: StampedRoot, own: ProvenTime | null): readonly Renewal[] {
  const isEnough = own !== null && (now === undefined || isStanding(own, now));
  return carried === undefined || isEnough ? [] : [carried];
}

/** Throws `token_invalid`, `proof_invalid`, or `malformed` for what is no token, unless the timestamp holds. */
export async function checkTimestamp(stamped: StampedRoot): Promise<Finding> {
  const { timestamp, trustAnchors = [], now } = stamped;
  if (!TimestampVerifier.of(trustAnchors).hasTrustAnchors) return checkUnanchored(timestamp);
  const times = await proveTimes(stamped);
  const [first] = times;
  if (first === undefined) return unchecked("the timestamp is still pending");
  return now === undefined ? holds(describe(first)) : judge(times, now);
}

/** Without an anchor nobody's word counts, but what is no token at all is found to be none. */
function checkUnanchored(timestamp: TsaTimestamp): Finding {
  const token = readToken(timestamp);
  if (token === null) return unchecked("the timestamp is still pending");
  parseTimestampToken(parseBase64(token));
  return unchecked("no certificate of a timestamp authority was given to check the token against");
}

/** What is proved by keys that somebody answers for today comes first; then who said earlier that it was earlier. */
function judge(times: readonly ProvenTime[], now: string): Finding {
  const standing = times.find((time) => isStanding(time, now));
  const over = times
    .filter((time) => !isStanding(time, now) && byGenTime(time, standing ?? time) <= 0)
    .map((time) => `${describe(time)}, whose certificate ran out at ${time.validUntil}`);
  if (standing === undefined)
    return unchecked(`${over.join("; ")}: no newer timestamp was given that renews it`);
  return holds([describe(standing), ...over].join("; "));
}

const describe = ({ genTime, accuracy, authority }: ProvenTime): string => {
  const exactness = accuracy === null ? "" : `, give or take ${count(accuracy, "second")}`;
  return `the root existed at ${genTime}${exactness}, says ${authority.subject}`;
};

const byGenTime = (a: ProvenTime, b: ProvenTime): number => Date.parse(a.genTime) - Date.parse(b.genTime);
