// Where evidence comes in: a place to drop it, a button to choose files, a field to paste into; and what the page
// promises about it.
import type { Text } from "../../../evidence/reader/text/text.ts";
import { folderOf } from "../folder.ts";
import type { Folder } from "../given-history.ts";
import { button, el, fileButton, folderButton } from "./dom.ts";

export interface IntakeActions {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onFolder: (folder: Folder) => void;
  readonly onText: (text: string) => void;
  readonly onSample: (sample: "good" | "forged") => void;
  readonly onStartOver: () => void;
}

/** The page's promises, and how they are enforced. */
export interface Promises {
  /** The origin that serves the page; null for a saved one. */
  readonly origin: string | null;
  /** The Content-Security-Policy that the page was built with. */
  readonly policy: string;
}

export function intakeView(text: Text, actions: IntakeActions, promises: Promises): HTMLElement {
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
      folderButton(intro.chooseFolder, chosenFolder(actions), { class: "quiet" }),
    ),
    samplesView(text, actions),
    privacyView(text, promises),
    pasteView(text, actions),
    el("p", { class: "remark" }, intro.accepts),
  );
}

/** While something has been checked, only the way to more and back to the beginning. */
export function compactIntake(text: Text, actions: IntakeActions, promises: Promises): HTMLElement {
  return el(
    "section",
    { class: "intake compact", "aria-labelledby": "intake-heading" },
    el("h1", { id: "intake-heading" }, text.title),
    el(
      "div",
      { class: "compact-actions" },
      fileButton(text.intro.another, actions.onFiles),
      folderButton(text.intro.anotherFolder, chosenFolder(actions), { class: "quiet" }),
      button(text.intro.startOver, actions.onStartOver, { class: "quiet" }),
    ),
    privacyView(text, promises),
  );
}

/** An empty folder gives no files, and so not even its name. */
const chosenFolder =
  ({ onFolder }: IntakeActions) =>
  (files: readonly File[]): void => {
    if (files.length > 0) onFolder(folderOf(files));
  };

const samplesView = ({ intro }: Text, { onSample }: IntakeActions): HTMLElement =>
  el(
    "p",
    { class: "samples" },
    `${intro.samples} `,
    button(intro.good, () => onSample("good"), { class: "link" }),
    " · ",
    button(intro.forged, () => onSample("forged"), { class: "link" }),
  );

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

function privacyView({ privacy }: Text, { origin, policy }: Promises): HTMLElement {
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
