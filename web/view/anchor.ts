// Whose timestamp it is: the certificates that tokens were checked against, and where they come from.
import { newestStamp, type UsedAnchors, type View } from "../sheet.ts";
import { definitions, el, fileButton, section } from "./dom.ts";
import { bdi, dateTime, hash } from "./format.ts";

export function anchorView(view: View, onFiles: (files: readonly File[]) => void): HTMLElement {
  const { text, sheet } = view;
  const { anchor } = text;
  const label = sheet.anchors === null ? anchor.add : anchor.choose;
  return section(
    "anchor",
    anchor.heading,
    sheet.anchors === null ? el("p", {}, anchor.none) : anchorFacts(view, sheet.anchors),
    el("p", { class: "remark" }, anchor.eidas),
    el("p", { class: "actions" }, fileButton(label, onFiles)),
  );
}

function anchorFacts({ text, sheet }: View, { source, certificates }: UsedAnchors): HTMLElement {
  const { anchor, facts, hashes } = text;
  const stamp = newestStamp(sheet.examination);
  const from =
    source.kind === "reader" ? anchor.reader(source.name ?? text.intro.pasted) : anchor[source.kind];
  return definitions(
    [
      [hashes.authority, stamp?.authority == null ? null : bdi(stamp.authority)],
      [hashes.genTime, stamp === null ? null : dateTime(text, stamp.genTime)],
      [anchor.source, bdi(from)],
      ...certificates.flatMap(({ subject, fingerprint, notBefore, notAfter }) => [
        [anchor.subject, bdi(subject)] as const,
        [anchor.fingerprint, hash(fingerprint)] as const,
        [anchor.validity, facts.to(dateTime(text, notBefore), dateTime(text, notAfter))] as const,
      ]),
    ],
    "pairs",
  );
}
