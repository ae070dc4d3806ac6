// The head of the console: whose it is, whether all is well, and the figures that an operator looks for first.
import type { ConsoleOverview, ConsoleTenants } from "../../../../contract/console.ts";
import { formatDay } from "../../../../evidence/reader/text/format.ts";
import { ageOf } from "../../status/age.ts";
import { type Child, el, section } from "../dom.ts";
import { bdi } from "../format.ts";
import { icon, stateOf } from "../icon.ts";
import { type ConsoleView, clockElement, number } from "./part.ts";

export const headView = ({ text }: ConsoleView, overview: ConsoleOverview | null): HTMLElement =>
  el(
    "section",
    { class: "console-head", "aria-labelledby": "console-heading" },
    el("h1", { id: "console-heading" }, overview === null ? text.title : text.heading(overview.name)),
    overview === null
      ? null
      : el(
          "p",
          { class: "remark" },
          bdi(overview.url),
          " · ",
          text.readAt,
          " ",
          clockElement(overview.read_at),
          " UTC",
        ),
  );

/** The parts of the page that are drawn, by their ids. */
const PARTS = ["findings", "receipts", "seals", "tenants"] as const;

export const partsView = ({ text }: ConsoleView): HTMLElement =>
  el(
    "nav",
    { class: "parts", "aria-label": text.parts },
    ...PARTS.map((part) => el("a", { href: `#${part}`, id: `to-${part}` }, text[part].heading)),
  );

/** Says why nothing new comes; null where all is read. `problem` is a code, empty where nobody answers. */
export const troubleView = ({ text }: ConsoleView, problem: string | null): HTMLElement | null =>
  problem === null
    ? null
    : el("p", { class: "trouble", role: "alert" }, problem === "" ? text.gone : text.unreachable(problem));

export function figuresView(
  view: ConsoleView,
  overview: ConsoleOverview,
  tenants: ConsoleTenants | null,
): HTMLElement {
  const { figures, locale } = view.text;
  const { waiting, seal, read_at } = overview;
  const now = new Date(read_at);
  const month = tenants?.tenants.reduce((sum, { receipts }) => sum + receipts, 0);
  const counted = tenants?.left_out ? figures.ofTenants(number(view, tenants.tenants.length)) : null;
  const age = (instant: string): string => ageOf(locale, instant, now) ?? figures.justNow;
  const oldest = waiting.oldest === null ? null : figures.since(age(waiting.oldest));
  return el(
    "dl",
    { class: "figures", "aria-label": figures.label },
    figure(figures.month, month === undefined ? "–" : number(view, month), counted),
    figure(figures.seal, seal === null ? figures.none : age(seal.sealed_at)),
    figure(figures.waiting, number(view, waiting.receipts), oldest),
    figure(figures.tenants, number(view, overview.tenants), figures.chains(number(view, overview.chains))),
  );
}

const figure = (term: string, value: string, more: string | null = null): HTMLElement =>
  el("div", {}, el("dt", {}, term), el("dd", {}, value, more === null ? null : el("small", {}, more)));

export function findingsView(view: ConsoleView, overview: ConsoleOverview): HTMLElement {
  const { findings: words } = view.text;
  const { concerns, troubled_chains: chains, alarms_url: alarms } = overview;
  const state = stateOfFindings(overview);
  const sentence = {
    holds: words.well,
    open: words.wellSoFar,
    broken: words.attention(number(view, concerns.length)),
  }[state];
  const link = el("a", { href: alarms ?? "", rel: "noopener noreferrer", target: "_blank" }, words.alarms);
  return section(
    "findings",
    words.heading,
    el("p", { class: `finding is-${state}` }, icon(state, ""), el("strong", {}, sentence)),
    listOf(
      concerns.map((code) => (Object.hasOwn(words.concerns, code) ? words.concerns[code] : code) ?? code),
    ),
    chains.length === 0 ? null : el("p", { class: "remark" }, `${words.chains}: ${chains.join(", ")}`),
    tokensView(view, overview),
    alarms === null ? null : el("p", { class: "remark" }, link),
  );
}

/** A token that could not be checked is no finding, and yet not all is known to be well. */
function stateOfFindings({ concerns, tokens }: ConsoleOverview): "holds" | "open" | "broken" {
  if (concerns.length > 0) return "broken";
  return tokens.some(({ holds }) => holds === null) ? "open" : "holds";
}

const listOf = (sentences: readonly string[]): HTMLElement | null =>
  sentences.length === 0
    ? null
    : el("ul", { class: "concerns" }, ...sentences.map((each) => el("li", {}, each)));

function tokensView({ text }: ConsoleView, { tokens }: ConsoleOverview): Child {
  const { findings: words, locale } = text;
  if (tokens.length === 0) return null;
  const items = tokens.map(({ authority, holds, detail, valid_until: until }) => {
    const word = holds === null ? words.unchecked : holds ? words.holds : words.broken;
    const end = until === null ? detail : words.until(formatDay(locale, until.slice(0, "2026-11-22".length)));
    const state = stateOf(holds);
    const name = el("span", {}, bdi(authority ?? "–"), el("small", {}, `${word} · `, bdi(end)));
    return el("li", { class: `is-${state}` }, icon(state, ""), name);
  });
  return el("div", { class: "tokens" }, el("h3", {}, words.tokens), el("ul", {}, ...items));
}
