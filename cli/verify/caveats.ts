// Sentences next to the verdict: inputs that belong elsewhere, turns that are missing, remarks on the wording.
import { type Terminal, yellow } from "../output/terminal.ts";
import type { ComparedTurn, Comparison, Results, Stray } from "./results.ts";
import type { Words } from "./words.ts";

/** With more conversations or places than this, the rest is counted and not listed. */
const MAX_LISTED = 20;

export function printCaveats(
  results: Results,
  { terminal, words }: { readonly terminal: Terminal; readonly words: Words },
): void {
  const { summary } = words;
  const { comparison, remarked, unusedCertificates } = results;
  if (comparison !== null) terminal.print(comparedSentence(comparison, results.files.length, words));
  for (const stray of results.stray) {
    const sentence = straySentence(stray, words);
    if (sentence !== null) terminal.print(yellow(sentence));
  }
  for (const file of unusedCertificates) terminal.print(yellow(summary.unusedCertificates(file)));
  // The sentences about a single receipt have the remarks themselves.
  if (remarked.count > 0 && remarked.all > 1)
    terminal.print(yellow(summary.remarks(remarked.count, remarked.all)));
  for (const sentence of missingSentences(results, words)) terminal.print(yellow(sentence));
}

/** A sentence for each conversation that is not here as a whole. */
export function missingSentences({ missing }: Results, { summary }: Words): string[] {
  const listed = missing
    .slice(0, MAX_LISTED)
    .map(({ interactionId, ranges }) => summary.notAll(interactionId, ranges));
  const more = missing.length - MAX_LISTED;
  return more > 0 ? [...listed, summary.moreNotAll(more)] : listed;
}

/** Null for the text of a wording, whose comparison is reported anyway. */
export function straySentence(stray: Stray, { summary }: Words): string | null {
  if (stray.kind === "request") return summary.stray.request(stray.file);
  if (stray.kind === "cose_receipt") return summary.stray.coseReceipt(stray.file);
  if (stray.kind === "layer") return summary.stray.layer(stray.file);
  if (stray.kind === "log") return summary.stray.log;
  return stray.kind === "trust_anchor" ? summary.stray.certificates(stray.file) : null;
}

export function comparedSentence(
  { matching, filled, compared }: Comparison,
  fileCount: number,
  { summary }: Words,
): string {
  if (compared === 0) return summary.compared.nothing;
  const placeOf = ({ file, turn }: ComparedTurn): string =>
    fileCount === 1 ? summary.turn(turn) : `${file}, ${summary.turn(turn)}`;
  if (matching.length === 0 && filled.length > 0)
    return summary.compared.isFilled(listed(filled.map((one) => `${one.wording} (${placeOf(one)})`)));
  if (matching.length === 0) return summary.compared.isNotAttested;
  if (compared === 1) return summary.compared.isAttested;
  return summary.compared.isAttestedIn(listed(matching.map(placeOf)));
}

function listed(places: readonly string[]): string {
  const more = places.length - MAX_LISTED;
  return [...places.slice(0, MAX_LISTED), ...(more > 0 ? [`+ ${more}`] : [])].join("; ");
}
