// Why a check could not be made, as a sentence: the same in every program. What to do about it with a program's own options
// or buttons, the program adds.
import type { PlacedCheck } from "../../core/verify/check.ts";
import type { CheckName } from "../../core/verify/check-names.ts";
import type { OpenReason } from "../../core/verify/open-reason.ts";
import type { OpenText } from "./open-en.ts";
import type { Text } from "./text.ts";

/** What a program knows of the reader's circumstances, and a check does not. */
export interface Circumstances {
  /** Whether published roots could be read; else why not. */
  readonly roots: "read" | "not_asked" | "offline" | "saved" | "sample" | "unavailable";
  /** True if the reader chose the certificates. */
  readonly hasOwnAnchors: boolean;
  readonly verifiesTimestamps: boolean;
}

type SentenceKey = Exclude<keyof OpenText, "heading" | "noPolicy">;

/** Null where the check's own words say it. */
const KEYS: Readonly<
  Record<OpenReason, (check: PlacedCheck, circumstances: Circumstances) => SentenceKey | null>
> = {
  not_given: uncompared,
  no_anchor: (_, { verifiesTimestamps }) => (verifiesTimestamps ? "noAnchor" : "insecure"),
  other_request: () => "otherRequest",
  other_authority: (_, { hasOwnAnchors }) => (hasOwnAnchors ? "otherCertificate" : "unknownAuthority"),
  weak: () => "weak",
  beyond_verifier: () => "beyondVerifier",
  other_log: () => "otherLog",
  other_history: () => "otherHistory",
  pending: ({ name }) => (name === "timestamp" ? "pendingTimestamp" : "pendingRoot"),
  too_new: () => "tooNew",
  turn_missing: () => "turnMissing",
  expired: () => "expired",
  no_quorum: () => "noQuorum",
  two_logs: () => null,
  nothing_to_check: () => null,
};

const OF_PUBLISHED_ROOTS: ReadonlySet<CheckName> = new Set(["published_root", "published_seals"]);

function uncompared({ name, place }: PlacedCheck, { roots }: Circumstances): SentenceKey | null {
  if (name === "checkpoint") return roots === "read" ? "noCheckpointPublished" : null;
  if (!OF_PUBLISHED_ROOTS.has(name)) return null;
  if (name === "published_root" && place !== "") return "enclosedRoot";
  return roots === "read" || roots === "not_asked" ? null : roots;
}

export function openSentence(text: Text, check: PlacedCheck, circumstances: Circumstances): string {
  const key = check.reason === undefined ? null : KEYS[check.reason](check, circumstances);
  return key === null ? text.checkTexts[check.name].open : text.open[key];
}
