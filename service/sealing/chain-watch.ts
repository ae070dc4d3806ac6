// Looks at the chains themselves: whether the metachain has all of them. The markers by which news is found, the sealer's
// progress and a chain's span are items that somebody who writes the table can delete or set ahead; a leaf shows.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { Log, type LogEntry } from "../ledger/log.ts";
import type { Macs } from "../ledger/macs.ts";
import { isSameSpan, readNewestSpan, type Span } from "../seals/span.ts";
import { mapInGroups } from "../table/in-groups.ts";
import type { Table } from "../table/table.ts";
import { readChainWindow } from "../tenants/chain-window.ts";
import { requireEntry, requireNewest } from "./chain-continuity.ts";
import { asDamage, type Damage } from "./damaged-chains.ts";
import type { KnownHeads } from "./known-heads.ts";
import type { PublishedEntries } from "./published-entries.ts";

/** The chains that a run looks at. Where there are more, it takes so many each minute some runs to look at all. */
export const MAX_WATCHED_CHAINS = 500;
/** Chains that are looked at at the same time. */
const LOOKS_AT_ONCE = 32;
/** Chains whose newest span was compared with its entry; some 200 bytes each. */
const MAX_COMPARED = 100_000;

export interface ChainWatchOptions {
  readonly table: Table;
  /** Those that the runs of this process have proven. */
  readonly heads: Pick<KnownHeads, "sealed" | "forget">;
  /** What the runs of this process have read of them. */
  readonly publishedEntries: PublishedEntries;
  /** Checks the code of a receipt that says it is of a time still to come: anybody can say that. */
  readonly macs: Pick<Macs, "verifyReceipt">;
  /** Called for a tenant whose chains could not be looked at, because its item is damaged. */
  readonly onDamagedTenant: (error: unknown) => void;
  readonly random?: () => number;
}

/** What a look found. */
export interface Look {
  /** The chains that the metachain does not have as they are. */
  readonly due: readonly string[];
  /** The chains whose newest span leads to an entry of something else. */
  readonly damages: readonly Damage[];
}

export class ChainWatch {
  readonly #options: Required<ChainWatchOptions>;
  /** The newest span of a chain that was compared with its entry, by the chain's id. */
  readonly #compared = new BoundedMap<string, Span>(MAX_COMPARED);
  #waiting = new Set<string>();

  constructor(options: ChainWatchOptions) {
    this.#options = { random: () => Math.random(), ...options };
  }

  /** A leaf each, the entry of a span that this process sees for the first time, and the tenants. */
  async look(): Promise<Look> {
    const { table, random, onDamagedTenant } = this.#options;
    const window = { limit: MAX_WATCHED_CHAINS, random, onDamaged: onDamagedTenant };
    const chainIds = await readChainWindow(table, window);
    const states = await mapInGroups(chainIds, LOOKS_AT_ONCE, async (chainId) => this.#lookAt(chainId));
    const due = chainIds.filter((_, i) => states[i] === "due");
    this.#waiting = new Set(due);
    return { due, damages: states.filter((state) => typeof state === "object") };
  }

  /** These were visited, and a seal covers what was appended of them. */
  sealed(chainIds: Iterable<string>): void {
    for (const chainId of chainIds) this.#waiting.delete(chainId);
  }

  /** When the oldest receipt was issued that the last look found and no run has sealed since; null where there is none. */
  async oldestWaiting(): Promise<Date | null> {
    const found = await mapInGroups([...this.#waiting], LOOKS_AT_ONCE, (id) => this.#firstUnsealed(id));
    const [oldest] = found.filter((issuedAt) => issuedAt !== null).sort();
    return oldest === undefined ? null : new Date(oldest);
  }

  async #lookAt(chainId: string): Promise<"whole" | "due" | Damage> {
    const { table, heads, publishedEntries } = this.#options;
    try {
      // The span is read first: a run that seals the chain meanwhile makes it longer, never shorter.
      const known = heads.sealed(chainId)?.span ?? (await readNewestSpan(table, chainId));
      const log = new Log(table, chainId);
      const newest = await log.newest();
      const size = (newest?.leaf.leafIndex ?? -1) + 1;
      const span = await this.#newestSpan(chainId, known, size);
      requireNewest(publishedEntries, chainId, span);
      const sealed = span?.treeSize ?? 0;
      if (size < sealed) return "due";
      if (newest !== null && size > sealed)
        return (await this.#isAhead(log, newest, sealed)) ? "whole" : "due";
      if (newest === null || span === null) return "whole";
      const compared = this.#compared.get(chainId);
      if (compared !== undefined && isSameSpan(compared, span)) return "whole";
      await requireEntry(this.#options, { chainId, span, root: rootAt(newest.leaf) });
      this.#compared.set(chainId, span);
      return "whole";
    } catch (error) {
      // Once the chain is repaired, it is judged by what the table has of it.
      heads.forget(chainId);
      return asDamage(chainId, error);
    }
  }

  /** Another process may have sealed a chain that has grown since this one knew its span. */
  async #newestSpan(chainId: string, known: Span | null, size: number): Promise<Span | null> {
    const { table, heads, publishedEntries } = this.#options;
    const place = publishedEntries.known(chainId)?.place ?? -1;
    const isGrown = heads.sealed(chainId) !== undefined && size > (known?.treeSize ?? 0);
    return isGrown || place > (known?.leafIndex ?? -1) ? readNewestSpan(table, chainId) : known;
  }

  /** A receipt of a time still to come is sealed when that has come, unless there is an unsealed one before it. */
  async #isAhead(log: Log, newest: LogEntry, sealed: number): Promise<boolean> {
    const latest = this.#options.table.clock().getTime() + MAX_CLOCK_DIFFERENCE_MS;
    const isAhead = (entry: LogEntry) => Date.parse(readChainLeaf(entry).core.issued_at) > latest;
    if (!isAhead(newest)) return false;
    await this.#options.macs.verifyReceipt(readChainLeaf(newest));
    const first = await log.entry(sealed);
    return first !== null && isAhead(first);
  }

  /** Read anew, for another run may have sealed it. A chain that can't be read is set aside, and has an alarm of its own. */
  async #firstUnsealed(chainId: string): Promise<string | null> {
    const { table } = this.#options;
    try {
      const span = await readNewestSpan(table, chainId);
      const first = await new Log(table, chainId).entry(span?.treeSize ?? 0);
      return first === null ? null : readChainLeaf(first).core.issued_at;
    } catch (error) {
      if (isDisclosureError(error, "ledger_corrupt")) return null;
      throw error;
    }
  }
}
