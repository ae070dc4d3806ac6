// A bill as a page to print: what it counts and asks for, what was checked of it, and what it does not prove. A pure
// function of its inputs, in the style of the evidence sheet.
import type { Price } from "../../../contract/plans.ts";
import type { BillAmount, BillLine } from "../../core/formats/bill.ts";
import { BILL_CHECK_NAMES } from "../../core/verify/check-names.ts";
import type { BillCheck } from "../../core/verify/verify-bill.ts";
import type { BillExamination } from "../bill.ts";
import { cutText, formatAmount, formatNumber, utcTime } from "../text/format.ts";
import type { Language } from "../text/languages.ts";
import { type Text, textIn } from "../text/text.ts";
import { timeOf } from "./model.ts";
import { code, definitions, node, type SheetElement, type SheetNode, sha256, value } from "./node.ts";

/** More failed checks than anyone reads on paper. */
const MAX_ROWS = 200;

export interface BillSheetInputs {
  readonly examination: BillExamination;
  readonly file: { readonly name: string; readonly size: number; readonly digest: string };
  /** Where published roots were read; null where they were not. */
  readonly source: string | null;
  readonly checkedAt: Date;
  /** IANA name of the reader's time zone. */
  readonly timeZone: string;
  readonly program: string;
  readonly language: Language;
}

interface BillSheet extends BillSheetInputs {
  readonly words: Text["bill"];
  readonly text: Text;
}

export function buildBillSheet(inputs: BillSheetInputs): SheetElement {
  const { language } = inputs;
  const text = textIn(language);
  const sheet = { ...inputs, words: text.bill, text };
  const content = node(
    "td",
    {},
    headSection(sheet),
    verdictSection(sheet),
    linesSection(sheet),
    amountSection(sheet),
    checksSection(sheet),
    listSection(
      sheet.words.stated,
      inputs.examination.stated.map((point) => sheet.words.statedPoints[point]),
    ),
  );
  const foot = `${billTitle(inputs)} · ${utcTime(text.locale, inputs.checkedAt)}`;
  return node(
    "table",
    { class: "evidence-sheet", lang: language },
    node("tfoot", {}, node("tr", {}, node("td", { class: "foot" }, foot))),
    node("tbody", {}, node("tr", {}, content)),
  );
}

/** The page's title, and so the name of its PDF. */
export const billTitle = ({
  examination: { bill },
  language,
}: Pick<BillSheetInputs, "examination" | "language">): string =>
  textIn(language).bill.title(bill.month, cutText(bill.tenant.id));

function headSection(sheet: BillSheet): SheetElement {
  const { words, text, file, source, program } = sheet;
  const { tenant, month, status, made_at, as_of, plan } = sheet.examination.bill;
  const size = text.file.size(formatNumber(text.locale, file.size));
  return node(
    "section",
    {},
    node("h1", {}, words.heading),
    node("p", {}, words.lead),
    definitions([
      [words.tenant, value(cutText(tenant.id))],
      [words.fingerprint, code(tenant.fingerprint)],
      [words.month, month],
      [words.status, words.statuses[status]],
      [words.madeAt, timeOf(sheet, made_at)],
      [
        words.asOf,
        as_of === null ? words.noSeal : node("div", {}, `${as_of.seal_index} `, code(as_of.merkle_root)),
      ],
      [words.plan, value(cutText(plan.name))],
      [words.file, node("div", {}, value(file.name), `, ${size}`, sha256(file.digest))],
      [text.sheet.service, value(source ?? text.sheet.noService)],
      [text.file.checkedAt, timeOf(sheet, sheet.checkedAt.toISOString())],
      [text.sheet.program, program],
    ]),
  );
}

function verdictSection({ words, examination }: BillSheet): SheetElement {
  const { outcome, checks } = examination;
  const names = new Set(checks.filter(({ ok }) => ok === false).map(({ name }) => words.checkTexts[name][0]));
  return node(
    "section",
    {},
    node(
      "div",
      { class: `verdict is-${outcome === "unreadable" ? "does_not_hold" : outcome}` },
      node("strong", {}, words.outcomes[outcome]),
      names.size === 0 ? null : node("ul", {}, ...[...names].map((name) => node("li", {}, name))),
    ),
  );
}

function linesSection({ words, text, examination: { bill } }: BillSheet): SheetElement {
  const number = (n: number): string => formatNumber(text.locale, n);
  const rowOf = ({ chain_id, shard, from, to, count }: BillLine): SheetElement =>
    row([
      node("div", {}, words.chain(shard), node("small", {}, code(chain_id))),
      number(from),
      number(to),
      number(count),
    ]);
  const rows = [...bill.lines.map(rowOf), row([node("strong", {}, words.total), "", "", number(bill.count)])];
  return node("section", {}, node("h2", {}, words.lines), table(words.lineColumns, rows));
}

function amountSection({ words, text, examination: { bill } }: BillSheet): SheetElement {
  const { amount, plan } = bill;
  const content =
    amount === null || plan.price === null
      ? node("p", {}, words.noPrice)
      : table(words.amountColumns, amountRows(text, amount, plan.price));
  return node("section", {}, node("h2", {}, words.amount), content);
}

function amountRows(
  { bill: words, locale }: Text,
  { base, tiers, total }: BillAmount,
  { currency }: Price,
): SheetElement[] {
  const money = (minorUnits: number): string => formatAmount(locale, currency, minorUnits);
  return [
    row([words.base, "", "", money(base)]),
    ...tiers.map(({ receipts, per_thousand }, i) =>
      row([words.tier(i + 1), formatNumber(locale, receipts), money(per_thousand), ""]),
    ),
    row([node("strong", {}, words.sum), "", "", node("strong", {}, money(total))]),
  ];
}

/** Lists the checks of the bill as a whole; of its lines, those that failed or are open, and the others once for all lines. */
function checksSection(sheet: BillSheet): SheetElement {
  const { words, text } = sheet;
  const { checks } = sheet.examination;
  const { check, result, reason } = text.checks.columns;
  const notable = checks.filter(({ place, ok }) => place !== "" && ok !== true).slice(0, MAX_ROWS);
  const rows = BILL_CHECK_NAMES.flatMap((name) => {
    const ofName = checks.filter((each) => each.name === name);
    const listed = notable.filter((each) => each.name === name);
    const [first] = ofName;
    if (first === undefined) return [];
    return listed.length > 0 ? listed : [first];
  });
  return node(
    "section",
    {},
    node("h2", {}, words.checks),
    table(
      [check, result, reason],
      rows.map((each) => checkRow(sheet, each)),
    ),
  );
}

function checkRow({ words, text, examination: { bill } }: BillSheet, check: BillCheck): SheetElement {
  const result = check.ok === null ? "open" : check.ok ? "holds" : "broken";
  const { [Number(check.place.split("/")[1])]: line } = bill.lines;
  const place = line === undefined || check.ok === true ? null : words.chain(line.shard);
  return row([
    node("div", {}, words.checkTexts[check.name][0], place === null ? null : node("small", {}, place)),
    text.state[result],
    node(
      "div",
      {},
      words.checkTexts[check.name][1],
      place === null && check.place !== "" ? null : node("small", { lang: "en" }, value(check.detail)),
    ),
  ]);
}

const listSection = (heading: string, items: readonly string[]): SheetElement =>
  node("section", {}, node("h2", {}, heading), node("ul", {}, ...items.map((item) => node("li", {}, item))));

const row = (cells: readonly SheetNode[]): SheetElement =>
  node("tr", {}, ...cells.map((cell) => node("td", {}, cell)));

const table = (columns: readonly string[], rows: readonly SheetElement[]): SheetElement =>
  node(
    "table",
    { class: "checks" },
    node("thead", {}, node("tr", {}, ...columns.map((column) => node("th", { scope: "col" }, column)))),
    node("tbody", {}, ...rows),
  );
