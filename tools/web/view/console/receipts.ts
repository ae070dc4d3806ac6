// The list of receipts: its choices, its rows, which stay the same elements while new ones come, and its pages.
import type { ConsoleReceipt, ConsoleReceiptPage } from "../../../../contract/console.ts";
import { PAGE_PATH } from "../../../../contract/public-paths.ts";
import type { Choice } from "../../console/console-reader.ts";
import { EVENT_LINK } from "../../event-link.ts";
import { button, el, section } from "../dom.ts";
import { bdi } from "../format.ts";
import { icon, type State } from "../icon.ts";
import { type ConsoleView, clockElement, number, remark, row, table } from "./part.ts";

export interface ReceiptActions {
  /** With what the reader changed. */
  readonly onChoice: (changed: Partial<Choice>) => void;
  readonly onPause: () => void;
  readonly onOlder: () => void;
  readonly onNewer: () => void;
  readonly onNewest: () => void;
}

const VERDICT_STATES: Readonly<Record<string, State>> = { ALLOW: "holds", MODIFY: "open", BLOCK: "broken" };

/** The frame around the rows, which `fillRows` puts into `#receipt-rows`. */
export function receiptsView(view: ConsoleView, choices: HTMLElement, controls: HTMLElement): HTMLElement {
  const frame = section(
    "receipts",
    view.text.receipts.heading,
    choices,
    el("p", { class: "remark", id: "receipt-note" }),
    table(headsOf(view), [], "listing receipt-rows", view.text.receipts.heading),
    el("div", { id: "receipt-notes" }),
    controls,
  );
  frame.querySelector("tbody")?.setAttribute("id", "receipt-rows");
  return frame;
}

const headsOf = ({ text: { receipts } }: ConsoleView): readonly string[] => [
  receipts.time,
  receipts.verdict,
  receipts.tenant,
  receipts.turn,
  receipts.place,
  receipts.wording,
  receipts.evidence,
];

export function choicesView(
  { text }: ConsoleView,
  tenants: readonly string[],
  choice: Choice,
  isPaused: boolean,
  { onChoice, onPause }: Pick<ReceiptActions, "onChoice" | "onPause">,
): HTMLElement {
  const { receipts: words } = text;
  const verdicts = Object.entries(words.verdicts).map(
    ([code, meaning]) => [code, `${code}: ${meaning}`] as const,
  );
  const known = new Set([...tenants, ...(choice.tenant === null ? [] : [choice.tenant])]);
  return el(
    "div",
    { class: "choices" },
    select("choose-tenant", words.tenant, {
      all: words.allTenants,
      options: [...known].map((id) => [id, id] as const),
      chosen: choice.tenant,
      onChosen: (tenant) => onChoice({ tenant }),
    }),
    select("choose-verdict", words.verdict, {
      all: words.allVerdicts,
      options: verdicts,
      chosen: choice.verdict,
      onChosen: (verdict) => onChoice({ verdict }),
    }),
    button(isPaused ? words.resume : words.pause, onPause, { id: "pause", "aria-pressed": String(isPaused) }),
  );
}

interface Selection {
  readonly all: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen: string | null;
  readonly onChosen: (value: string | null) => void;
}

function select(id: string, label: string, { all, options, chosen, onChosen }: Selection): HTMLElement {
  const element = el(
    "select",
    { id },
    el("option", { value: "" }, all),
    ...options.map(([value, words]) => el("option", { value, selected: value === chosen }, words)),
  );
  element.addEventListener("change", () => onChosen(element.value === "" ? null : element.value));
  return el("span", { class: "choice" }, el("label", { for: id }, label), element);
}

export const pagerView = (
  { text }: ConsoleView,
  { isNewest, hasOlder }: { readonly isNewest: boolean; readonly hasOlder: boolean },
  { onOlder, onNewer, onNewest }: Pick<ReceiptActions, "onOlder" | "onNewer" | "onNewest">,
): HTMLElement =>
  el(
    "nav",
    { class: "actions pager", "aria-label": text.receipts.pages },
    button(text.receipts.newest, onNewest, { id: "go-newest", disabled: isNewest }),
    button(text.receipts.newer, onNewer, { id: "go-newer", disabled: isNewest }),
    button(text.receipts.older, onOlder, { id: "go-older", disabled: !hasOlder }),
  );

/** Rows of receipts that are shown already stay where they are, so that no one loses the row that they are in. */
export function fillRows(view: ConsoleView, body: HTMLElement, receipts: readonly ConsoleReceipt[]): void {
  const rows = new Map([...body.children].map((each) => [each.getAttribute("data-event"), each]));
  const isFirst = rows.size === 0;
  const wanted = receipts.map((receipt) => rows.get(receipt.event_id) ?? receiptRow(view, receipt, !isFirst));
  const kept = new Set(wanted);
  for (const each of rows.values()) if (!kept.has(each)) each.remove();
  wanted.forEach((each, i) => {
    if (body.children[i] !== each) body.insertBefore(each, body.children[i] ?? null);
  });
}

function receiptRow(view: ConsoleView, receipt: ConsoleReceipt, isNew: boolean): HTMLElement {
  const { receipts: words } = view.text;
  const { event_id, tenant, shard, sequence, turn, verdict, issued_at, wording_id, findings } = receipt;
  const link = el(
    "a",
    {
      href: `${PAGE_PATH}${EVENT_LINK}${event_id}`,
      target: "_blank",
      rel: "noopener",
      "aria-label": words.openLabel(number(view, sequence), tenant),
    },
    words.open,
  );
  const wording = wording_id === null ? el("span", { class: "soft" }, words.unknownWording) : bdi(wording_id);
  const element = row(
    headsOf(view),
    clockElement(issued_at),
    verdictMark(view, verdict, findings),
    bdi(tenant),
    number(view, turn),
    words.placeOf(number(view, shard), number(view, sequence)),
    wording,
    link,
  );
  element.setAttribute("data-event", event_id);
  if (isNew) element.classList.add("arrived");
  return element;
}

/** A mark of its own shape, and the word: neither needs the colour. */
export function verdictMark(
  { text }: ConsoleView,
  verdict: string,
  findings: readonly string[],
): HTMLElement {
  const state = VERDICT_STATES[verdict] ?? "aside";
  const meaning = text.receipts.verdicts[verdict];
  const title = [meaning, ...findings].filter((part) => part !== undefined).join("; ");
  return el("span", { class: `mark is-${state}`, title }, icon(state, ""), bdi(verdict));
}

/** Says what the list does not show, and why. */
export function notesOf(view: ConsoleView, page: ConsoleReceiptPage, isChosen: boolean): HTMLElement[] {
  const { receipts: words } = view.text;
  const { receipts, removed, damaged, chains_left_out: leftOut } = page;
  // Receipts that are passed over are named below, and then "none yet" would be wrong.
  const isEmpty = receipts.length === 0 && (isChosen || removed + damaged === 0);
  return [
    ...(isEmpty ? [el("p", { class: "empty" }, isChosen ? words.noneFound : words.none)] : []),
    ...(removed === 0 ? [] : [remark(words.removed(number(view, removed)))]),
    ...(damaged === 0 ? [] : [remark(words.damaged(number(view, damaged)))]),
    ...(leftOut === 0 ? [] : [remark(words.leftOut(number(view, leftOut)))]),
  ];
}
