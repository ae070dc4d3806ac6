// A file that can't be read: its name, what is wrong with it, and the technical reason where that says more.

import type { ForkFinding } from "../../../evidence/reader/session/findings.ts";
import { cutText } from "../../../evidence/reader/text/format.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import type { UnreadableReason } from "../../../evidence/reader/unreadable.ts";
import type { UnreadableEntry } from "../checked.ts";
import { el } from "./dom.ts";

const MAX_DETAIL = 300;

export function problemHeading({ problems, intro }: Text, entry: UnreadableEntry): string {
  const name = cutText(entry.files.map((file) => file.name ?? intro.pasted).join(", "));
  return entry.outcome === "does_not_hold" ? problems.brokenHeading(name) : problems.heading(name);
}

/** For these, the technical reason says more than the plain one. */
const EXPLAINED: ReadonlySet<UnreadableReason> = new Set([
  "not_json",
  "refusal",
  "two_kinds",
  "malformed",
  "certificates",
  "two_policies",
  "two_roots",
  "history_broken",
  "history_malformed",
  "failed",
]);

export function unreadableView(text: Text, entry: UnreadableEntry): HTMLElement {
  const { problem, fork } = entry;
  const detail = EXPLAINED.has(problem.reason) ? problem.detail.slice(0, MAX_DETAIL) : "";
  return el(
    "section",
    { class: "problem", "aria-labelledby": "verdict-heading" },
    el("h2", { id: "verdict-heading", tabindex: -1 }, problemHeading(text, entry)),
    ...(fork === null ? [el("p", {}, text.problems[problem.reason])] : forkLines(text, fork)),
    detail === "" ? null : el("code", { lang: "en" }, detail),
  );
}

const forkLines = ({ fork: words }: Text, { origin, trees }: ForkFinding): HTMLElement[] => [
  el("p", {}, words.signed(origin)),
  ...trees.map(({ size, root }) => el("p", {}, words.tree(size, root))),
  el("p", {}, words.keep),
];
