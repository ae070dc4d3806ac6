// The parts of the console share this: the view of its state, tables, notes, and figures below pictures.

import { formatNumber } from "../../../../evidence/reader/text/format.ts";
import type { ConsoleText } from "../../console/text-en.ts";
import { type Child, el } from "../dom.ts";

export interface ConsoleView {
  readonly text: ConsoleText;
  /** In pixels: pictures fit into it. */
  readonly width: number;
}

export const number = ({ text }: Pick<ConsoleView, "text">, value: number): string =>
  formatNumber(text.locale, value);

/** Names and numbers; `label` names the table where no heading does. */
export const table = (
  heads: readonly string[],
  rows: readonly HTMLElement[],
  name = "listing",
  label: string | null = null,
): HTMLElement =>
  el(
    "table",
    { class: name, "aria-label": label },
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows),
  );

/** `labels` are the columns' names, which stand before the cells where a phone has no room for columns. */
export const row = (
  labels: readonly string[],
  head: Child,
  ...cells: readonly Child[]
): HTMLTableRowElement =>
  el(
    "tr",
    {},
    el("th", { scope: "row" }, head),
    ...cells.map((cell, i) => el("td", { "data-label": labels[i + 1] ?? null }, cell)),
  );

export const remark = (text: string): HTMLElement => el("p", { class: "remark" }, text);

/** A table that says what a picture says. Its id keeps it open when the page is drawn anew. */
export const asTable = (id: string, summary: string, content: HTMLElement): HTMLElement =>
  el("details", { id, class: "as-table" }, el("summary", { id: `${id}-summary` }, summary), content);

const CLOCK = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/;

/** Day and time in UTC, as short as they can be: 2026-11-22 and 14:03:11. */
export function clockElement(instant: string): HTMLElement {
  const [, day = instant, clock = ""] = CLOCK.exec(instant) ?? [];
  return el("time", { datetime: instant, class: "clock" }, el("span", {}, clock), " ", el("small", {}, day));
}
