// `bill sheet`: writes a bill as one HTML file to print, with what was checked of it and what it does not prove.
import { billTitle, buildBillSheet } from "../../../evidence/reader/sheet/bill.ts";
import { formatDocument } from "../../../evidence/reader/sheet/html.ts";
import { BILL_OPTIONS, examineFile, exitOf, onlyFile } from "../bill/examine.ts";
import { type ExitCode, PROGRAM, programVersion, readArguments, UsageError } from "../command.ts";
import { STANDARD_INPUT } from "../files/read-file.ts";
import { replaceFile } from "../files/write-file.ts";
import { languageOf } from "../output/language.ts";
import type { Terminal } from "../output/terminal.ts";

const OPTIONS = {
  ...BILL_OPTIONS,
  lang: { type: "string" },
  output: { type: "string", short: "o" },
} as const;

export const SHEET_HELP = `Usage: disclosure-receipts bill sheet FILE -o BILL.html [options]

Checks a bill as bill verify does, and writes it as a page to print or to save as
PDF: the receipts of each chain, the amount, every check, and what it does not
prove.

  -o, --output FILE     the HTML file to write
  --metachain URL|DIR   compare with the published roots
  --history DIR         count the leaves of this history
  --tenant FINGERPRINT  the bill is that of this tenant
  --lang de|en          the language of the page (en)

Exit status: as bill verify. The page is written unless the bill or the history
could not be read.`;

export async function runSheet(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  if (values.output === undefined) throw new UsageError("name the file to write: -o BILL.html");
  const file = onlyFile("sheet", positionals);
  if (file === STANDARD_INPUT) throw new UsageError("the page names the bill's file, and so needs its name");
  const language = languageOf(values.lang);
  const examined = await examineFile(file, values, terminal);
  const { examination } = examined;
  if (examination.unavailable !== null)
    terminal.note(`The public log could not be read: ${examination.unavailable}`);
  const sheet = buildBillSheet({
    ...examined,
    checkedAt: new Date(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    program: `${PROGRAM} ${programVersion()}`,
    language,
  });
  const title = billTitle({ examination, language });
  await replaceFile(values.output, formatDocument(language, title, sheet));
  terminal.print(`${values.output}: ${title}`);
  return exitOf(examination, false);
}
