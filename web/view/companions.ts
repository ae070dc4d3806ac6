// Files that the reader added and that do not belong to this piece are named next to its verdict: they are no fault of it.
import { lacksLayer, strayCompanions } from "../../reader/verdict.ts";
import { el } from "./dom.ts";
import { icon } from "./icon.ts";
import { hasOwnCertificates, newestTokenTime, type View } from "./view.ts";

/** Null where everything that was added fits. */
export function companionsView(view: View): HTMLElement | null {
  const notes = [
    requestNote(view),
    certificateNote(view),
    logNote(view),
    coseNote(view),
    layerNote(view),
  ].filter((note) => note !== null);
  if (notes.length === 0) return null;
  return el(
    "div",
    { class: "companions is-open", role: "note" },
    icon("open", view.text.state.open),
    el("div", {}, ...notes),
  );
}

function requestNote({ text, checked, entry }: View): HTMLElement | null {
  const strays = checked.entries.filter((each) => each.kind === "request" && each.isStray);
  if (strays.length === 0 || entry.kind === "seal" || entry.kind === "proof") return null;
  const names = strays.flatMap(({ files }) => files.map(({ name }) => name ?? text.intro.pasted));
  return note(text.companions.request(names.join(", ")), text.companions.requestMore);
}

function certificateNote({ text, checked, entry }: View): HTMLElement | null {
  const isStray = hasOwnCertificates(checked) && strayCompanions(entry.examination).has("trust_anchor");
  if (!isStray) return null;
  const { certificate, certificateMore } = text.companions;
  return note(certificate, certificateMore(newestTokenTime(entry)?.authority ?? null));
}

function logNote({ text, entry }: View): HTMLElement | null {
  if (!strayCompanions(entry.examination).has("log")) return null;
  return note(text.companions.log, text.companions.logMore);
}

function coseNote({ text, checked }: View): HTMLElement | null {
  const strays = checked.entries.filter((each) => each.kind === "cose_receipt" && each.isStray);
  if (strays.length === 0) return null;
  const names = strays.flatMap(({ files }) => files.map(({ name }) => name ?? text.intro.pasted));
  return note(text.companions.cose(names.join(", ")), text.companions.coseMore);
}

function layerNote({ text, checked, entry }: View): HTMLElement | null {
  const strays = checked.entries.filter((each) => each.kind === "policy_layer" && each.isStray);
  if (strays.length === 0 || !lacksLayer(entry.examination)) return null;
  const names = strays.flatMap(({ files }) => files.map(({ name }) => name ?? text.intro.pasted));
  return note(text.companions.layer(names.join(", ")), text.companions.layerMore);
}

const note = (what: string, meaning: string): HTMLElement =>
  el("p", {}, el("strong", {}, what), " ", meaning);
