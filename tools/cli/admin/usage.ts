// `admin usage`: what the tenants used in a month and what it costs, or the bill of one of them.
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { type Month, monthNamed, monthOf } from "../../../evidence/core/formats/month.ts";
import { isOfTenant } from "../../../service/bill/billed-tenant.ts";
import type { BillTotals } from "../../../service/bill/build-bill.ts";
import type { Operator } from "../../../service/operator.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { replaceFile } from "../files/write-file.ts";
import { formatMoney } from "../output/money.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, green, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import { readMonth, readTenantId, refuseMore } from "./arguments.ts";
import { onTarget, pasteable, readAdminArguments, type TargetValues } from "./target.ts";

const OPTIONS = {
  month: { type: "string" },
  csv: { type: "boolean" },
  output: { type: "string", short: "o" },
} as const;

export interface UsageCall {
  readonly operator: Operator;
  readonly month: Month;
  readonly values: TargetValues & { readonly json?: boolean | undefined; readonly csv?: boolean | undefined };
  readonly terminal: Terminal;
  /** Where a document goes: to the file that the operator named, or to standard output. */
  readonly write: (document: string) => Promise<void>;
}

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  const [tenantId, ...rest] = positionals;
  refuseMore(rest);
  if (values.json === true && values.csv === true) throw new UsageError("--json and --csv are two formats");
  if (values.output !== undefined && values.json !== true && values.csv !== true)
    throw new UsageError("-o is for a document: --json or --csv");
  if (tenantId !== undefined) readTenantId(tenantId);
  const named = values.month === undefined ? null : monthNamed(readMonth(values.month));
  const { output } = values;
  const write = (document: string) =>
    output === undefined ? terminal.printOwn(document) : replaceFile(output, `${document}\n`);
  return onTarget(values, async (operator) => {
    const month = named ?? monthOf(operator.clock());
    const call = { operator, month, values, terminal, write: async (text: string) => write(text) };
    const isListed = tenantId === undefined || values.csv === true;
    return isListed ? listTenants(call, tenantId) : showBill(call, tenantId);
  });
}

/** One row a tenant, of those that were there in the month; those whose receipts can't be counted are named. */
export async function listTenants(call: UsageCall, only: string | undefined): Promise<ExitCode> {
  const { totals, uncounted } = await readAllTotals(call, only);
  await writeTotals(call, totals);
  for (const line of uncounted) call.terminal.note(line);
  return uncounted.length === 0 ? Exit.holds : Exit.doesNotHold;
}

interface AllTotals {
  readonly totals: readonly BillTotals[];
  /** A line for each tenant whose receipts of the month are not all there any more. */
  readonly uncounted: readonly string[];
}

async function readAllTotals(call: UsageCall, only: string | undefined): Promise<AllTotals> {
  const { operator, month, terminal } = call;
  const registered =
    only === undefined ? await operator.registry.list() : [await operator.registry.get(only)];
  const tenants = only === undefined ? registered.filter((tenant) => isOfTenant(month, tenant)) : registered;
  const progress = terminal.progress(tenants.length, "tenants");
  const totals: BillTotals[] = [];
  const uncounted: string[] = [];
  for (const { tenantId } of tenants) {
    try {
      totals.push(await operator.bills.totals(tenantId, month));
    } catch (error) {
      if (!isDisclosureError(error, "receipt_removed")) throw error;
      uncounted.push(`${tenantId} is left out: ${error.message}`);
    }
    progress.step();
  }
  return { totals, uncounted };
}

async function writeTotals(call: UsageCall, totals: readonly BillTotals[]): Promise<void> {
  const { month, values, terminal } = call;
  if (values.csv === true) return call.write(csvOf(totals));
  if (values.json === true) return call.write(JSON.stringify({ month: month.name, tenants: totals }));
  terminal.print(bold(month.name), ` (UTC), by the time at which each receipt was issued`);
  if (totals.length === 0) return terminal.print("no tenant");
  printTable(terminal, [HEADINGS.map(dim), ...totals.map(rowOf)]);
  const [first] = totals;
  if (first !== undefined)
    terminal.note(
      `The bill of one tenant: ${pasteable(`usage ${first.tenant.id} --month ${first.month}`, values)}`,
    );
}

async function showBill(call: UsageCall, tenantId: string): Promise<ExitCode> {
  const { operator, month, values } = call;
  const bill = await operator.bills.whole(tenantId, month);
  if (values.json === true) await call.write(JSON.stringify(bill));
  else printBill(call, bill);
  return Exit.holds;
}

function printBill({ values, terminal }: UsageCall, bill: Bill): void {
  const tenantId = bill.tenant.id;
  printTable(terminal, [
    ["tenant", bold(tenantId)],
    ["fingerprint", bill.tenant.fingerprint],
    ["month", `${bill.month} (UTC)`],
    ["state", stateOf(bill)],
    ["receipts", String(bill.count)],
    ["plan", bill.plan.name],
    ...amountRows(bill),
    ["as of", bill.as_of === null ? "no seal yet" : `seal ${bill.as_of.seal_index}, ${bill.made_at}`],
  ]);
  printTable(terminal, [CHAIN_HEADINGS.map(dim), ...bill.lines.map(lineRowOf)]);
  const command = pasteable(`usage ${tenantId} --month ${bill.month} --json -o bill.json`, values);
  terminal.note(`The bill itself, which anybody can verify (bill verify): ${command}`);
}

const HEADINGS = ["tenant", "receipts", "state", "plan", "amount"];
const CHAIN_HEADINGS = ["chain", "receipts", "from", "to", "last head under seal", "id"];

const rowOf = (totals: BillTotals): StyledText[] => [
  totals.tenant.id,
  String(totals.count),
  stateOf(totals),
  totals.plan.name,
  amountOf(totals),
];

const lineRowOf = ({ shard, count, from, to, closing, chain_id }: Bill["lines"][number]): StyledText[] =>
  [shard, count, from, to, closing.seal_index, chain_id].map(String);

const stateOf = ({ status }: Pick<Bill, "status">): StyledText =>
  status === "final" ? green("final") : yellow("open: it counts what is published so far");

const amountOf = ({ amount }: Pick<Bill, "amount">): string =>
  amount === null ? "no price" : formatMoney(amount.total, amount.currency);

/** The base and each tier, where there is a price. */
function amountRows({ amount }: Bill): StyledText[][] {
  if (amount === null) return [["amount", "the plan has no price"]];
  const { currency, base, tiers, total } = amount;
  return [
    ["base", formatMoney(base, currency)],
    ...tiers.map(({ receipts, per_thousand }, i): StyledText[] => [
      `tier ${i + 1}`,
      `${receipts} at ${formatMoney(per_thousand, currency)} a thousand`,
    ]),
    ["amount", bold(formatMoney(total, currency))],
  ];
}

/** RFC 4180. Names of tenants and plans hold no comma and no quote. */
function csvOf(totals: readonly BillTotals[]): string {
  const rows = totals.map(({ tenant, month, status, count, plan, amount }) => [
    tenant.id,
    month,
    status,
    count,
    plan.name,
    amount?.total ?? "",
    amount?.currency ?? "",
  ]);
  return [["tenant", "month", "status", "receipts", "plan", "amount_minor_units", "currency"], ...rows]
    .map((row) => row.join(","))
    .join("\r\n");
}
