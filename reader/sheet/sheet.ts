// The evidence sheet: one piece of evidence, what was found of it, and everything that is needed to repeat the check.
// A pure function of its inputs; the page prints it and `receipts sheet` writes it.
import type { BundleFile, Evidence } from "../evidence.ts";
import type { Examination } from "../examination.ts";
import { describeErasures } from "../text/erasure.ts";
import { cutText, formatNumber, textAt, utcTime } from "../text/format.ts";
import { describeMissing, sentenceOn } from "../text/sentence.ts";
import type { SheetText } from "../text/sheet-en.ts";
import { sheetTextIn } from "../text/sheet-text.ts";
import { textIn } from "../text/text.ts";
import { hasReason, judge } from "../verdict.ts";
import { checksSection } from "./checks.ts";
import { type Sheet, type SheetInputs, timeOf } from "./model.ts";
import { code, definitions, node, type SheetElement, type SheetNode, sha256, value } from "./node.ts";
import { turnSection } from "./turns.ts";

export function buildSheet(inputs: SheetInputs): SheetElement {
  const { language, examination } = inputs;
  const sheet = {
    ...inputs,
    verdict: judge(examination),
    words: sheetTextIn(language),
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
    limitsSection(sheet.words),
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
  const words = sheetTextIn(language);
  if (evidence.kind === "seal") return words.rootTitle(evidence.seal.index);
  if (evidence.kind === "bundle") return words.conversationTitle(cutText(evidence.bundle.interaction_id));
  return words.receiptTitle(cutText(numberOf(evidence.receipt)));
}

const numberOf = (receipt: {
  readonly receipts?: readonly unknown[] | undefined;
  readonly event_id?: unknown;
}): string => textAt(receipt.receipts?.[0] ?? receipt, "event_id");

const footOf = (sheet: Sheet): string =>
  `${sheet.words.heading} · ${titleOf(sheet)} · ${utcTime(sheet.text.locale, sheet.checkedAt)}`;

function headSection(sheet: Sheet): SheetElement {
  const { words, evidence, source, program } = sheet;
  return node(
    "section",
    {},
    node("h1", {}, words.heading),
    node("p", {}, words.lead),
    definitions([
      [words.subject, value(titleOf(sheet))],
      ...identityRows(sheet),
      [words.chain, chainOf(evidence)],
      [words.service, value(source ?? words.noService)],
      [words.checked, timeOf(sheet, sheet.checkedAt.toISOString())],
      [words.program, program],
    ]),
  );
}

/** The conversation and the agent: a bundle encloses its requests, a lone receipt needs one that was given. */
function identityRows({ evidence, words, text, request }: Sheet): (readonly [string, SheetNode | null])[] {
  if (evidence.kind === "seal") return [];
  const erasures = describeErasures(text, evidence).map((sentence): [string, SheetNode] => [
    words.erasure,
    sentence,
  ]);
  if (evidence.kind === "bundle") return [[words.agent, value(agentsOf(evidence, words))], ...erasures];
  const known = (name: string): SheetNode =>
    request === undefined
      ? words.unknown
      : node("div", {}, value(textAt(request, name)), node("small", {}, words.fromRequest));
  return [[words.conversation, known("interaction_id")], [words.agent, known("agent_identity")], ...erasures];
}

const agentsOf = ({ bundle }: BundleFile, { erased }: SheetText): string =>
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

function verdictSection({ verdict, words, text, evidence, examination, caveats = [] }: Sheet): SheetElement {
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
      node("strong", {}, sentenceOn(text, evidence, outcome)),
      missing === null ? null : node("p", {}, `${text.verdict.notAll} ${missing}`),
      node("p", {}, failed.length > 0 ? words.failed : open.length > 0 ? words.open : words.noOpen),
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
  const { examination, words } = sheet;
  if (examination.turns.length === 0) return null;
  return node(
    "section",
    {},
    node("h2", {}, words.turns),
    ...examination.turns.map((turn) => turnSection(sheet, turn)),
  );
}

function filesSection({ files, words, text }: Sheet): SheetElement {
  const rows = files.map(({ name, kind, size, digest }): readonly [string, SheetNode] => [
    words.kinds[kind],
    node(
      "div",
      {},
      value(name ?? text.intro.pasted),
      `, ${words.file(formatNumber(text.locale, size))}`,
      sha256(digest),
    ),
  ]);
  return node("section", {}, node("h2", {}, words.files), definitions(rows));
}

function anchorsSection({ anchors, words, text }: Sheet): SheetElement {
  const validity = (from: string, until: string): string =>
    `${utcTime(text.locale, from)} – ${utcTime(text.locale, until)}`;
  const rows = anchors.map(({ subject, fingerprint, notBefore, notAfter }) =>
    node("li", {}, value(subject), node("small", {}, validity(notBefore, notAfter)), sha256(fingerprint)),
  );
  const list = rows.length === 0 ? node("p", {}, words.noAnchors) : node("ul", {}, ...rows);
  return node("section", {}, node("h2", {}, words.anchors), list);
}

const limitsSection = (words: SheetText): SheetElement =>
  node(
    "section",
    {},
    node("h2", {}, words.limits),
    node("ul", {}, ...words.limitList.map((limit) => node("li", {}, limit))),
  );
