// A file that can't be read: its name, what is wrong with it, and the technical reason where that says more.
import { cutText } from "../../reader/text/format.ts";
import type { Text } from "../../reader/text/text.ts";
import type { UnreadableEntry } from "../checked.ts";
import { el } from "./dom.ts";

const MAX_DETAIL = 300;

export function unreadableView({ problems, intro }: Text, entry: UnreadableEntry): HTMLElement {
  const name = cutText(entry.files.map((file) => file.name ?? intro.pasted).join(", "));
  const detail = entry.detail.slice(0, MAX_DETAIL);
  return el(
    "section",
    { class: "problem", "aria-labelledby": "verdict-heading" },
    el("h2", { id: "verdict-heading", tabindex: -1 }, problems.heading(name)),
    el("p", {}, problems[entry.reason]),
    detail === "" ? null : el("code", { lang: "en" }, detail),
  );
}
