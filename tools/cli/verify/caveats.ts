// Sentences next to the verdict: what is here and what is not, remarks on the wording, inputs that belong elsewhere.
import {
  type CompanionFinding,
  type ComparedTurn,
  type Comparison,
  type SessionFindings,
  straysOf,
} from "../../../evidence/reader/session/findings.ts";
import { describeSummary } from "../../../evidence/reader/text/describe-summary.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { type Terminal, yellow } from "../output/terminal.ts";
import type { ShownFile } from "./shown.ts";

/** With more places than this, the rest is counted and not listed. */
const MAX_LISTED = 20;

export function printCaveats(
  findings: SessionFindings<ShownFile>,
  { terminal, text }: { readonly terminal: Terminal; readonly text: Text },
): void {
  const { comparison, companions, files, summary } = findings;
  const isMany = files.length > 1;
  const { counts, missing, chains, remarks } = describeSummary(text, summary);
  if (isMany && summary.receipts > 0) terminal.print(counts);
  for (const sentence of missing) terminal.print(yellow(sentence));
  if (isMany) for (const sentence of chains) terminal.print(sentence);
  // The sentences about a single receipt have the remarks themselves.
  if (remarks !== null && summary.receipts > 1)
    terminal.print(yellow(`${remarks.sentence} ${remarks.kinds.map((kind) => kind.words).join("; ")}`));
  if (comparison !== null) terminal.print(comparedSentence(comparison, files.length, text));
  for (const companion of companions) {
    const sentence = companionSentence(companion, text);
    if (sentence !== null) terminal.print(yellow(sentence));
  }
}

/** Null for a companion that was used. */
export function companionSentence({ kind, file, use }: CompanionFinding, { overview }: Text): string | null {
  const what = `${file} (${overview.kinds[kind]})`;
  if (use === "stray") return `${what}: ${overview.stray[kind]}. ${overview.strayMore}`;
  return use === "not_believed" ? `${what}: ${overview.notBelieved}.` : null;
}

/** The sentences about strays, for a report as data. */
export function describedStrays(findings: SessionFindings<ShownFile>, text: Text): object[] {
  return straysOf(findings).map(({ kind, file }) => ({
    kind,
    file,
    detail:
      kind === "wording"
        ? text.facts.isNotText
        : companionSentence({ kind, file: file ?? "", use: "stray" }, text),
  }));
}

export function comparedSentence(
  { matching, filled, compared }: Comparison,
  fileCount: number,
  { facts, verdict }: Text,
): string {
  if (compared === 0) return facts.notCompared;
  const placeOf = ({ file, turn }: ComparedTurn): string =>
    fileCount === 1 ? verdict.inTurn(turn) : `${file}, ${verdict.inTurn(turn)}`;
  if (matching.length === 0 && filled.length > 0)
    return facts.isFilled(listed(filled.map((one) => `${one.wording} (${placeOf(one)})`)));
  if (matching.length === 0) return facts.isNotText;
  return compared === 1 ? facts.isText : `${facts.isText} (${listed(matching.map(placeOf))})`;
}

function listed(places: readonly string[]): string {
  const more = places.length - MAX_LISTED;
  return [...places.slice(0, MAX_LISTED), ...(more > 0 ? [`+ ${more}`] : [])].join("; ");
}
