// Every check on the evidence sheet. A conversation has thousands: its turns are summed up, and what failed is listed.
import { type PlacedCheck, placedChecks } from "../examination.ts";
import { textAt } from "../text/format.ts";
import type { Text } from "../text/text.ts";
import { isSupplementary } from "../verdict.ts";
import { checkName, type Sheet } from "./model.ts";
import { node, type SheetElement, value } from "./node.ts";

/** More failed checks than anyone reads on paper. */
const MAX_ROWS = 200;

export function checksSection(sheet: Sheet): SheetElement {
  const { words, examination } = sheet;
  const checks = placedChecks(examination);
  const listed = examination.kind === "bundle" ? checks.filter((check) => isWorthListing(check)) : checks;
  const head = node("tr", {}, ...words.columns.map((column) => node("th", { scope: "col" }, column)));
  const rows = listed.slice(0, MAX_ROWS).map((check) => rowOf(sheet, check));
  return node(
    "section",
    {},
    node("h2", {}, words.checks),
    node("table", { class: "checks" }, node("thead", {}, head), node("tbody", {}, ...rows)),
  );
}

const isWorthListing = ({ place, ok, name }: PlacedCheck): boolean =>
  place === "" || ok === false || (ok === null && !isSupplementary(name));

function rowOf(sheet: Sheet, check: PlacedCheck): SheetElement {
  const { words, text } = sheet;
  const result = check.ok === null ? "open" : check.ok ? "holds" : "broken";
  const name = checkName(text, check.name);
  const place = placeOf(sheet, check);
  return node(
    "tr",
    {},
    node("td", {}, name, place === null ? null : node("small", {}, place)),
    node("td", {}, words.result[result]),
    node("td", {}, meaningOf(text, check, result), node("small", { lang: "en" }, value(check.detail))),
  );
}

function placeOf({ text, examination }: Sheet, { place }: PlacedCheck): string | null {
  const [list, index = "0"] = place.split("/");
  if (list === "receipts")
    return text.verdict.inTurn(textAt(examination.turns[Number(index)]?.evidence.receipts?.[0], "turn"));
  if (list === "seals") return text.verdict.inRoot(String(examination.seals[Number(index)]?.seal.index));
  return null;
}

function meaningOf({ checkTexts }: Text, { name }: PlacedCheck, result: "holds" | "open" | "broken"): string {
  return Object.hasOwn(checkTexts, name) ? checkTexts[name as keyof typeof checkTexts][result] : "";
}
