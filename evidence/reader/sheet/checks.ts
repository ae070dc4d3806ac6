// Every check on the evidence sheet. A conversation has thousands: its turns are summed up, and what failed is listed.
import type { PlacedCheck } from "../../core/verify/check.ts";
import { placedChecks } from "../examination.ts";
import { textAt } from "../text/format.ts";
import { openSentence } from "../text/open-sentence.ts";
import type { Text } from "../text/text.ts";
import { isSupplementary } from "../verdict.ts";
import type { Sheet } from "./model.ts";
import { node, type SheetElement, value } from "./node.ts";

/** More failed checks than anyone reads on paper. */
const MAX_ROWS = 200;

export function checksSection(sheet: Sheet): SheetElement {
  const { text, examination } = sheet;
  const checks = placedChecks(examination);
  const listed = examination.kind === "bundle" ? checks.filter((check) => isWorthListing(check)) : checks;
  const { check, result, reason } = text.checks.columns;
  const head = [check, result, reason].map((column) => node("th", { scope: "col" }, column));
  const rows = listed.slice(0, MAX_ROWS).map((each) => rowOf(sheet, each));
  return node(
    "section",
    {},
    node("h2", {}, text.checks.heading),
    node(
      "table",
      { class: "checks" },
      node("thead", {}, node("tr", {}, ...head)),
      node("tbody", {}, ...rows),
    ),
  );
}

const isWorthListing = ({ place, ok, name }: PlacedCheck): boolean =>
  place === "" || ok === false || (ok === null && !isSupplementary(name));

function rowOf(sheet: Sheet, check: PlacedCheck): SheetElement {
  const { text } = sheet;
  const result = check.ok === null ? "open" : check.ok ? "holds" : "broken";
  const { name } = text.checkTexts[check.name];
  const place = placeOf(sheet, check);
  return node(
    "tr",
    {},
    node("td", {}, name, place === null ? null : node("small", {}, place)),
    node("td", {}, text.state[result]),
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

/** On paper nobody can add a file, so the circumstances are those of the checks alone. */
const ON_PAPER = { roots: "not_asked", hasOwnAnchors: false, verifiesTimestamps: true } as const;

const meaningOf = (text: Text, check: PlacedCheck, result: "holds" | "open" | "broken"): string =>
  result === "open" ? openSentence(text, check, ON_PAPER) : text.checkTexts[check.name][result];
