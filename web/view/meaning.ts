// The meaning of a check's outcome in plain words, where the circumstances say more than the check's name.
import type { Check } from "../../core/verify/check.ts";
import { isCheckName } from "../../reader/check-names.ts";
import type { ExaminedTurn } from "../../reader/examination.ts";
import type { Text } from "../../reader/text/text.ts";
import { isSupplementary } from "../../reader/verdict.ts";
import { type State, stateOf } from "./icon.ts";
import { hasOwnCertificates, type View } from "./view.ts";

const COMPARISONS: ReadonlySet<string> = new Set(["published_root", "published_seals"]);

/** A check that this evidence alone can't decide, or that had nothing to look at, is set aside. */
export const stateOfCheck = (check: Check, turn?: ExaminedTurn): State => {
  const { ok, name, companion } = check;
  const isUndecided = ok === null && companion === undefined && isSupplementary(name);
  return isUndecided || isUnbounded(check, turn) ? "aside" : stateOf(ok);
};

/** A receipt that names no earlier root says nothing false by that, and proves no time. */
const isUnbounded = ({ name, ok }: Check, turn: ExaminedTurn | undefined): boolean =>
  name === "recorded_after" && ok === true && turn?.recordedAfter === null;

export const nameOf = (text: Text, { name }: Check): string =>
  isCheckName(name) ? text.checkTexts[name].name : name;

/** `turn` is the one that the check is about, if it is about one. */
export function meaningOf(view: View, check: Check, turn?: ExaminedTurn): string {
  const { text } = view;
  const special = check.ok === null ? openMeaning(view, check, turn) : null;
  if (special !== null) return special;
  if (isUnbounded(check, turn)) return text.checks.unbounded;
  const { name, ok, detail } = check;
  if (name === "timestamp" && ok === true && isRenewed(turn)) return text.checks.renewed;
  if (!isCheckName(name)) return detail;
  return text.checkTexts[name][ok === null ? "open" : ok ? "holds" : "broken"];
}

/** Null where the check's own words say it. */
function openMeaning(view: View, { name, companion }: Check, turn: ExaminedTurn | undefined): string | null {
  const { text, entry } = view;
  if (companion === "request") return text.checks.otherRequest;
  if (name === "published_root" && isUnpublished(turn)) return text.repeat.pendingRoot;
  if (name === "published_root" && entry.kind === "bundle") return text.checks.enclosedRoot;
  if (COMPARISONS.has(name)) return uncompared(view);
  if (name === "timestamp" && isTimestamped(turn)) return openTimestamp(view, companion, turn);
  if (name === "recorded_after") return openBound(view, companion);
  return null;
}

function uncompared({ text, checked, entry }: View): string | null {
  if (checked.isSample) return text.checks.sample;
  if (checked.metachain === null) return text.checks.unconnected;
  return entry.examination.unavailable === null ? null : text.checks.unavailable;
}

function openBound({ text, checked }: View, companion: Check["companion"]): string | null {
  if (!checked.isSecure) return text.checks.insecure;
  if (companion !== "trust_anchor") return null;
  return hasOwnCertificates(checked) ? text.checks.otherCertificate : text.checks.unknownAuthority;
}

function openTimestamp(
  { text, checked }: View,
  companion: Check["companion"],
  turn: ExaminedTurn | undefined,
): string | null {
  if (!checked.isSecure) return text.checks.insecure;
  if (companion === "trust_anchor")
    return hasOwnCertificates(checked) ? text.checks.otherCertificate : text.checks.unknownAuthority;
  return turn?.tokenTime?.authority == null ? null : text.checks.expired;
}

const isUnpublished = (turn: ExaminedTurn | undefined): boolean =>
  turn?.evidence.merkle_proof.cross_tenant_proof === null;

const isRenewed = (turn: ExaminedTurn | undefined): boolean =>
  turn?.times.some(({ covers }) => covers !== turn.evidence.merkle_proof.merkle_root) === true;

const isTimestamped = (turn: ExaminedTurn | undefined): boolean =>
  turn?.evidence.tsa_timestamp?.status === "included";
