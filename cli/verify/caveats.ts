// Sentences next to the verdict: what is here and what is not, remarks on the wording, inputs that belong elsewhere.
import {
  type CompanionFinding,
  type ComparedTurn,
  type Comparison,
  type SessionFindings,
  straysOf,
} from "../../reader/session/findings.ts";
import { describeSummary } from "../../reader/text/describe-summary.ts";
import { type Terminal, yellow } from "../output/terminal.ts";
import type { ShownFile } from "./shown.ts";
import type { Words } from "./words.ts";

/** With more places than this, the rest is counted and not listed. */
const MAX_LISTED = 20;

export function printCaveats(
  findings: SessionFindings<ShownFile>,
  { terminal, words }: { readonly terminal: Terminal; readonly words: Words },
): void {
  const { comparison, companions, files, summary } = findings;
  const isMany = files.length > 1;
  const { counts, missing, chains, remarks } = describeSummary(words.text, summary);
  if (isMany && summary.receipts > 0) terminal.print(counts);
  for (const sentence of missing) terminal.print(yellow(sentence));
  if (isMany) for (const sentence of chains) terminal.print(sentence);
  // The sentences about a single receipt have the remarks themselves.
  if (remarks !== null && summary.receipts > 1)
    terminal.print(yellow(`${remarks.sentence} ${remarks.kinds.map((kind) => kind.words).join("; ")}`));
  if (comparison !== null) terminal.print(comparedSentence(comparison, files.length, words));
  for (const companion of companions) {
    const sentence = companionSentence(companion, words);
    if (sentence !== null) terminal.print(yellow(sentence));
  }
}

/** Null for a companion that was used. */
export function companionSentence(
  { kind, file, use }: CompanionFinding,
  { text: { overview } }: Words,
): string | null {
  const what = `${file} (${overview.kinds[kind]})`;
  if (use === "stray") return `${what}: ${overview.stray[kind]}. ${overview.strayMore}`;
  return use === "not_believed" ? `${what}: ${overview.notBelieved}.` : null;
}

/** The sentences about strays, for a report as data. */
export function describedStrays(findings: SessionFindings<ShownFile>, words: Words): object[] {
  return straysOf(findings).map(({ kind, file }) => ({
    kind,
    file,
    detail:
      kind === "wording"
        ? words.summary.compared.isNotAttested
        : companionSentence({ kind, file: file ?? "", use: "stray" }, words),
  }));
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
