// Shows who signed the root, the log and its witnesses, and a field for the key by which the reader believes that.
import type { ShownCheckpoint } from "../../reader/checkpoints.ts";
import { placesOf } from "../../reader/cose-receipts.ts";
import { describeCheckpoint } from "../../reader/text/checkpoint.ts";
import { button, el, fileButton, section } from "./dom.ts";
import type { View } from "./view.ts";

export interface LogKeyActions {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: (text: string) => void;
}

/** Null for a receipt that no log has signed yet. */
export function logSignatureView(view: View, { onFiles, onText }: LogKeyActions): HTMLElement | null {
  const { entry, text } = view;
  if (entry.kind !== "seal" && placesOf(entry.examination).length === 0) return null;
  const { log } = text;
  const sentences = describeCheckpoint(text, newestOf(view));
  const field = el("input", { id: "log-key", type: "text", spellcheck: "false", autocomplete: "off" });
  return section(
    "log",
    log.heading,
    ...sentences.map((sentence) => el("p", {}, sentence)),
    sentences.length > 0 ? null : el("p", {}, openReason(view)),
    el("p", { class: "remark" }, log.source),
    el("label", { for: "log-key", class: "screen" }, log.label),
    el(
      "p",
      { class: "key-field screen" },
      field,
      button(log.check, () => onText(field.value)),
    ),
    el("p", { class: "actions" }, fileButton(log.choose, onFiles)),
  );
}

function openReason({ text: { log }, checked: { entries, knowsEd25519 } }: View): string {
  if (!knowsEd25519) return log.unknownSignature;
  return entries.some(({ kind }) => kind === "log_policy") ? log.unsigned : log.noKey;
}

/** The checkpoint of the largest tree: it covers those of the others. */
function newestOf({ entry: { examination } }: View): ShownCheckpoint | null {
  const shown = [...examination.turns, ...examination.seals].flatMap(({ checkpoint }) => checkpoint ?? []);
  return shown.toSorted((a, b) => b.treeSize - a.treeSize)[0] ?? null;
}
