// Shows who signed the root, the log and its witnesses, and a field for the key by which the reader believes that.
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import type { ShownCheckpoint } from "../../../evidence/reader/checkpoints.ts";
import { placesOf } from "../../../evidence/reader/cose-receipts.ts";
import { isLogPolicy, parseLogPolicy } from "../../../evidence/reader/log-policy.ts";
import { describeCheckpoint } from "../../../evidence/reader/text/checkpoint.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { hasCompanion } from "../checked.ts";
import { el, fileButton, section } from "./dom.ts";
import type { View } from "./view.ts";

export interface LogKeyActions {
  readonly onPolicy: (source: File | string) => void;
}

/** Null for a receipt that no log has signed yet. */
export function logSignatureView(view: View, { onPolicy }: LogKeyActions): HTMLElement | null {
  const { entry, text } = view;
  if (entry.kind !== "seal" && placesOf(entry.examination).length === 0) return null;
  const { log } = text;
  const sentences = describeCheckpoint(text, newestOf(view));
  return section(
    "log",
    log.heading,
    ...sentences.map((sentence) => el("p", {}, sentence)),
    sentences.length > 0 ? null : el("p", {}, openReason(view)),
    el("p", { class: "remark" }, log.source),
    keyForm(log, onPolicy),
    el(
      "p",
      { class: "actions" },
      fileButton(log.choose, ([file]) => file !== undefined && onPolicy(file)),
    ),
  );
}

/** A slip of the hand in the key must not become a file that can't be read, among those that are checked. */
function keyForm(log: Text["log"], onKey: (key: string) => void): HTMLElement {
  const field = el("input", {
    id: "log-key",
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
    "aria-describedby": "log-key-problem",
  });
  const problem = el("p", { id: "log-key-problem", class: "problem-of-field", role: "alert" });
  const entry = el("p", { class: "key-field" }, field, el("button", { type: "submit" }, log.check));
  const form = el("form", { class: "screen" }, el("label", { for: "log-key" }, log.label), entry, problem);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const isKey = isKeyOrPolicy(field.value);
    problem.textContent = isKey ? "" : log.malformed;
    field.setAttribute("aria-invalid", String(!isKey));
    if (isKey) onKey(field.value);
    else field.focus();
  });
  return form;
}

function isKeyOrPolicy(text: string): boolean {
  try {
    parseLogPolicy(text);
    return isLogPolicy(text);
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return false;
  }
}

function openReason({ text: { log, open }, checked }: View): string {
  if (!checked.knowsEd25519) return log.unknownSignature;
  return hasCompanion(checked, "log_policy") ? log.unsigned : open.noPolicy;
}

/** The checkpoint of the largest tree: it covers those of the others. */
function newestOf({ entry: { examination } }: View): ShownCheckpoint | null {
  const shown = [...examination.turns, ...examination.seals].flatMap(({ checkpoint }) => checkpoint ?? []);
  return shown.toSorted((a, b) => b.treeSize - a.treeSize)[0] ?? null;
}
