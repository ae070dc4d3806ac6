// The status of countries, capabilities and calls, as the service states it.
import { jurisdictionPath, layerPath } from "../../../../contract/policy-paths.ts";
import type { PolicyIndex } from "../../../../evidence/core/formats/policy-index.ts";
import type { ReadStatus } from "../../../../evidence/core/formats/service-status.ts";
import { countryName, formatDay, formatNumber } from "../../../../evidence/reader/text/format.ts";
import type { StatusText } from "../../status/text-en.ts";
import { type Child, el, section } from "../dom.ts";
import { bdi } from "../format.ts";
import { labelIn, missingPart, type StatusView, statusWord } from "./part.ts";

/** From the published index; as long as there is none, from the status, without what is not published. */
export function jurisdictionsView({ text, answers: { policy, status } }: StatusView): HTMLElement {
  const { jurisdictions: words } = text;
  const lead = el("p", { class: "remark" }, words.lead);
  if (policy.kind === "read") {
    const rows = policy.value.jurisdictions.map((entry) => jurisdictionRow(text, entry, true));
    return section("jurisdictions", words.heading, lead, jurisdictionTable(text, rows));
  }
  const missing =
    policy.kind === "absent" ? el("p", { class: "notice" }, words.unpublished) : missingPart(text, policy);
  if (status.kind !== "read") return section("jurisdictions", words.heading, lead, missing);
  const rows = status.value.jurisdictions.map((entry) => jurisdictionRow(text, entry, false));
  return section("jurisdictions", words.heading, lead, jurisdictionTable(text, rows), missing);
}

const jurisdictionTable = ({ jurisdictions: words }: StatusText, rows: readonly HTMLElement[]): HTMLElement =>
  table([words.country, words.status, words.version, words.list], rows);

function jurisdictionRow(
  text: StatusText,
  { jurisdiction, status, version, digest }: PolicyIndex["jurisdictions"][number],
  isPublished: boolean,
): HTMLElement {
  const { current, all } = text.jurisdictions;
  const links = el(
    "span",
    { class: "row-links" },
    el("a", { href: `/${layerPath(digest)}` }, current),
    el("a", { href: `/${jurisdictionPath(jurisdiction)}` }, all),
  );
  const name = countryName(text.locale, jurisdiction);
  return row(name, statusWord(text, status), bdi(version), isPublished ? links : "–");
}

export function capabilitiesView({ text, answers: { status } }: StatusView): HTMLElement {
  const { capabilities: words } = text;
  if (status.kind !== "read") return section("capabilities", words.heading, missingPart(text, status));
  const { availability, capabilities, checked_on } = status.value;
  const rows = capabilities.map(({ title, status: state, note }) =>
    row(titled(text, title, note), statusWord(text, state)),
  );
  const day = el("time", { datetime: checked_on }, formatDay(text.locale, checked_on));
  return section(
    "capabilities",
    words.heading,
    el("p", { class: "remark" }, `${words.checkedOn} `, day, "."),
    ...availability.map(({ statement, note }) =>
      el("p", { class: "statement" }, titled(text, statement, note)),
    ),
    table([words.capability, words.status], rows),
    endpointsView(text, status.value),
  );
}

function titled(text: StatusText, title: string, note: string | undefined): HTMLElement {
  return el(
    "span",
    {},
    sentenceOf(text, "span", title),
    note === undefined ? null : sentenceOf(text, "small", note),
  );
}

/** The service speaks English; a sentence that this page has in the reader's language is shown in that. */
function sentenceOf(
  { locale, translations }: StatusText,
  name: "span" | "small",
  english: string,
): HTMLElement {
  const translated = labelIn(translations, english);
  if (translated !== null || locale.startsWith("en")) return el(name, {}, translated ?? english);
  return el(name, { lang: "en" }, english);
}

function endpointsView(text: StatusText, { endpoints }: ReadStatus): HTMLElement {
  const { capabilities: words, locale } = text;
  const rows = endpoints.map(({ method, path, access, status, confirmed }) =>
    row(
      el(
        "span",
        {},
        el("code", {}, `${method} ${path}`),
        el("small", {}, labelIn(words.access, access) ?? access),
      ),
      el(
        "span",
        {},
        statusWord(text, status),
        el(
          "small",
          {},
          confirmed === null ? words.unconfirmed : words.confirmed(formatDay(locale, confirmed)),
        ),
      ),
    ),
  );
  return el(
    "details",
    { class: "endpoints" },
    el("summary", {}, words.endpoints(formatNumber(locale, endpoints.length))),
    table([words.call, words.status], rows),
  );
}

const table = (heads: readonly string[], rows: readonly HTMLElement[]): HTMLElement =>
  el(
    "table",
    { class: "listing" },
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows),
  );

const row = (head: Child, ...cells: readonly Child[]): HTMLElement =>
  el("tr", {}, el("th", { scope: "row" }, head), ...cells.map((cell) => el("td", {}, cell)));
