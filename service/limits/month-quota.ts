// The month's quota of a tenant, held against the growth of its chains, without a write of its own.
//
// The use of a month is the number of receipts whose `issued_at` is in it. A process knows it from one reading of the
// chains' newest leaves and from the receipts that it wrote since; it writes no more than is left. How far processes
// together may go beyond the quota:
//
//  1. One process: not at all. What it writes it knows, and calls on their way count until their outcome is known.
//  2. Several processes: by one call for each further process. A process has only a share of what is left on its way at
//     a time. Once so little is left that others could have used it since the reading, each reading serves for one such
//     share: for a single call in the end.
//  3. Beyond that only where others use the rest while this process hangs with more on its way, by that share at most;
//     where more than PROCESSES work at the plan's full rate each; or where a write of unknown outcome takes effect late.
import type { Plan, Plans } from "../../contract/plans.ts";
import { HOUR_MS } from "../../contract/time.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { monthOf } from "../../evidence/core/formats/month.ts";
import type { Appended } from "../ledger/appended.ts";
import { listChains } from "../ledger/tenant-chains.ts";
import type { Caller } from "../tenants/tenants.ts";
import { LimitReached } from "./limit-reached.ts";
import { SharedRun } from "./shared-run.ts";
import { type GrowthServices, MAX_REMEMBERED_TENANTS, TenantGrowth } from "./tenant-growth.ts";

/** The number of processes that may each work at a tenant's full rate without the quota's noticing it late. */
const PROCESSES = 8;
/** A process has this part of what is left on its way at a time, and one call at least. */
const SHARES = 64;
/** Near the limit, calls may use a reading's share for this long at most. */
const MAX_SHARE_AGE_MS = 250;
/** A reading counts for no longer than this, however much is left. */
const MAX_READING_AGE_MS = HOUR_MS;
/** Up to this many chains are read for a single call, if need be. A reading of more chains counts for a while. */
const CHAINS_PER_CALL = 64;
/** That while is so long that a process reads at most this many of a tenant's chains in a second, on average. */
const CHAINS_PER_SECOND = 256;
/** The longest wait for calls on their way; after that the caller is asked to try again. */
const WAIT_BUDGET_MS = 15_000;

export interface MonthQuotaOptions extends GrowthServices {
  readonly plans: Plans;
}

export class MonthQuota {
  readonly #options: MonthQuotaOptions;
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #tenants = new BoundedMap<string, TenantQuota>(MAX_REMEMBERED_TENANTS);

  constructor(options: MonthQuotaOptions) {
    this.#options = options;
    this.#plans = new Map(Object.entries(options.plans));
  }

  /**
   * Runs `write` where the caller's quota has room for its receipt. Throws `quota_exceeded` where it is used up,
   * `ledger_contended` where that can't be told in time, `ledger_unavailable`, `clock_off`, and what `write` throws.
   */
  async hold(caller: Caller, write: () => Promise<Appended>): Promise<Appended> {
    const plan = this.#plans.get(caller.plan);
    if (plan === undefined) return write();
    const known = this.#tenants.get(caller.tenantId) ?? new TenantQuota(this.#options);
    this.#tenants.set(caller.tenantId, known);
    await known.enter(caller, plan);
    try {
      const appended = await write();
      known.learn(appended);
      return appended;
    } catch (error) {
      // A conflict of keys says that nothing was written; any other failure may not.
      if (!isDisclosureError(error, "idempotency_conflict")) known.forget();
      throw error;
    } finally {
      known.leave();
    }
  }
}

class TenantQuota {
  readonly #services: GrowthServices;
  #growth: TenantGrowth;
  /** Calls that were let through, of whatever month; the outcome of some is not known yet. */
  #entered = 0;
  #known = 0;
  /** This many outcomes were known when the newest reading began. It may not show calls whose outcome came later. */
  #shown = 0;
  /** Settles when the next outcome is known. */
  #nextOutcome = Promise.withResolvers<void>();
  readonly #reader = new SharedRun(() => this.#read());

  constructor(services: GrowthServices) {
    this.#services = services;
    this.#growth = new TenantGrowth(services, monthOf(services.clock()));
  }

  get #onTheWay(): number {
    return this.#entered - this.#known;
  }

  /** Waits for room for one call; each that entered must leave. */
  async enter(caller: Caller, plan: Plan): Promise<void> {
    const deadline = performance.now() + WAIT_BUDGET_MS;
    while (!(await this.#takePlace(caller, plan))) {
      if (performance.now() > deadline) {
        throw new DisclosureError("ledger_contended", "the calls before this one took too long");
      }
      // Calls on their way may turn out to be repeats, or fail, and leave their room to this call.
      if (this.#onTheWay > 0) await this.#nextOutcome.promise;
    }
  }

  learn({ receipt }: Appended): void {
    this.#growth.learn(receipt.core);
  }

  forget(): void {
    this.#growth.forget();
  }

  leave(): void {
    this.#known += 1;
    const { resolve } = this.#nextOutcome;
    this.#nextOutcome = Promise.withResolvers();
    resolve();
  }

  /** False where the call has to wait for one that is on its way, or for another reading. */
  async #takePlace(caller: Caller, plan: Plan): Promise<boolean> {
    const { monthlyQuota } = plan;
    const growth = this.#growthOf(caller);
    // Asked before any reading, which would be wasted on calls that wait.
    if (this.#onTheWay >= shareOf(monthlyQuota - growth.atMost)) return false;
    await this.#bringUpToDate(growth, plan);
    const left = monthlyQuota - growth.atMost;
    if (left <= 0 && this.#onTheWay === 0) {
      throw quotaExceeded(monthlyQuota, this.#services.clock(), growth.month.endsAt);
    }
    if (left <= 0 || this.#onTheWay >= shareOf(left) || !this.#isUpToDate(growth, plan)) return false;
    this.#entered += 1;
    return true;
  }

  /** The growth in the current month. That of another month is forgotten. */
  #growthOf(caller: Caller): TenantGrowth {
    const month = monthOf(this.#services.clock());
    if (month.startsAt !== this.#growth.month.startsAt)
      this.#growth = new TenantGrowth(this.#services, month);
    // A tenant's chains become more, never fewer; another process may know of fewer for half a minute.
    if (this.#growth.listed < caller.chains) {
      this.#growth.list(listChains(caller).map(({ chainId }) => chainId));
    }
    return this.#growth;
  }

  /** Reads what must be known before the next call, and nothing where the quota is used up: chains never shrink. */
  async #bringUpToDate(growth: TenantGrowth, plan: Plan): Promise<void> {
    await growth.narrow(plan.monthlyQuota);
    if (growth.atLeast >= plan.monthlyQuota || this.#isUpToDate(growth, plan)) return;
    await this.#reader.join();
    await growth.narrow(plan.monthlyQuota);
  }

  async #read(): Promise<void> {
    const known = this.#known;
    await this.#growth.read();
    this.#shown = known;
  }

  #isUpToDate(growth: TenantGrowth, plan: Plan): boolean {
    const { reading } = growth;
    if (reading === null) return false;
    const left = plan.monthlyQuota - growth.atMost;
    const now = this.#services.clock().getTime();
    // A clock that went back says nothing of the reading's age.
    if (now < reading.begunAt) return false;
    if (now - reading.begunAt < readingLifeMs(plan, left, growth.listed)) return true;
    return this.#entered - this.#shown < shareOf(left) && now - reading.endedAt < MAX_SHARE_AGE_MS;
  }
}

function quotaExceeded(quota: number, now: Date, endsAt: string): LimitReached {
  const message = `the plan's quota of ${quota} attestations a month is used up; the next month begins at ${endsAt}`;
  return new LimitReached("quota_exceeded", message, "monthly_quota", now, new Date(endsAt));
}

const shareOf = (left: number): number => Math.max(1, Math.floor(left / SHARES));

/** A reading counts for this long: PROCESSES at full rate can't have used up what was left, so 0 near the limit. */
function readingLifeMs({ rate, burst }: Plan, left: number, chains: number): number {
  const spare = Math.max(0, left - PROCESSES * burst);
  const untilUsedMs = (spare / (PROCESSES * rate)) * 1_000;
  const leastMs = chains > CHAINS_PER_CALL ? (chains / CHAINS_PER_SECOND) * 1_000 : 0;
  return Math.min(MAX_READING_AGE_MS, Math.max(untilUsedMs, leastMs));
}
