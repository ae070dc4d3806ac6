// Where evidence comes in: a place to drop it, a button to choose a file, a field to paste into; and what the page
// promises about it.
import { ownOrigin } from "../origin.ts";
import type { Text } from "../../reader/text/text.ts";
import { button, el, fileButton } from "./dom.ts";

export interface IntakeActions {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: (text: string) => void;
}

/** `policy` is the Content-Security-Policy that this page was built with. */
export function intakeView(text: Text, actions: IntakeActions, policy: string): HTMLElement {
  const { intro } = text;
  return el(
    "section",
    { class: "intake", "aria-labelledby": "intake-heading" },
    el("h1", { id: "intake-heading" }, intro.heading),
    el("p", { class: "lead" }, intro.lead),
    el(
      "div",
      { class: "drop" },
      el("p", { class: "drop-main" }, intro.drop),
      fileButton(intro.choose, actions.onFiles, { class: "main" }),
      el("p", {}, intro.dropMore),
    ),
    privacyView(text, policy),
    pasteView(text, actions),
    el("p", { class: "remark" }, intro.accepts),
  );
}

/** While something has been checked, only the way to the next. */
export function compactIntake(text: Text, actions: IntakeActions, policy: string): HTMLElement {
  return el(
    "section",
    { class: "intake compact", "aria-labelledby": "intake-heading" },
    el("h1", { id: "intake-heading" }, text.title),
    fileButton(text.intro.another, actions.onFiles),
    privacyView(text, policy),
  );
}

function pasteView({ intro }: Text, { onText }: IntakeActions): HTMLElement {
  const field = el("textarea", { id: "paste", rows: 7, spellcheck: "false", autocomplete: "off" });
  return el(
    "details",
    { class: "paste" },
    el("summary", {}, intro.paste),
    el("label", { for: "paste" }, intro.pasteLabel),
    field,
    button(intro.pasteButton, () => onText(field.value)),
  );
}

function privacyView({ privacy }: Text, policy: string): HTMLElement {
  const origin = ownOrigin();
  return el(
    "details",
    { class: "privacy" },
    el("summary", {}, privacy.summary),
    el("p", {}, origin === null ? privacy.saved : privacy.served(origin)),
    origin === null ? null : el("p", {}, privacy.save),
    el("p", {}, `${privacy.policy}:`),
    el("code", { class: "policy" }, policy),
  );
}
