// `wordings check`: the lint of a layer's file, for those who write one.
import { canonicalBytes, parseJson } from "../../../evidence/core/canonical-json.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { type LintFinding, lintLayer } from "../../../evidence/core/policy/lint.ts";
import type { LintLevel } from "../../../evidence/core/policy/lint-wording.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { readBytes } from "../files/read-file.ts";
import { bold, dim, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";

const OPTIONS = { json: { type: "boolean" } } as const;

export const CHECK_HELP = `Usage: disclosure-receipts wordings check FILE [--json]

Checks a layer's file, all of it in one run: its form, that each digest is that
of its text, that no two texts are alike, that each text names an artificial
intelligence and denies a human being (in German, English, French and Dutch; in
other languages you must read it), the languages of the country, the dates, and
what voices can't say. - is standard input.

  fault     must be put right; most of them keep the service from starting
  warning   wants a decision: nothing stops you
  note      tells what follows from the file as it is

Exit status: 0 without a fault, 1 with one, 2 if the file is no JSON.`;

const LEVELS: Readonly<Record<LintLevel, (text: string) => StyledText>> = {
  fault: red,
  warning: yellow,
  note: dim,
};

export async function runCheck(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("wordings check takes one file");
  const data = await naming(file, async () => parseJson(await readBytes(file, MAX_FILE_BYTES)));
  const digest = formatDigest(hashBytes(canonicalBytes(data)));
  const findings = lintLayer(data, new Date().toISOString().slice(0, "2026-11-22".length));
  if (values.json === true) terminal.printJson({ file, digest, findings });
  else printFindings(file, digest, findings, terminal);
  return findings.some(({ level }) => level === "fault") ? Exit.doesNotHold : Exit.holds;
}

function printFindings(
  file: string,
  digest: string,
  findings: readonly LintFinding[],
  terminal: Terminal,
): void {
  const numbers = (Object.keys(LEVELS) as LintLevel[]).map((level) => {
    const found = findings.filter((finding) => finding.level === level);
    for (const { subject, message } of found) terminal.print(LEVELS[level](level), ` ${subject}: ${message}`);
    return count(found.length, level);
  });
  terminal.print(bold(file), `: ${numbers.join(", ")}. The layer's digest is ${digest}.`);
}
