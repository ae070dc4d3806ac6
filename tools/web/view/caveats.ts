// The caveats of a result that rests on something weaker than it looks. They stand next to the verdict, on paper too.
import { cutText } from "../../../evidence/reader/text/format.ts";
import { companionsOf, isCompanionEntry } from "../checked.ts";
import { anchorsFor, type View } from "./view.ts";

/** Evidence that does not hold has no caveats. */
export function caveatsOf(view: View): readonly string[] {
  const { verdict } = view.text;
  if (view.entry.verdict.outcome === "does_not_hold") return [];
  const own = ownFiles(view);
  return [
    ...(isWeaklyAnchored(view) ? [verdict.weakAnchor] : []),
    ...(own.length > 0 ? [verdict.ownFiles(cutText(own.join(", ")))] : []),
  ];
}

/** A timestamp that was believed on the word of the very service that gave the receipt. */
const isWeaklyAnchored = (view: View): boolean =>
  anchorsFor(view).some(({ source }) => source.kind === "service");

/**
 * The certificates, and the published roots that nobody was asked about, are as true as the place that the reader has them
 * from: whoever forges a receipt can forge these as well. The page says so of an example in another place.
 */
function ownFiles({ text, checked, entry }: View): readonly string[] {
  if (checked.isSample) return [];
  const certificates = anchorsFor({ checked, entry }).flatMap(({ source }) =>
    source.kind === "reader" ? [source.file] : [],
  );
  const roots = companionsOf(checked.entries, entry).flatMap((other) =>
    isCompanionEntry(other) && other.kind === "seal" && other.use === "used"
      ? other.files.map(({ name }) => name ?? text.intro.pasted)
      : [],
  );
  return [...new Set([...certificates, ...roots])];
}
