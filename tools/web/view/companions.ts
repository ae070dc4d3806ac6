// Files that the reader added and that do not belong to this piece are named next to its verdict: they are no fault of it.

import type { CompanionKind } from "../../../evidence/reader/session/findings.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { hasReason, lacksLayer } from "../../../evidence/reader/verdict.ts";
import { type Checked, isCompanionEntry, isEvidenceEntry } from "../checked.ts";
import { el } from "./dom.ts";
import { icon } from "./icon.ts";
import { isMany } from "./overview.ts";
import { circumstancesOf, newestTokenTime, type View } from "./view.ts";

/** Null where everything that was added fits. */
export function companionsView(view: View): HTMLElement | null {
  const own: Partial<Readonly<Record<CompanionKind, HTMLElement | null>>> = {
    request: requestNote(view),
    certificates: certificateNote(view),
    log_policy: logNote(view),
    cose_receipt: coseNote(view),
    policy_layer: layerNote(view),
  };
  const told = Object.values(own).filter((note) => note !== null);
  const others = isMany(view.checked) ? [] : otherNotes(view, (kind) => own[kind] != null);
  const notes = [...told, ...others];
  if (notes.length === 0) return null;
  return el(
    "div",
    { class: "companions is-open", role: "note" },
    icon("open", view.text.state.open),
    el("div", {}, ...notes),
  );
}

function requestNote({ text, checked, entry }: View): HTMLElement | null {
  const names = strayNames(checked, "request", text);
  if (names === null || entry.kind === "seal" || entry.kind === "proof") return null;
  return note(text.companions.request(names), text.companions.requestMore);
}

function certificateNote({ text, checked, entry }: View): HTMLElement | null {
  const { hasOwnAnchors } = circumstancesOf({ checked, entry });
  if (!hasOwnAnchors || !hasReason(entry.examination, "other_authority")) return null;
  const { certificate, certificateMore } = text.companions;
  return note(certificate, certificateMore(newestTokenTime(entry)?.authority ?? null));
}

function logNote({ text, entry }: View): HTMLElement | null {
  if (!hasReason(entry.examination, "other_log")) return null;
  return note(text.companions.log, text.companions.logMore);
}

function coseNote({ text, checked }: View): HTMLElement | null {
  const names = strayNames(checked, "cose_receipt", text);
  return names === null ? null : note(text.companions.cose(names), text.companions.coseMore);
}

function layerNote({ text, checked, entry }: View): HTMLElement | null {
  const names = strayNames(checked, "policy_layer", text);
  if (names === null || !lacksLayer(entry.examination)) return null;
  return note(text.companions.layer(names), text.companions.layerMore);
}

/** Null where every companion of this kind belongs to some evidence. */
function strayNames({ entries }: Checked, kind: CompanionKind, { intro }: Text): string | null {
  const strays = entries.filter(
    (each) => isCompanionEntry(each) && each.kind === kind && each.use === "stray",
  );
  const names = strays.flatMap(({ files }) => files.map(({ name }) => name ?? intro.pasted));
  return names.length === 0 ? null : names.join(", ");
}

/** What the list of many files says of a companion is said here where there is no such list. */
function otherNotes(
  { text: { overview, intro }, checked }: View,
  isTold: (kind: CompanionKind) => boolean,
): HTMLElement[] {
  return checked.entries.filter(isCompanionEntry).flatMap(({ kind, use, files }) => {
    const what = `${files.map(({ name }) => name ?? intro.pasted).join(", ")} (${overview.kinds[kind]}):`;
    if (use === "not_believed") return [note(what, `${overview.notBelieved}.`)];
    return use === "stray" && !isTold(kind)
      ? [note(what, `${overview.stray[kind]}. ${overview.strayMore}`)]
      : [];
  });
}

const note = (what: string, meaning: string): HTMLElement =>
  el("p", {}, el("strong", {}, what), " ", meaning);

/** While there is no evidence, what was added waits for it. */
export function companionNotices(text: Text, { entries }: Checked): readonly HTMLElement[] {
  if (entries.some(isEvidenceEntry)) return [];
  return entries.flatMap((entry) =>
    isCompanionEntry(entry)
      ? [
          el(
            "p",
            { class: "notice" },
            `${entry.files.map(({ name }) => name ?? text.intro.pasted).join(", ")}: ${text.overview.kinds[entry.kind]} · ${text.overview.unused}`,
          ),
        ]
      : [],
  );
}
