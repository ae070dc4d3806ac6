// `wordings fill`: fills in for whom an agent speaks, and shows how the text is registered.
import { parseJson } from "../../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { fillOperator } from "../../../evidence/core/policy/gaps.ts";
import { remarksOnText } from "../../../evidence/core/policy/lint-wording.ts";
import { parsePolicyLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { type FoundWording, findWording, hashWordingText } from "../../../evidence/policy/wordings.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { calledAs, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { readBytes } from "../files/read-file.ts";
import { bold, type Terminal, yellow } from "../output/terminal.ts";

const OPTIONS = { operator: { type: "string" }, layer: { type: "string" } } as const;

export const FILL_HELP = `Usage: disclosure-receipts wordings fill ID --operator NAME [--layer FILE]

Fills {operator} in a wording: for whom the agent speaks, as it is said, with its
article in the accusative after "für", such as "die Stadtwerke Musterstadt".
Prints the text, its digest, and the command that registers it once.

  --layer FILE   the wording is one of this layer, in place of those that this
                 program was built with

Give no name that is a person's, such as a doctor's or a sole trader's: the
digest of a name is published and can't be erased. Say that name, and attest the
digest of the wording with its gap: it gets ALLOW as it is, with no registration.
Hash the registered text, never the spoken one.

Exit status: 0, or 2 if there is no such wording, or nothing to fill in it.`;

export async function runFill(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0)
    throw new UsageError("wordings fill takes the id of one wording; put a name in quotes");
  if (values.operator === undefined) throw new UsageError("--operator NAME is missing");
  const found = values.layer === undefined ? findWording(id) : await findInFile(values.layer, id);
  if (found === null) throw new DisclosureError("not_found", `there is no wording ${id}`);
  printFilled(found, fillOperator(found.wording.text, values.operator), terminal);
  return Exit.holds;
}

const findInFile = (file: string, id: string): Promise<FoundWording | null> =>
  naming(file, async () => {
    const layer = parsePolicyLayer(parseJson(await readBytes(file, MAX_FILE_BYTES)));
    const wording = layer.wordings.find((candidate) => candidate.id === id);
    return wording === undefined ? null : { wording, layer };
  });

function printFilled({ wording, layer }: FoundWording, text: string, terminal: Terminal): void {
  const { id, modality, methods, language, retired_on } = wording;
  const digest = hashWordingText(text);
  const until = retired_on === null ? "" : ` --until ${retired_on}`;
  terminal.print(bold("The text"));
  terminal.print(`  ${text}`);
  terminal.print(`  ${digest}`);
  terminal.print(bold("Register it once, with the tenant's name for TENANT"));
  terminal.print(
    `  ${calledAs()} admin wording add TENANT --jurisdiction ${layer.jurisdiction} --modality ${modality}`,
    ` --methods ${methods.join(",")} --language ${language} --digest ${digest}`,
    ` --approved-by "legal department" --template ${id}${until}`,
  );
  terminal.print(bold("If the name is a person's"));
  terminal.print(
    `  Do not register it. Attest the wording with its gap, whatever name is said: ${wording.digest}`,
  );
  terminal.print("  Hash the registered text, never the spoken one.");
  for (const [, message] of remarksOnText({ ...wording, text, methods: [...methods] }))
    terminal.note(yellow("warning "), message);
}
