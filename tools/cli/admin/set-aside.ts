// `admin set-aside`: takes back an entry of the metachain that no chain claims, and what was appended behind it.
import { count } from "../../../evidence/core/verify/count.ts";
import type { UnclaimedEntry } from "../../../service/sealing/claims.ts";
import { foreseeSetAside, type SetAside, setAside } from "../../../service/sealing/set-aside.ts";
import { SealRecords } from "../../../service/seals/seal-records.ts";
import { Exit, type ExitCode } from "../command.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, type Terminal } from "../output/terminal.ts";
import { onlyOne, readPlace } from "./arguments.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, pasteable, readAdminArguments, type TargetValues } from "./target.ts";

const OPTIONS = { "dry-run": { type: "boolean" } } as const;

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  const place = readPlace(onlyOne(positionals, "an entry"));
  const isDryRun = values["dry-run"] === true;
  await onTarget(values, async ({ table, roots, macs }) => {
    const services = { table, roots, macs, seals: new SealRecords(table) };
    const taken = await (isDryRun ? foreseeSetAside : setAside)(services, place);
    if (values.json === true) terminal.printJson(inSnakeCase({ dryRun: isDryRun, ...taken }));
    else print(taken, isDryRun, values, terminal);
  });
  return Exit.holds;
}

/** The chain that an unclaimed entry names, in words. */
export const namesOf = ({ chainId }: UnclaimedEntry): string =>
  chainId === "" ? "which names no chain" : `which names chain ${chainId}`;

function print(
  { unclaimed, chainIds, entries, spans, seal }: SetAside,
  isDryRun: boolean,
  values: TargetValues,
  terminal: Terminal,
): void {
  const { leafIndex, detail } = unclaimed;
  terminal.print(
    bold(isDryRun ? "would set aside" : "set aside"),
    ` entry ${leafIndex}, ${namesOf(unclaimed)}: ${detail}`,
  );
  printTable(terminal, [
    [dim("entries"), count(entries, "entry", "entries")],
    [dim("spans"), String(spans)],
    [dim("seal"), seal === null ? "none waited" : `${seal}, which was not published`],
    [dim("chains"), String(chainIds.length)],
  ]);
  if (isDryRun)
    terminal.note(`Nothing was written. To set it aside: ${pasteable(`set-aside ${leafIndex}`, values)}`);
  else terminal.note("The next run of the sealer looks at all news, and appends honest heads again.");
}
