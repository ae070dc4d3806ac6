// The bill of a tenant's month, out of the table: what is counted is what the ledger proves, and nothing is kept beside it.
import { MIN_RETENTION_MONTHS } from "../../contract/limits.ts";
import type { Plan } from "../../contract/plans.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { BILL_FORMAT_VERSION, type Bill, type BillLine } from "../../evidence/core/formats/bill.ts";
import { amountOf } from "../../evidence/core/formats/bill-amount.ts";
import { type Month, monthOf } from "../../evidence/core/formats/month.ts";
import { fingerprintOf } from "../../evidence/core/formats/tenant-anchor.ts";
import type { Table } from "../table/table.ts";
import { readLines } from "./bill-lines.ts";
import { type BilledTenant, readBilledTenant, requireBillable } from "./billed-tenant.ts";
import { type MonthExtent, readMonthExtent } from "./month-extent.ts";

/** Lines of a page, some 16 KB each: an answer of a Lambda function has at most 6 MB. */
export const MAX_PAGE_LINES = 128;

export interface BillServices {
  readonly table: Table;
  /** The plans by name; one that is not among them has no price. */
  readonly plans: ReadonlyMap<string, Pick<Plan, "price">>;
}

/** All that a bill says without its lines. */
export type BillTotals = Omit<Bill, "lines" | "next_shard">;

/**
 * A bill of the lines from `fromShard` on, one page of them. Throws `not_found`, `invalid_request`, `ledger_corrupt` and,
 * for a month whose receipts retention may have removed, `receipt_removed`.
 */
export async function buildBillPage(
  services: BillServices,
  tenantId: string,
  month: Month,
  fromShard: number,
): Promise<Bill> {
  const { tenant, extent } = await readExtent(services, tenantId, month);
  const chains = extent.chains.filter(({ shard }) => shard >= fromShard);
  const lines = await readLinesOf(services, extent, month, chains.slice(0, MAX_PAGE_LINES));
  const next_shard = chains[MAX_PAGE_LINES]?.shard ?? null;
  return formatBill(totalsOf(services, tenant, month, extent), lines, next_shard);
}

/** The whole bill, whose lines are read page by page. Throws the same. */
export async function buildWholeBill(services: BillServices, tenantId: string, month: Month): Promise<Bill> {
  const { tenant, extent } = await readExtent(services, tenantId, month);
  const lines: BillLine[] = [];
  for (let start = 0; start < extent.chains.length; start += MAX_PAGE_LINES) {
    const chains = extent.chains.slice(start, start + MAX_PAGE_LINES);
    lines.push(...(await readLinesOf(services, extent, month, chains)));
  }
  return formatBill(totalsOf(services, tenant, month, extent), lines, null);
}

/** Counts and prices a month without proving it. Throws the same. */
export async function readTotals(
  services: BillServices,
  tenantId: string,
  month: Month,
): Promise<BillTotals> {
  const { tenant, extent } = await readExtent(services, tenantId, month);
  return totalsOf(services, tenant, month, extent);
}

async function readExtent(
  { table }: BillServices,
  tenantId: string,
  month: Month,
): Promise<{ tenant: BilledTenant; extent: MonthExtent }> {
  const tenant = await readBilledTenant(table, tenantId);
  requireBillable(month, tenant, table.clock());
  const extent = await readMonthExtent(table, tenant, month);
  requireNothingRemoved(extent, month);
  return { tenant, extent };
}

const readLinesOf = (
  { table }: BillServices,
  { asOf }: MonthExtent,
  month: Month,
  chains: MonthExtent["chains"],
): Promise<BillLine[]> => readLines(table, chains, month, asOf?.tree_size ?? 0);

/** Throws `receipt_removed` where receipts of the month itself may be among those that retention removed. */
function requireNothingRemoved({ chains, madeAt }: MonthExtent, month: Month): void {
  const now = new Date(monthOf(madeAt).startsAt);
  const kept = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MIN_RETENTION_MONTHS));
  if (month.startsAt >= kept.toISOString()) return;
  if (!chains.some(({ isBeforeRemoved }) => isBeforeRemoved)) return;
  const message = `receipts of ${month.name} may have been removed; only its stored bill says how many there were`;
  throw new DisclosureError("receipt_removed", message);
}

function totalsOf(
  { plans }: BillServices,
  { tenantId, tenantAnchor, chains, plan }: BilledTenant,
  month: Month,
  { madeAt, asOf, count, isFinal }: MonthExtent,
): BillTotals {
  const price = plans.get(plan)?.price ?? null;
  return {
    bill_format_version: BILL_FORMAT_VERSION,
    tenant: { id: tenantId, fingerprint: fingerprintOf(tenantAnchor) },
    month: month.name,
    status: isFinal ? "final" : "open",
    made_at: madeAt.toISOString(),
    as_of: asOf && { seal_index: asOf.index, merkle_root: asOf.merkle_root, tree_size: asOf.tree_size },
    chains,
    count,
    plan: { name: plan, price },
    amount: price && amountOf(price, count),
  };
}

/** The members in the order of the format. */
function formatBill(totals: BillTotals, lines: BillLine[], next_shard: number | null): Bill {
  const { count, plan, amount, ...heading } = totals;
  return { ...heading, lines, next_shard, count, plan, amount };
}
