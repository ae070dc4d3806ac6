// What was disclosed: the wording itself, when, how, and at which turn.
import { isValidAt, type ProvenTime } from "../../core/timestamps/proven-time.ts";
import type { Turn } from "../examine.ts";
import { summarize } from "../parts.ts";
import type { View } from "../sheet.ts";
import { type Text, termIn } from "../text/text.ts";
import { findWording } from "../wording.ts";
import { type Child, definitions, el, section } from "./dom.ts";
import {
  bdi,
  commonName,
  countryName,
  dateTime,
  hash,
  languageName,
  number,
  textAt,
  timeElement,
} from "./format.ts";

export function receiptFacts(view: View, turn: Turn): HTMLElement | null {
  const receipt = turn.evidence.receipts?.[0];
  if (receipt === undefined) return null;
  const isClaim = view.sheet.verdict.outcome === "broken";
  const { facts } = view.text;
  return section(
    "facts",
    isClaim ? facts.claimed : facts.heading,
    isClaim ? el("p", { class: "remark" }, facts.claimedNote) : null,
    turnFacts(view, turn),
    isClaim ? null : el("p", { class: "remark" }, facts.limit),
  );
}

/** The wording and its circumstances, without a heading. The receipt may hold anything. */
export function turnFacts(view: View, turn: Turn): HTMLElement {
  const { text } = view;
  const { facts } = text;
  const receipt: unknown = turn.evidence.receipts?.[0];
  const found = findWording(textAt(receipt, "disclosure", "subject_hash"));
  return el(
    "div",
    { class: "facts" },
    found === null
      ? unknownWording(text, receipt)
      : el("blockquote", { lang: found.wording.language }, found.wording.text),
    definitions(
      [
        [facts.when, recorded(text, receipt)],
        [facts.proven, proven(view, turn)],
        [facts.place, facts.turn(textAt(receipt, "turn"))],
        [facts.method, method(text, receipt)],
        [facts.language, found === null ? null : languageName(text, found.wording.language)],
        [facts.assessment, assessed(text, receipt)],
        [facts.jurisdiction, law(text, receipt)],
      ],
      "pairs",
    ),
  );
}

const recorded = (text: Text, receipt: unknown): HTMLElement =>
  el("span", {}, timeElement(text, textAt(receipt, "issued_at")), el("small", {}, text.facts.ownClock));

/** Every time that a timestamp proves, and who says so. Of a receipt that was changed a timestamp proves nothing. */
function proven({ text, sheet }: View, { checks, times }: Turn): Child {
  if (times.length === 0 || summarize(checks) === false) return null;
  const now = sheet.checkedAt.toISOString();
  return el(
    "span",
    {},
    ...times.flatMap((time) => [
      el("span", { class: "line" }, timeElement(text, time.genTime)),
      el("small", {}, bdi(signature(text, time, now))),
    ]),
  );
}

function signature(text: Text, time: ProvenTime, now: string): string {
  const subject = commonName(time.authority.subject);
  if (isValidAt(time, now)) return text.facts.signed(subject);
  return text.facts.signedOnce(subject, dateTime(text, time.validUntil));
}

function unknownWording({ facts }: Text, receipt: unknown): HTMLElement {
  const digest = hash(textAt(receipt, "disclosure", "subject_hash"));
  return el("div", { class: "unknown" }, el("p", {}, facts.unknownWording), el("p", {}, digest));
}

function method(text: Text, receipt: unknown): HTMLElement {
  const how = termIn(text, textAt(receipt, "disclosure", "disclosure_method"));
  return el("span", {}, bdi(how), ", ", bdi(termIn(text, textAt(receipt, "disclosure", "modality"))));
}

/** The verdict by the wording rules and their findings. */
export function assessment(text: Text, receipt: unknown): HTMLElement {
  const policy = (receipt as { policy?: { findings?: unknown } }).policy;
  const findings = Array.isArray(policy?.findings) ? policy.findings : [];
  const remarks = findings.filter((name) => typeof name === "string").map((name) => termIn(text, name));
  return el(
    "span",
    {},
    bdi(termIn(text, textAt(receipt, "verdict"))),
    remarks.length > 0 ? ": " : null,
    remarks.length > 0 ? bdi(remarks.join("; ")) : null,
  );
}

function assessed(text: Text, receipt: unknown): HTMLElement {
  const [jurisdiction, version] = [
    textAt(receipt, "policy", "jurisdiction"),
    textAt(receipt, "policy", "version"),
  ];
  return el(
    "span",
    {},
    assessment(text, receipt),
    el("small", {}, bdi(text.facts.rules(jurisdiction, version))),
  );
}

function law(text: Text, receipt: unknown): Child {
  const country = countryName(text, textAt(receipt, "disclosure", "jurisdiction"));
  return bdi(text.facts.law(textAt(receipt, "disclosure", "article_50_clause"), country));
}

/** What a bundle says of its conversation as a whole. */
export function conversationFacts({ text, sheet }: View): HTMLElement | null {
  const { subject, examination } = sheet;
  if (subject.kind !== "bundle") return null;
  const { facts } = text;
  const { bundle } = subject;
  const times = [bundle.receipts.at(0), bundle.receipts.at(-1)].map((receipt) =>
    textAt(receipt, "issued_at"),
  );
  const [from = "", until = ""] = times;
  const agents = new Set(
    bundle.requests.map((request) => (request === null ? facts.erased : textAt(request, "agent_identity"))),
  );
  return section(
    "facts",
    facts.conversation,
    definitions(
      [
        [facts.interaction, bdi(bundle.interaction_id)],
        [facts.agent, bdi([...agents].join(", "))],
        [facts.receipts, number(text, examination.turns.length)],
        [facts.period, period(text, from, until)],
      ],
      "pairs",
    ),
    el("p", { class: "remark" }, sheet.verdict.outcome === "broken" ? facts.brokenWhole : facts.limit),
  );
}

function period(text: Text, from: string, until: string): HTMLElement {
  const range = text.facts.to(dateTime(text, from), dateTime(text, until));
  return el("span", {}, range, el("small", {}, text.facts.ownClock));
}
