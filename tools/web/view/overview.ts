// Many files at once: one sentence that is as bad as the worst of them, and a line for each, which opens it.

import { type DescribedRemark, describeSummary } from "../../../evidence/reader/text/describe-summary.ts";
import { withHistory } from "../../../evidence/reader/text/sentence.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { judgeChecks } from "../../../evidence/reader/verdict.ts";
import {
  type Checked,
  type CheckedEntry,
  type FileFacts,
  isEvidenceEntry,
  type Overview,
  openChecks,
  outcomeOf,
  overviewOf,
} from "../checked.ts";
import { PASTED } from "../named-files.ts";
import { button, type Child, el } from "./dom.ts";
import { bdi } from "./format.ts";
import { icon, outcomeIcon, type State, stateOf, stateOfOutcome } from "./icon.ts";

const MAX_NAMES = 3;
const MAX_LINKS = 6;

/** True if there is more than one thing to say: one good file with what belongs to it needs no list. */
export function isMany({ entries, together }: Checked): boolean {
  const counted = entries.filter((entry) => outcomeOf(entry) !== null);
  return counted.length > 1 || together?.outcome === "does_not_hold";
}

export function headlineOf(text: Text, { outcome, count, all }: Overview, checked: Checked): string {
  const { overview } = text;
  // Every file holds by itself, and yet the whole does not.
  if (outcome === "does_not_hold" && count === 0) return overview.contradiction;
  const sentence = overview[outcome](count, all);
  return outcome === "holds_so_far" ? withHistory(text, sentence, openChecks(checked)) : sentence;
}

/** `opened` is the entry that is shown below. Null where there is nothing to sum up. */
export function overviewView(
  text: Text,
  checked: Checked,
  opened: CheckedEntry | undefined,
  onOpen: (entry: CheckedEntry) => void,
): HTMLElement | null {
  const overview = overviewOf(checked);
  if (overview === null) return null;
  const lines = checked.entries.map((entry) =>
    el("li", {}, entryLine(text, entry, entry === opened, onOpen)),
  );
  return el(
    "section",
    { class: `overview is-${stateOfOutcome(overview.outcome)}`, "aria-labelledby": "overview-heading" },
    outcomeIcon(text, overview.outcome),
    el("h2", { id: "overview-heading", tabindex: -1 }, headlineOf(text, overview, checked)),
    el("ul", { class: "entries", "aria-label": text.overview.list }, ...lines),
    togetherView(text, checked),
    summaryView(text, checked, onOpen),
  );
}

/** What is here and what is not, and the notices with remarks: none of it is a fault, and none of it is hidden. */
function summaryView(
  text: Text,
  { summary, entries }: Checked,
  onOpen: (entry: CheckedEntry) => void,
): HTMLElement | null {
  if (summary.receipts === 0) return null;
  const { counts, missing, chains, remarks } = describeSummary(text, summary);
  return el(
    "div",
    { class: "together" },
    el("h3", {}, text.summary.heading),
    el("p", {}, counts),
    ...missing.map((sentence) => el("p", { class: "caveat is-open" }, bdi(sentence))),
    remarks === null ? null : el("p", { class: "caveat is-open" }, remarks.sentence),
    remarks === null
      ? null
      : el("ul", {}, ...remarks.kinds.map((kind) => remarkLine(text, kind, entries, onOpen))),
    el("ul", {}, ...chains.map((sentence) => el("li", {}, sentence))),
  );
}

/** "the wording is not on the list: 3", and the files that have such a notice, each of which opens it. */
function remarkLine(
  text: Text,
  { remark, words }: DescribedRemark,
  entries: readonly CheckedEntry[],
  onOpen: (entry: CheckedEntry) => void,
): HTMLElement {
  const files = [...new Set(remark.receipts.map(({ file }) => file))];
  const links = files.slice(0, MAX_LINKS).flatMap((file) => {
    const entry = entries.find((each) => each.files.some(({ name }) => (name ?? PASTED) === file));
    return entry === undefined ? [] : [" ", button(file, () => onOpen(entry), { class: "link" })];
  });
  const more = files.length - MAX_LINKS;
  return el("li", {}, bdi(words), ...links, more > 0 ? ` ${text.verdict.more(more)}` : null);
}

function entryLine(
  text: Text,
  entry: CheckedEntry,
  isOpened: boolean,
  onOpen: (entry: CheckedEntry) => void,
): HTMLElement {
  const { state, words } = lineOf(text, entry);
  const isUnread = outcomeOf(entry) === "unreadable";
  const content: readonly Child[] = [
    isUnread ? outcomeIcon(text, "unreadable") : icon(state, text.state[state]),
    el("span", { class: "entry-name" }, bdi(namesOf(text, entry.files))),
    el("span", { class: "entry-words" }, words),
  ];
  const name = `entry is-${state}`;
  if (!isEvidenceEntry(entry) && entry.kind !== "unreadable") return el("div", { class: name }, ...content);
  const opener = button("", () => onOpen(entry), { class: name, "aria-current": isOpened ? "true" : null });
  opener.replaceChildren(...content.filter((child) => child !== null));
  return opener;
}

/** "receipt · does not hold: Content, Path to the root". */
function lineOf(text: Text, entry: CheckedEntry): { readonly state: State; readonly words: string } {
  const { kinds, state, stray, used, unused, notBelieved } = text.overview;
  if (entry.kind === "unreadable")
    return {
      state: "broken",
      words: `${state[entry.outcome]}: ${entry.fork === null ? text.problems[entry.problem.reason] : text.fork.signed(entry.fork.origin)}`,
    };
  if (isEvidenceEntry(entry)) {
    const { outcome, failed, open } = entry.verdict;
    const names = [...new Set(failed.map(({ name }) => text.checkTexts[name].name))]
      .slice(0, MAX_NAMES)
      .join(", ");
    const found = outcome === "holds_so_far" ? withHistory(text, state[outcome], open) : state[outcome];
    const words = `${kinds[entry.kind]} · ${found}${names === "" ? "" : `: ${names}`}`;
    return { state: stateOfOutcome(outcome), words };
  }
  const words = { used, unused, stray: stray[entry.kind], not_believed: notBelieved }[entry.use];
  const isAside = entry.use === "used" || entry.use === "unused";
  return { state: isAside ? "aside" : "open", words: `${kinds[entry.kind]} · ${words}` };
}

const namesOf = (text: Text, files: readonly FileFacts[]): string =>
  files.map(({ name }) => name ?? text.intro.pasted).join(", ");

/** The checks between the files; those that could not be made are no news. */
function togetherView(text: Text, { together }: Checked): HTMLElement | null {
  const made = together?.checks.filter(({ ok }) => ok !== null) ?? [];
  const open = together === null ? [] : judgeChecks(together.checks).open;
  const shown = [...made, ...open];
  if (shown.length === 0) return null;
  const items = shown.map((check) => {
    const state = stateOf(check.ok);
    const words = el("span", {}, text.checkTexts[check.name].name);
    const detail = check.ok === true ? null : el("small", { lang: "en" }, check.detail);
    return el("li", {}, icon(state, text.state[state]), words, detail);
  });
  return el("div", { class: "together" }, el("h3", {}, text.overview.together), el("ul", {}, ...items));
}
