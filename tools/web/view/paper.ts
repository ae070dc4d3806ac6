// The evidence sheet that is printed: evidence/reader/'s plain nodes as elements of this page.
import type { SheetFile } from "../../../evidence/reader/sheet/model.ts";
import type { SheetNode } from "../../../evidence/reader/sheet/node.ts";
import { buildSheet, titleOf } from "../../../evidence/reader/sheet/sheet.ts";
import type { Language } from "../../../evidence/reader/text/languages.ts";
import { companionsOf } from "../checked.ts";
import { caveatsOf } from "./caveats.ts";
import { el } from "./dom.ts";
import { anchorsFor, type View } from "./view.ts";

/** `program` is the name and version of this page. */
export function paperView(view: View, language: Language, program: string): Node {
  const { text, checked, entry, timeZone } = view;
  const sheet = buildSheet({
    evidence: entry.evidence,
    examination: entry.examination,
    files: filesOf(view),
    request: entry.request?.value,
    anchors: anchorsFor(view),
    source: entry.examination.unavailable === null ? checked.metachain : null,
    caveats: [...(checked.isSample ? [text.intro.isSample] : []), ...caveatsOf(view)],
    checkedAt: checked.checkedAt,
    timeZone,
    program,
    language,
  });
  return nodeOf(sheet);
}

export const titleFor = ({ entry }: View, language: Language): string =>
  titleOf({ evidence: entry.evidence, language });

/** The piece's own files first, then those that it was checked with. */
const filesOf = ({ checked, entry }: View): readonly SheetFile[] =>
  [entry, ...companionsOf(checked.entries, entry)].flatMap(({ kind, files }) =>
    kind === "unreadable" ? [] : files.map((file) => ({ ...file, kind })),
  );

const nodeOf = (node: SheetNode): Node =>
  typeof node === "string"
    ? document.createTextNode(node)
    : el(node.tag, node.attributes, ...node.children.map(nodeOf));
