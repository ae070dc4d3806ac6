// The evidence sheet: one piece of evidence, what was found of it, and everything that is needed to repeat the check.
// A pure function of its inputs; the page prints it and `receipts sheet` writes it.
import type { BundleFile, Evidence } from "../evidence.ts";
import type { Examination } from "../examination.ts";
import { describeErasures } from "../text/erasure.ts";
import { cutText, formatNumber, textAt, utcTime } from "../text/format.ts";
import { describeMissing, reasonOn, sentenceOn } from "../text/sentence.ts";
import { type Text, textIn } from "../text/text.ts";
import { hasReason, isWhole, judge } from "../verdict.ts";
import { checksSection } from "./checks.ts";
import { type Sheet, type SheetInputs, timeOf } from "./model.ts";
import { code, definitions, node, type SheetElement, type SheetNode, sha256, value } from "./node.ts";
import { turnSection } from "./turns.ts";

export function buildSheet(inputs: SheetInputs): SheetElement {
  const { language, examination } = inputs;
  const sheet = {
    ...inputs,
    verdict: judge(examination),
    text: textIn(language),
  };
  const content = node(
    "td",
    {},
    headSection(sheet),
    verdictSection(sheet),
    turnsSection(sheet),
    checksSection(sheet),
    filesSection(sheet),
    anchorsSection(sheet),
    limitsSection(sheet),
  );
  // The foot of a table is repeated on every page that the table is printed on.
  return node(
    "table",
    { class: "evidence-sheet", lang: language },
    node("tfoot", {}, node("tr", {}, node("td", { class: "foot" }, footOf(sheet)))),
    node("tbody", {}, node("tr", {}, content)),
  );
}

/** The sheet's title, and so the name of its PDF: the receipt's number, the conversation, or the root. */
export function titleOf({ evidence, language }: Pick<SheetInputs, "evidence" | "language">): string {
  const { sheet, picture } = textIn(language);
  if (evidence.kind === "seal") return picture.root(String(evidence.seal.index));
  if (evidence.kind === "bundle") return sheet.conversationTitle(cutText(evidence.bundle.interaction_id));
  return sheet.receiptTitle(cutText(numberOf(evidence.receipt)));
}

const numberOf = (receipt: {
  readonly receipts?: readonly unknown[] | undefined;
  readonly event_id?: unknown;
}): string => textAt(receipt.receipts?.[0] ?? receipt, "event_id");

const footOf = (sheet: Sheet): string =>
  `${sheet.text.sheet.heading} · ${titleOf(sheet)} · ${utcTime(sheet.text.locale, sheet.checkedAt)}`;

function headSection(sheet: Sheet): SheetElement {
  const { text, evidence, source, program } = sheet;
  const words = text.sheet;
  return node(
    "section",
    {},
    node("h1", {}, words.heading),
    node("p", {}, words.lead),
    definitions([
      [words.subject, value(titleOf(sheet))],
      ...identityRows(sheet),
      [text.hashes.chain_id, chainOf(evidence)],
      [words.service, value(source ?? words.noService)],
      [text.file.checkedAt, timeOf(sheet, sheet.checkedAt.toISOString())],
      [words.program, program],
    ]),
  );
}

/** The conversation and the agent: a bundle encloses its requests, a lone receipt needs one that was given. */
function identityRows({ evidence, text, request }: Sheet): (readonly [string, SheetNode | null])[] {
  const { facts, sheet } = text;
  if (evidence.kind === "seal") return [];
  const erasures = describeErasures(text, evidence).map((sentence): [string, SheetNode] => [
    sheet.erasure,
    sentence,
  ]);
  if (evidence.kind === "bundle") return [[facts.agent, value(agentsOf(evidence, text))], ...erasures];
  const known = (name: string): SheetNode =>
    request === undefined
      ? sheet.unknown
      : node("div", {}, value(textAt(request, name)), node("small", {}, sheet.fromRequest));
  return [[facts.interaction, known("interaction_id")], [facts.agent, known("agent_identity")], ...erasures];
}

const agentsOf = ({ bundle }: BundleFile, { facts: { erased } }: Text): string =>
  [
    ...new Set(
      bundle.requests.map((request) => (request === null ? erased : textAt(request, "agent_identity"))),
    ),
  ].join(", ");

function chainOf(evidence: Evidence): SheetNode | null {
  if (evidence.kind === "seal") return null;
  const [receipt] = evidence.kind === "bundle" ? evidence.bundle.receipts : (evidence.receipt.receipts ?? []);
  return code(textAt(receipt, "chain_id"));
}

function verdictSection({ verdict, text, evidence, examination, caveats = [] }: Sheet): SheetElement {
  const missing = describeMissing(text, evidence);
  const { outcome, failed, open } = verdict;
  const listed = failed.length > 0 ? failed : open;
  const names = [...new Set(listed.map(({ name }) => text.checkTexts[name].name))];
  return node(
    "section",
    {},
    node(
      "div",
      { class: `verdict is-${outcome}` },
      node("strong", {}, sentenceOn(text, evidence, verdict)),
      missing === null ? null : node("p", {}, `${text.verdict.notAll} ${missing}`),
      node("p", {}, reasonOn(text, evidence, verdict)),
      names.length === 0 ? null : node("ul", {}, ...names.map((name) => node("li", {}, name))),
      ...caveats.map((caveat) => node("p", {}, caveat)),
      ...strayReasons(examination).map((key) =>
        node("p", {}, `${text.open[key]} ${text.overview.strayMore}`),
      ),
    ),
  );
}

/** The reader's inputs that belong to other evidence, as the checks say that lack them. */
const strayReasons = (examination: Examination) =>
  [
    hasReason(examination, "other_request") ? (["otherRequest"] as const) : [],
    hasReason(examination, "other_authority") ? (["otherCertificate"] as const) : [],
    hasReason(examination, "other_log") ? (["otherLog"] as const) : [],
  ].flat();

function turnsSection(sheet: Sheet): SheetElement | null {
  const { examination, text } = sheet;
  if (examination.turns.length === 0) return null;
  return node(
    "section",
    {},
    node("h2", {}, text.facts.receipts),
    ...examination.turns.map((turn) => turnSection(sheet, turn)),
  );
}

function filesSection({ files, text }: Sheet): SheetElement {
  const rows = files.map(({ name, kind, size, digest }): readonly [string, SheetNode] => [
    text.overview.kinds[kind],
    node(
      "div",
      {},
      value(name ?? text.intro.pasted),
      `, ${text.file.size(formatNumber(text.locale, size))}`,
      sha256(digest),
    ),
  ]);
  return node("section", {}, node("h2", {}, text.overview.list), definitions(rows));
}

function anchorsSection({ anchors, text }: Sheet): SheetElement {
  const validity = (from: string, until: string): string =>
    text.facts.to(utcTime(text.locale, from), utcTime(text.locale, until));
  const rows = anchors.map(({ subject, fingerprint, notBefore, notAfter }) =>
    node("li", {}, value(subject), node("small", {}, validity(notBefore, notAfter)), sha256(fingerprint)),
  );
  const list = rows.length === 0 ? node("p", {}, text.anchor.none) : node("ul", {}, ...rows);
  return node("section", {}, node("h2", {}, text.anchor.heading), list);
}

function limitsSection({ text: { sheet, facts, verdict, anchor }, examination }: Sheet): SheetElement {
  const lastTurn = isWhole(examination) ? [] : [facts.lastTurn];
  const limits = [facts.limit, ...lastTurn, verdict.legal, anchor.eidas];
  const items = limits.map((limit) => node("li", {}, limit));
  return node("section", {}, node("h2", {}, sheet.limits), node("ul", {}, ...items));
}
