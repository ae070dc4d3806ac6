// The page of the mutants that no test noticed. A judgement says why one changes nothing that anybody could see; it is
// found by the code and not by its line, so it stays as long as the code does.
import type { FolderRun, MutationResults, Survivor } from "./report.ts";

export interface Judgement {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

const MOST_CODE = 100;

/** By folder, each survivor with the reason why it may live, where it was judged. */
export function formatSurvivors({ folders }: MutationResults, judgements: readonly Judgement[]): string {
  const sections = Object.entries(folders).map(([folder, run]) => formatFolder(folder, run, judgements));
  return `# Mutants that no test noticed

\`npm run mutation\` writes this page. The scores are in [results.json](results.json), the judgements in
[judgements.json](judgements.json). Texts for people are not mutated.

${sections.join("\n")}`;
}

function formatFolder(folder: string, run: FolderRun, judgements: readonly Judgement[]): string {
  const { survivors, score, mutants, date, untried } = run;
  const missing = untried.length === 0 ? "" : `${untried.length} of its files were not tried yet.\n\n`;
  const summary = `## ${folder}\n\n${missing}${score} % of ${mutants} mutants were noticed on ${date}`;
  if (survivors.length === 0) return `${summary}: all of them.\n`;
  const reasons = survivors.map((survivor) => judgementOn(survivor, judgements)?.why ?? null);
  const judged = reasons.filter((why) => why !== null).length;
  const rows = survivors.map((survivor, i) => rowOf(survivor, reasons[i] ?? null));
  return [
    `${summary}. Of the ${survivors.length} others, ${judged} are judged to change nothing that anybody could see.\n`,
    "| place | code | mutant | why it may live |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** The judgement on this very change. */
export const judgementOn = (survivor: Survivor, judgements: readonly Judgement[]): Judgement | undefined =>
  judgements.find(
    ({ file, original, replacement }) =>
      file === survivor.file && original === survivor.original && replacement === survivor.replacement,
  );

const rowOf = ({ file, line, original, replacement, isCovered }: Survivor, why: string | null): string =>
  `| ${file}:${line} | ${code(original)} | ${code(replacement)} | ${why ?? (isCovered ? "" : "no test runs it")} |`;

function code(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const short = line.length > MOST_CODE ? `${line.slice(0, MOST_CODE)}…` : line;
  return `\`\` ${short.replaceAll("|", "\\|")} \`\``;
}
