// A file that can't be read: its name, what is wrong with it, and the technical reason where that says more.
import { cutText } from "../../reader/text/format.ts";
import type { Text } from "../../reader/text/text.ts";
import { isBroken, type UnreadableEntry } from "../checked.ts";
import { el } from "./dom.ts";

const MAX_DETAIL = 300;

export function problemHeading({ problems, intro }: Text, entry: UnreadableEntry): string {
  const name = cutText(entry.files.map((file) => file.name ?? intro.pasted).join(", "));
  return isBroken(entry) ? problems.brokenHeading(name) : problems.heading(name);
}

export function unreadableView(text: Text, entry: UnreadableEntry): HTMLElement {
  const detail = entry.detail.slice(0, MAX_DETAIL);
  return el(
    "section",
    { class: "problem", "aria-labelledby": "verdict-heading" },
    el("h2", { id: "verdict-heading", tabindex: -1 }, problemHeading(text, entry)),
    el("p", {}, text.problems[entry.reason]),
    detail === "" ? null : el("code", { lang: "en" }, detail),
  );
}
