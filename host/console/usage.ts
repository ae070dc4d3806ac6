// Reads what the tenants use: the month's receipts beside their quota, as the quota itself counts them, and a month by days.
import type { ConsoleDays, ConsoleTenants } from "../../contract/console.ts";
import type { Plans } from "../../contract/plans.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { monthOf } from "../../evidence/core/formats/month.ts";
import { MonthCounts } from "../../service/limits/month-counts.ts";
import { mapInGroups } from "../../service/table/in-groups.ts";
import type { Table } from "../../service/table/table.ts";
import type { KnownTenant } from "../../service/tenants/tenant-registry.ts";
import { findPlaces, readSizes, type SizedChain } from "./chain-search.ts";
import { asCaller, type Directory } from "./directory.ts";

/** Tenants whose use one answer counts. */
const MAX_TENANTS = 200;
const COUNTED_AT_ONCE = 4;
/** A tenant of more chains is not counted by day: each day would be searched for in each chain. */
const MAX_DAY_CHAINS = 128;
/** Beginnings of days in chains, which never change once an hour has passed since: later receipts are of a later time. */
const REMEMBERED_DAYS = 20_000;
const SETTLED_AFTER_MS = HOUR_MS;
const DAY_LENGTH = "2026-11-22".length;

export interface UsageServices {
  readonly table: Table;
  readonly directory: Directory;
  readonly plans: Plans;
  readonly clock: () => Date;
  /** Called with a damaged leaf, which is counted by what else is known of its chain. */
  readonly onFault: (error: unknown) => void;
}

export class Usage {
  readonly #services: UsageServices;
  readonly #counts: MonthCounts;
  readonly #dayStarts = new BoundedMap<string, number>(REMEMBERED_DAYS);

  constructor(services: UsageServices) {
    this.#services = services;
    this.#counts = new MonthCounts(services);
  }

  async list(): Promise<ConsoleTenants> {
    const { directory, plans, clock } = this.#services;
    const all = await directory.tenants();
    const shown = all.slice(0, MAX_TENANTS);
    const tenants = await mapInGroups(shown, COUNTED_AT_ONCE, async (tenant) => ({
      id: tenant.tenantId,
      plan: tenant.plan,
      is_suspended: tenant.suspendedAt !== null,
      chains: tenant.chains,
      receipts: (await this.#counts.of(asCaller(tenant))).receipts,
      quota: plans[tenant.plan]?.monthlyQuota ?? null,
    }));
    return { month: monthOf(clock()).name, tenants, left_out: all.length - shown.length };
  }

  /** The receipts of each day of the month so far. */
  async byDay(tenant: KnownTenant): Promise<ConsoleDays> {
    const { table, directory, clock } = this.#services;
    if (tenant.chains > MAX_DAY_CHAINS) return { tenant: tenant.tenantId, days: null };
    const chains = await readSizes(table, await directory.chains(tenant.tenantId));
    const starts = startsOfDays(clock());
    const places = await Promise.all(starts.map((start) => this.#countBefore(chains, start)));
    const end = chains.reduce((sum, { size }) => sum + size, 0);
    const days = starts.map((start, i) => ({
      day: start.slice(0, DAY_LENGTH),
      receipts: (places[i + 1] ?? end) - (places[i] ?? 0),
    }));
    return { tenant: tenant.tenantId, days };
  }

  /** The receipts of these chains that are older than `instant`. */
  async #countBefore(chains: readonly SizedChain[], instant: string): Promise<number> {
    const nameOf = ({ chain }: SizedChain): string => `${chain.chainId} ${instant}`;
    const unknown = chains.filter((chain) => !this.#dayStarts.has(nameOf(chain)));
    const isBefore = ({ issued_at }: { readonly issued_at: string }): boolean => issued_at < instant;
    const found = await findPlaces(
      this.#services.table,
      unknown.map((chain) => ({ ...chain, isBefore })),
    );
    const places = new Map(unknown.map((chain, i) => [nameOf(chain), found[i] ?? 0]));
    const sum = chains.reduce((total, chain) => {
      const name = nameOf(chain);
      return total + (places.get(name) ?? this.#dayStarts.get(name) ?? 0);
    }, 0);
    const isSettled = this.#services.clock().getTime() - Date.parse(instant) > SETTLED_AFTER_MS;
    if (isSettled) for (const [name, place] of places) this.#dayStarts.set(name, place);
    return sum;
  }
}

/** The beginnings of the days of the month up to today, RFC 3339. */
function startsOfDays(now: Date): string[] {
  const starts: string[] = [];
  const { startsAt } = monthOf(now);
  for (let day = Date.parse(startsAt); day <= now.getTime(); day += DAY_MS)
    starts.push(new Date(day).toISOString());
  return starts;
}
