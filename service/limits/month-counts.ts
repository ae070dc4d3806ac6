// The receipts of a tenant's month so far, counted as the quota counts them: a Query for each chain, and at most
// log2(receipts of a chain) BatchGetItems for each hundred chains to find where the month begins. A process counts a
// tenant's receipts once in half a minute, however often it is asked.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { monthOf } from "../../evidence/core/formats/month.ts";
import { listChains } from "../ledger/tenant-chains.ts";
import type { Caller } from "../tenants/tenants.ts";
import { type GrowthServices, MAX_REMEMBERED_TENANTS, TenantGrowth } from "./tenant-growth.ts";

const MAX_AGE_MS = 30_000;
/** With nothing left to use, every doubt about where the month begins matters. */
const WITHOUT_DOUBT = 0;

export interface MonthCount {
  /** The receipts whose `issued_at` is in the month of `countedAt`. */
  readonly receipts: number;
  readonly countedAt: Date;
  /** When the next month begins, RFC 3339. */
  readonly endsAt: string;
}

export class MonthCounts {
  readonly #services: GrowthServices;
  readonly #known = new BoundedMap<string, { readonly at: Date; readonly count: Promise<MonthCount> }>(
    MAX_REMEMBERED_TENANTS,
  );

  constructor(services: GrowthServices) {
    this.#services = services;
  }

  /** Throws `ledger_unavailable`, and counts anew when it is asked again. */
  of(caller: Caller): Promise<MonthCount> {
    const now = this.#services.clock();
    const known = this.#known.get(caller.tenantId);
    if (known !== undefined && isFresh(known.at, now)) return known.count;
    const count = this.#count(caller, now);
    this.#known.set(caller.tenantId, { at: now, count });
    count.catch(() => this.#known.delete(caller.tenantId));
    return count;
  }

  async #count(caller: Caller, countedAt: Date): Promise<MonthCount> {
    const growth = new TenantGrowth(this.#services, monthOf(countedAt));
    growth.list(listChains(caller).map(({ chainId }) => chainId));
    await growth.read();
    await growth.narrow(WITHOUT_DOUBT);
    return { receipts: growth.atMost, countedAt, endsAt: growth.month.endsAt };
  }
}

/** A clock that went back says nothing of the count's age, and a count of the month before nothing of this one. */
function isFresh(at: Date, now: Date): boolean {
  const ageMs = now.getTime() - at.getTime();
  return ageMs >= 0 && ageMs < MAX_AGE_MS && monthOf(at).startsAt === monthOf(now).startsAt;
}
