// What the outcome of a check means in plain words, where the setting says more than the check's name.
import type { Check } from "../../core/verify/check.ts";
import { isCheckName } from "../../reader/check-names.ts";
import type { Turn } from "../examine.ts";
import { ownOrigin } from "../origin.ts";
import type { Sheet } from "../sheet.ts";
import type { Text } from "../../reader/text/text.ts";
import { isSupplementary } from "../../reader/verdict.ts";
import { type State, stateOf } from "./icon.ts";

/** Core's words for a token that is sound but leads to another certificate than the reader's. A test holds them. */
const NO_ANCHOR = "no trust anchor issued the certificate";

const COMPARISONS: ReadonlySet<string> = new Set(["published_root", "published_seals"]);

/** What can't be shown by this evidence alone is set aside, rather than left open. */
export const stateOfCheck = ({ ok, name }: Check): State =>
  ok === null && isSupplementary(name) ? "aside" : stateOf(ok);

export const nameOf = (text: Text, { name }: Check): string =>
  isCheckName(name) ? text.checkTexts[name].name : name;

/** `turn` is the one that the check is about, if it is about one. */
export function meaningOf(text: Text, check: Check, { examination, anchors }: Sheet, turn?: Turn): string {
  const { name, ok, detail } = check;
  if (name === "published_root" && ok === null && isUnpublished(turn)) return text.again.pendingRoot;
  if (COMPARISONS.has(name) && ok === null && ownOrigin() === null) return text.checks.unconnected;
  if (name === "published_root" && ok === true && examination.kind === "bundle")
    return text.checks.enclosedRoot;
  if (name === "timestamp" && ok === null && isStamped(turn))
    return anchors === null ? openFor(text) : text.checks.expired;
  if (name === "timestamp" && ok === true && isRenewed(turn)) return text.checks.renewed;
  if (name === "timestamp" && ok === false && detail === NO_ANCHOR) return text.checks.otherCertificate;
  if (!isCheckName(name)) return detail;
  return text.checkTexts[name][ok === null ? "open" : ok ? "holds" : "broken"];
}

const isUnpublished = (turn: Turn | undefined): boolean =>
  turn?.evidence.merkle_proof.cross_tenant_proof === null;

const openFor = ({ checks }: Text): string => (isSecureContext ? checks.noCertificate : checks.insecure);

const isRenewed = (turn: Turn | undefined): boolean =>
  turn?.times.some(({ covers }) => covers !== turn.evidence.merkle_proof.merkle_root) === true;

const isStamped = (turn: Turn | undefined): boolean => turn?.evidence.tsa_timestamp?.status === "included";
