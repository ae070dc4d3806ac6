// The rows of sets.json: what a set of files is made of, and how a row that was written by hand becomes one. Outcomes and
// exit statuses follow from the checks and strays, as docs/receipt-format.md, section "Many files", has them.
import { type Expected, verdictOn } from "./edit.ts";

/** The reason of a check that can't be made, by the check's name with its place: `receipts/1/timestamp`. */
export type Open = Readonly<Record<string, string>>;

export interface FoundFile {
  readonly file: string;
  readonly kind: "receipt" | "report" | "proof" | "bundle" | "seal" | "fork" | null;
  readonly failing: readonly string[];
  readonly open: Open;
  /** How many copies of the file were given; left out for one. */
  readonly copies?: number;
  /** Only for what has no checks. */
  readonly outcome?: Expected;
}

/** A file of a set; a text names a file that the reader names. */
export type Given = string | { readonly file: string; readonly in_folder?: true; readonly copies?: number };

export interface Options {
  readonly seals?: readonly string[];
  readonly requests?: readonly string[];
  readonly layers?: readonly string[];
  readonly certificates?: readonly string[];
  readonly policy?: string;
  readonly wording?: string;
  readonly history?: string;
  readonly tenant?: string;
}

/** By check: true, false, or the reason why it can't be made. */
export type TogetherChecks = Readonly<Record<string, boolean | string>>;

interface Place {
  readonly file: string;
  readonly eventId: string;
  readonly turn: number;
}

export interface Summary {
  readonly files: number;
  readonly receipts: number;
  readonly conversations: number;
  readonly chains: readonly object[];
  readonly missingTurns: readonly { readonly last: Place }[];
  readonly remarked: number;
  readonly remarks: readonly { readonly kind: string; readonly receipts: readonly Place[] }[];
}

export interface Draft {
  readonly name: string;
  /** What is given, and why this set is there. */
  readonly reason: string;
  readonly files: readonly Given[];
  readonly options?: Options;
  /** By index; null where nothing is published. Left out where nobody is asked. */
  readonly published?: Readonly<Record<number, string | null>>;
  readonly found: readonly FoundFile[];
  readonly together?: TogetherChecks;
  readonly strays?: readonly { readonly kind: string; readonly file: string | null }[];
  /** Companions of a folder that are told, and not believed. */
  readonly notBelieved?: readonly { readonly kind: string; readonly file: string }[];
  readonly summary: Summary;
}

export const SERVICE = "authorities/service.pem";
export const LAYER = "layers/service.json";
/** A day after the evidence was made: every certificate is valid. */
const NOW = "2026-11-27T00:00:00Z";
/** Left unmade, it is of no weight: no two receipts of a set need to follow each other. */
const WEIGHTLESS = "chain_links";

/** Unless a row says otherwise, the reader trusts the service's authority and has the layer of its receipts. */
const DEFAULTS = {
  seals: [],
  requests: [],
  layers: [LAYER],
  certificates: [SERVICE],
  policy: null,
  wording: null,
  history: null,
  tenant: null,
};

export function rowOf({ name, reason, files, options, published = {}, ...draft }: Draft) {
  return {
    name,
    reason,
    now: NOW,
    files: files.map(givenOf),
    options: { ...DEFAULTS, ...options },
    published: Object.keys(published).length === 0 ? null : published,
    expected: expectedOf(draft),
  };
}

export type SetRow = ReturnType<typeof rowOf>;

function givenOf(given: Given) {
  const { file, in_folder = false, copies } = typeof given === "string" ? { file: given } : given;
  return { file, in_folder, ...(copies !== undefined && { copies }) };
}

function expectedOf(draft: Pick<Draft, "found" | "together" | "strays" | "notBelieved" | "summary">) {
  const { together: checks = null, strays = [], notBelieved = [], summary } = draft;
  const files = draft.found.map((found) => ({ ...found, outcome: found.outcome ?? outcomeOf(found) }));
  const together = checks === null ? null : { outcome: togetherOutcome(checks), checks };
  const outcomes = [...files, ...(together === null ? [] : [together])].map(({ outcome }) => outcome);
  const outcome = worstOf(outcomes);
  return {
    outcome,
    exit: { plain: exitOf(outcome, strays.length, false), strict: exitOf(outcome, strays.length, true) },
    files,
    together,
    strays,
    not_believed: notBelieved,
    summary,
  };
}

const outcomeOf = ({ failing, open }: FoundFile): Expected =>
  verdictOn({ failing, unmade: Object.keys(open) });

function togetherOutcome(checks: TogetherChecks): Expected {
  const named = Object.entries(checks);
  const failing = named.filter(([, outcome]) => outcome === false).map(([name]) => name);
  const unmade = named.filter(([name, outcome]) => typeof outcome === "string" && name !== WEIGHTLESS);
  return verdictOn({ failing, unmade: unmade.map(([name]) => name) });
}

/** A set without evidence is unreadable: there is nothing in it that could hold. */
function worstOf(outcomes: readonly Expected[]): Expected {
  if (outcomes.length === 0) return "unreadable";
  const order = ["does_not_hold", "unreadable", "holds_so_far"] as const;
  return order.find((outcome) => outcomes.includes(outcome)) ?? "holds";
}

function exitOf(outcome: Expected, strays: number, isStrict: boolean): number {
  if (outcome === "does_not_hold") return 1;
  if (outcome === "unreadable") return 2;
  return strays > 0 || (isStrict && outcome === "holds_so_far") ? 3 : 0;
}
