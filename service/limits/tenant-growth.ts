// A process's knowledge of a tenant's growth in a month: its chains' newest leaves, and where the month begins in each.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { Month } from "../../evidence/core/formats/month.ts";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { readEntry } from "../ledger/log.ts";
import { mapInGroups } from "../table/in-groups.ts";
import type { Item } from "../table/item.ts";
import { leafKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { ChainGrowth } from "./chain-growth.ts";
import { SharedRun } from "./shared-run.ts";

/** Tenants whose growth a process remembers. One that is dropped is read again. */
export const MAX_REMEMBERED_TENANTS = 1_000;
/** Chains whose newest leaf is asked for at the same time. */
const READS_AT_ONCE = 64;
/** The beginning of the month is known well enough once the doubt is this part of what is left. */
const DOUBT = 1 / 8;

export interface GrowthServices {
  readonly table: Table;
  readonly clock: () => Date;
  /** Called with a damaged leaf. Its chain is counted by what else is known of it. */
  readonly onFault: (error: unknown) => void;
}

/** A reading of all chains, in milliseconds since the epoch: time for which the process is suspended counts too. */
export interface Reading {
  readonly begunAt: number;
  readonly endedAt: number;
}

export class TenantGrowth {
  readonly month: Month;
  readonly #services: GrowthServices;
  readonly #chains = new Map<string, ChainGrowth>();
  readonly #narrowing: SharedRun;
  /** The number of chains that the tenant is known to have. */
  #listed = 0;
  #reading: Reading | null = null;
  /** The number of times that readings were declared out of date. */
  #forgotten = 0;

  constructor(services: GrowthServices, month: Month) {
    this.#services = services;
    this.month = month;
    this.#narrowing = new SharedRun(() => this.#halveDoubt());
  }

  /** The number of chains that `list` was given. */
  get listed(): number {
    return this.#listed;
  }

  /** At most this many of the receipts that are known to exist are of the month. */
  get atMost(): number {
    return this.#sum(({ atMost }) => atMost);
  }

  /** At least this many receipts are of the month. */
  get atLeast(): number {
    return this.#sum(({ atLeast }) => atLeast);
  }

  /** The newest reading of all chains that still says how far they are at least; null where there is none. */
  get reading(): Reading | null {
    return this.#reading;
  }

  /** From now on these chains are counted, all that the tenant has. */
  list(chainIds: readonly string[]): void {
    this.#listed = chainIds.length;
    for (const chainId of chainIds) this.#chainOf(chainId);
    this.forget();
  }

  /** Takes in a receipt that this process has just written. */
  learn({ chain_id, sequence, issued_at }: ReceiptCore): void {
    this.#chainOf(chain_id).learn(sequence, issued_at >= this.month.startsAt);
  }

  /** Call this where a write may have taken effect without our knowing. */
  forget(): void {
    this.#forgotten += 1;
    this.#reading = null;
  }

  /**
   * Finds out where the month begins, as far as it matters to who may use `quota`: a BatchGetItem for each hundred
   * chains and step, at most log₂ of their sizes, and none that an earlier call made already.
   */
  async narrow(quota: number): Promise<void> {
    while (this.#isInDoubt(quota)) await this.#narrowing.join();
  }

  #chainOf(chainId: string): ChainGrowth {
    const known = this.#chains.get(chainId) ?? new ChainGrowth();
    this.#chains.set(chainId, known);
    return known;
  }

  #isInDoubt(quota: number): boolean {
    const { atMost } = this;
    const doubt = atMost - this.atLeast;
    return doubt > 0 && doubt > (quota - atMost) * DOUBT;
  }

  /** Reads how far all chains are: a Query each. */
  async read(): Promise<void> {
    const { clock, table } = this.#services;
    const [begunAt, forgotten] = [clock().getTime(), this.#forgotten];
    await mapInGroups([...this.#chains], READS_AT_ONCE, async ([chainId, growth]) => {
      const newest = await table.newest(logPartition(chainId));
      if (newest !== null) this.#learnItem(growth, newest);
    });
    if (forgotten === this.#forgotten) this.#reading = { begunAt, endedAt: clock().getTime() };
  }

  async #halveDoubt(): Promise<void> {
    const asked = [...this.#chains].flatMap(([chainId, growth]) =>
      growth.undecided === null
        ? []
        : [{ growth, key: leafKey(chainId, growth.undecided), leafIndex: growth.undecided }],
    );
    const items = await this.#services.table.batchGet(asked.map(({ key }) => key));
    const itemOf = new Map(items.map((item) => [item.pk?.S, item]));
    for (const { growth, key, leafIndex } of asked) {
      const item = itemOf.get(key.pk.S);
      // A leaf that is lost must not stop the tenant's calls: as an older one it is not counted.
      if (item === undefined || !this.#learnItem(growth, item)) growth.learn(leafIndex, false);
    }
  }

  /** Returns false for a leaf that can't be read, or is removed. */
  #learnItem(growth: ChainGrowth, item: Item): boolean {
    try {
      const { leaf, core } = readChainLeaf(readEntry(item));
      growth.learn(leaf.leafIndex, core.issued_at >= this.month.startsAt);
      return true;
    } catch (error) {
      // Retention removes what is months old: it is older than every month that is counted.
      if (isDisclosureError(error, "receipt_removed")) return false;
      if (!isDisclosureError(error, "ledger_corrupt")) throw error;
      this.#services.onFault(error);
      return false;
    }
  }

  #sum(part: (growth: ChainGrowth) => number): number {
    let sum = 0;
    for (const growth of this.#chains.values()) sum += part(growth);
    return sum;
  }
}
