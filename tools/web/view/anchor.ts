// The certificates that the timestamps lead to, and where those come from.

import type { UsedAnchor } from "../../../evidence/reader/session/findings.ts";
import { utcTime } from "../../../evidence/reader/text/format.ts";
import { type Child, definitions, el, fileButton, section } from "./dom.ts";
import { bdi, hash } from "./format.ts";
import { anchorsFor, newestTokenTime, type View } from "./view.ts";

type Row = readonly [term: string, value: Child];

export function anchorView(view: View, onFiles: (files: readonly File[]) => void): HTMLElement {
  const { anchor } = view.text;
  const anchors = anchorsFor(view);
  const label = anchors.length === 0 ? anchor.add : anchor.choose;
  const authority = newestTokenTime(view.entry)?.authority ?? null;
  const rows: readonly Row[] = [
    [anchor.authority, authority === null ? null : bdi(authority)],
    ...anchors.flatMap((used) => anchorRows(view, used)),
  ];
  return section(
    "anchor",
    anchor.heading,
    anchors.length === 0 ? el("p", {}, anchor.none) : definitions(rows, "pairs"),
    el("p", { class: "remark" }, anchor.eidas),
    el("p", { class: "actions" }, fileButton(label, onFiles)),
  );
}

function anchorRows(
  { text }: View,
  { source, subject, fingerprint, notBefore, notAfter }: UsedAnchor,
): readonly Row[] {
  const { anchor, facts, locale } = text;
  const from = source.kind === "reader" ? anchor.reader(source.file) : anchor[source.kind];
  return [
    [anchor.source, bdi(from)],
    [anchor.subject, bdi(subject)],
    [anchor.fingerprint, hash(fingerprint)],
    [anchor.validity, facts.to(utcTime(locale, notBefore), utcTime(locale, notAfter))],
  ];
}
