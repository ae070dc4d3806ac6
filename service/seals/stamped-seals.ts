// The newest published seal with a token, as a process remembers it. Receipts commit to it: a token can't be known before
// its authority made it, so a receipt that names one is younger than the token.
import type { Meter } from "../../contract/metric-names.ts";
import { hashSeal, type Seal, timestampsOf } from "../../evidence/core/formats/metachain.ts";
import { type DatedSeal, newerOf, type StampedSealMemory } from "../ledger/stamped-seal.ts";
import type { Table } from "../table/table.ts";
import type { ReadTokenTime } from "../timestamps/ports.ts";
import type { SealRecord } from "./seal-item.ts";
import { SealRecords } from "./seal-records.ts";

/** For this long a process takes the seal that it read for the newest. The older it is, the wider the time that is left open. */
const REMEMBER_MS = 30_000;
/**
 * A lookup that failed or found none is not repeated sooner: a table that is in trouble must not be asked by every call,
 * and before its first seal a deployment must not wait long to name it.
 */
const RETRY_MS = 5_000;
/** The longest that attestations wait for a lookup, which goes on without them. */
const WAIT_MS = 500;
/** The newest seal may still be waiting to be published; the one before it is published. */
const USUALLY_ENOUGH = 2;
/** After an outage of all authorities, the newest seals have no token of their own. */
const LOOK_BACK = 8;

export interface StampedSealsOptions {
  readonly table: Table;
  readonly readTokenTime: ReadTokenTime;
  /** Called where a lookup failed: attestations go on with what is remembered. */
  readonly onFault: (error: unknown) => void;
  readonly meter: Meter;
  /** Milliseconds. Default `WAIT_MS`. */
  readonly waitMs?: number;
}

/** All appenders of a process share one. */
export class StampedSeals implements StampedSealMemory {
  readonly #seals: SealRecords;
  readonly #readTokenTime: ReadTokenTime;
  readonly #onFault: (error: unknown) => void;
  readonly #meter: Meter;
  readonly #waitMs: number;
  #newest: DatedSeal | null = null;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor({ table, readTokenTime, onFault, meter, waitMs = WAIT_MS }: StampedSealsOptions) {
    this.#seals = new SealRecords(table);
    this.#readTokenTime = readTokenTime;
    this.#onFault = onFault;
    this.#meter = meter;
    this.#waitMs = waitMs;
  }

  /** The newest that is remembered; null where none was found yet. */
  get newest(): DatedSeal | null {
    return this.#newest;
  }

  /** Reads it again where it was read long ago. Never throws, and never waits for longer than `waitMs`. */
  async refresh(): Promise<void> {
    if (performance.now() < this.#freshUntil) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    // One batch waits, and not each one that comes while the table hangs.
    if (!(await isWithin(this.#waitMs, this.#reading))) this.#freshUntil = performance.now() + RETRY_MS;
  }

  async #read(): Promise<void> {
    try {
      this.#newest = newerOf(this.#newest, await this.#find());
      this.#freshUntil = performance.now() + (this.#newest === null ? RETRY_MS : REMEMBER_MS);
    } catch (error) {
      this.#freshUntil = performance.now() + RETRY_MS;
      this.#meter("stampedSealFailures", 1);
      this.#onFault(error);
    }
  }

  async #find(): Promise<DatedSeal | null> {
    const newest = await this.#seals.newestFirst(USUALLY_ENOUGH);
    const found = firstStamped(newest);
    if (found !== null || newest.length < USUALLY_ENOUGH) return this.#date(found);
    return this.#date(firstStamped(await this.#seals.newestFirst(LOOK_BACK)));
  }

  async #date(seal: Seal | null): Promise<DatedSeal | null> {
    if (seal === null) return null;
    const tokens = timestampsOf(seal).flatMap(({ timestamp_token }) => timestamp_token ?? []);
    const times = await Promise.all(tokens.map(this.#readTokenTime));
    return {
      recordedAfter: { seal_index: seal.index, seal_hash: hashSeal(seal) },
      fromSize: seal.previous_tree_size,
      earliestMs: Math.min(Date.parse(seal.sealed_at), ...times),
      latestTokenMs: Math.max(...times),
    };
  }
}

/** Null where none is published with a token: later tokens are no part of a seal. */
const firstStamped = (records: readonly SealRecord[]): Seal | null =>
  records
    .filter(({ isPublished }) => isPublished)
    .flatMap(({ final }) => final?.seal ?? [])
    .find(hasToken) ?? null;

const hasToken = ({ tsa_timestamp }: Seal): boolean => tsa_timestamp.status === "included";

/** Waits for a promise that does not reject, and not for longer than this; false where that was not enough. */
async function isWithin(milliseconds: number, promise: Promise<void>): Promise<boolean> {
  const end = Promise.withResolvers<boolean>();
  const timer = setTimeout(end.resolve, milliseconds, false);
  const isDone = await Promise.race([promise.then(() => true), end.promise]);
  clearTimeout(timer);
  return isDone;
}
