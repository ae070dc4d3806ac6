// `admin retention`: removes the receipts that tenants keep no longer. Their leaves stay, and with them every proof.
import { count } from "../../../evidence/core/verify/count.ts";
import { readRetainedChains } from "../../../service/erasure/retained-chains.ts";
import { type RetentionTally, runRetention } from "../../../service/erasure/retention.ts";
import type { Operator } from "../../../service/operator.ts";
import { Exit, type ExitCode } from "../command.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, type Terminal } from "../output/terminal.ts";
import { readTenantId, refuseMore } from "./arguments.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, readAdminArguments } from "./target.ts";

const OPTIONS = { "dry-run": { type: "boolean" } } as const;

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  const [tenant, ...rest] = positionals;
  refuseMore(rest);
  const tenantId = tenant === undefined ? null : readTenantId(tenant);
  const isDryRun = values["dry-run"] === true;
  return onTarget(values, async (operator) => {
    const { tally, tenants } = await retain(operator, tenantId, isDryRun, terminal);
    if (values.json === true) terminal.printJson(inSnakeCase({ dryRun: isDryRun, tenants, ...tally }));
    else print(tally, tenants, isDryRun, terminal);
    return tally.skipped === 0 ? Exit.holds : Exit.doesNotHold;
  });
}

async function retain(
  { registry, table }: Operator,
  tenantId: string | null,
  isDryRun: boolean,
  terminal: Terminal,
): Promise<{ tally: RetentionTally; tenants: number }> {
  const retained = await registry.retained(tenantId);
  const chains = await readRetainedChains(table, retained);
  const leaves = [...chains.values()].reduce((sum, { end }) => sum + end, 0);
  const progress = terminal.progress(leaves, "old leaves at most");
  let reported = 0;
  const tally = await runRetention(table, {
    chains,
    isDryRun,
    isResumable: tenantId === null,
    onProgress: ({ receipts }) => {
      progress.step(receipts - reported);
      reported = receipts;
    },
  });
  return { tally, tenants: retained.length };
}

function print(tally: RetentionTally, tenants: number, isDryRun: boolean, terminal: Terminal): void {
  if (tenants === 0) {
    terminal.print("no tenant has a retention: all receipts are kept");
    terminal.note("To set one: disclosure-receipts admin tenant retention TENANT MONTHS");
    return;
  }
  terminal.print(
    bold(isDryRun ? "would remove" : "removed"),
    ` under the retention of ${count(tenants, "tenant")}`,
  );
  printTable(terminal, [
    [dim("conversations"), String(tally.conversations)],
    [dim("receipts"), String(tally.receipts)],
    [
      dim("left alone"),
      tally.skipped === 0
        ? "none"
        : `${tally.skipped}: an erasure was begun (repeat it), they go on, or they are damaged (see admin verify)`,
    ],
  ]);
  terminal.print(
    "Leaf hashes stay in the table, and published roots: every proof that somebody holds remains whole.",
  );
  terminal.print("Point-in-time recovery can bring back what was removed for 35 days.");
  terminal.print("Final bills keep up to four receipts of each chain and month, without requests.");
}
