// `admin verify`: verifies the whole ledger from inside, every leaf of it. Strangers verify what is published: `audit`.

import { count } from "../../../evidence/core/verify/count.ts";
import {
  type AuditScope,
  LedgerAudit,
  type LedgerFault,
  type LedgerTally,
} from "../../../service/audit/ledger-audit.ts";
import type { Operator } from "../../../service/operator.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { printFaults, printTable } from "../output/table.ts";
import { bold, green, red, type Terminal } from "../output/terminal.ts";
import { readTenantId, refuseMore } from "./arguments.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, readAdminArguments } from "./target.ts";

const OPTIONS = { tenant: { type: "string" }, chain: { type: "string" }, macs: { type: "boolean" } } as const;

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  refuseMore(positionals);
  if (values.tenant !== undefined && values.chain !== undefined)
    throw new UsageError("give either --tenant or --chain");
  const scope = {
    tenantId: values.tenant === undefined ? null : readTenantId(values.tenant),
    chainId: values.chain ?? null,
  };
  return onTarget(values, async (operator) => {
    const tally = await verify(operator, scope, values.macs === true, terminal);
    if (values.json === true) terminal.printJson(inSnakeCase({ verdict: verdictOf(tally), ...tally }));
    else print(operator, tally, terminal);
    return tally.faultCount === 0 ? Exit.holds : Exit.doesNotHold;
  });
}

async function verify(
  { table, roots, macs, registry }: Operator,
  scope: AuditScope,
  withMacs: boolean,
  terminal: Terminal,
): Promise<LedgerTally> {
  const services = { table, roots, macs: withMacs ? macs : null };
  const audit = await LedgerAudit.begin(services, registry, scope);
  const progress = terminal.progress(audit.leaves, "leaves");
  return audit.run((leaves) => progress.step(leaves));
}

const verdictOf = ({ faultCount }: LedgerTally): string => (faultCount === 0 ? "holds" : "does_not_hold");

function print({ deployment }: Operator, tally: LedgerTally, terminal: Terminal): void {
  terminal.print(bold(deployment.name), ` ${deployment.url}`);
  printTable(terminal, [
    ["metachain", `${count(tally.entries, "entry", "entries")}, ${count(tally.seals, "seal")}`],
    ["log files", String(tally.files)],
    ["layers", String(tally.layers)],
    ["chains", String(tally.chains)],
    ["receipts", receiptsOf(tally)],
    ["codes", codesOf(tally)],
  ]);
  printFaults(terminal, tally.faults.map(rowOf), tally.faultCount);
  terminal.print("verdict: ", tally.faultCount === 0 ? green("all of it holds") : red("it does not hold"));
}

const receiptsOf = ({ receipts, removed, erased }: LedgerTally): string =>
  [
    String(receipts),
    ...(removed === 0 ? [] : [`${removed} of them removed under retention: their hashes alone are left`]),
    ...(erased === 0 ? [] : [`${erased} with their identifiers erased`]),
  ].join("; ");

const codesOf = ({ macs }: LedgerTally): string =>
  macs === 0 ? "not verified; see --macs" : `${macs} verified`;

const rowOf = ({ where, index, detail }: LedgerFault): string[] => [where, String(index), detail];
