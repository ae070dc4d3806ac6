// Prints as Markdown which tests hold each sentence of the interface document, or why none does: `npx node
// test/interface/report.ts > coverage.md`. Ends with 1 where coverage.json names a test that is not there.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const TEST = /^(test\/\S+\.test\.ts): (.+)$/;

/** By section and sentence: tests as `file: title`, and what was decided, or why it is the operator's or no behaviour. */
const coverage: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "coverage.json"), "utf8"),
);

const isMissing = (holder: string): boolean => {
  const [, file, title] = holder.match(TEST) ?? [];
  if (file === undefined) return false;
  const path = join(ROOT, file);
  return !existsSync(path) || !readFileSync(path, "utf8").includes(`"${title}"`);
};

const rowOf = ([says, holders]: [string, readonly string[]]): string =>
  `| ${says} | ${holders.map((holder) => (isMissing(holder) ? `**not there:** ${holder}` : holder)).join("<br>")} |`;

console.log("# The interface document, sentence by sentence");
for (const [section, sentences] of Object.entries(coverage)) {
  console.log(`\n## ${section}\n\n| what it says | what holds it |\n| --- | --- |`);
  for (const sentence of Object.entries(sentences)) console.log(rowOf(sentence));
}
const holders = Object.values(coverage).flatMap((sentences) => Object.values(sentences).flat());
if (holders.some(isMissing)) process.exitCode = 1;
