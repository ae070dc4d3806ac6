// The parts of the status page share this: the view of the service's state, a missing answer, and the word of a status.
import type { Answers, Part } from "../../status/answers.ts";
import type { StatusText } from "../../status/text-en.ts";
import { el } from "../dom.ts";
import type { Zoned } from "../format.ts";

export interface StatusView extends Zoned {
  readonly text: StatusText;
  readonly answers: Answers;
}

/** Says why a part is not shown. The reason is for whoever runs the service, and in English. */
export function missingPart(text: StatusText, part: Exclude<Part<unknown>, { kind: "read" }>): HTMLElement {
  if (part.kind === "absent") return el("p", { class: "notice" }, text.absent);
  return el("p", { class: "notice unread" }, `${text.failed} `, el("span", { lang: "en" }, part.reason));
}

/** A label of the service in the reader's language; one that this page does not know stands for itself. */
export const labelIn = (labels: Readonly<Record<string, string>>, label: string): string | null =>
  Object.hasOwn(labels, label) ? (labels[label] ?? null) : null;

/** The word of a status, with a mark for what can be used now. */
export function statusWord({ statuses }: StatusText, status: string): HTMLElement {
  const use = labelIn(USE, status);
  const name = use === null ? "word" : `word ${use}`;
  return el("span", { class: name }, el("span", {}, labelIn(statuses, status) ?? status));
}

/** The statuses of things that can be used now, or on trial. */
const USE: Readonly<Record<string, string>> = {
  active: "in-use",
  available: "in-use",
  in_controlled_testing: "on-trial",
};
