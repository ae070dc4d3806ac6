// The non-blocking mode: disclosures go to a bounded queue on disk and from there to the service, each conversation's
// in order. Putting one in neither waits nor fails, and whatever can't be sent is handed over.
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { AttestationRequest } from "../../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import type { AttestOptions, DisclosureClient } from "../disclosure-client.ts";
import { ClientError, isClientError } from "../errors.ts";
import { invalidOption } from "../options.ts";
import { readIdempotencyKey, readRequest } from "../request.ts";
import { requireSqlite } from "./folder-lock.ts";
import { Lanes } from "./lanes.ts";
import { QueuePause } from "./pause.ts";
import {
  QueueCallbacks,
  type QueuedDisclosure,
  type QueueLimits,
  type QueueOptions,
  readQueueLimits,
} from "./queue-options.ts";
import { type Place, QueueStore } from "./queue-store.ts";

/** The part of the client that the queue uses. */
export type QueueClient = Pick<DisclosureClient, "attest">;

export interface AddOptions extends Pick<AttestOptions, "idempotencyKey"> {
  /** Gets the receipt of this disclosure, in this process alone: after a crash the queue's own `onReceipt` gets it. */
  readonly onReceipt?: (receipt: ComplianceReceipt) => void | Promise<void>;
}

interface QueueEntry {
  readonly disclosure: QueuedDisclosure;
  readonly bytes: number;
  readonly place: Promise<Place>;
  readonly onReceipt?: AddOptions["onReceipt"] | undefined;
}

/** `kept`: the handover failed, so it stays on disk for the next process. */
type SendOutcome = "gone" | "kept" | "waits";

const DEFAULT_TIMEOUT_MS = 5_000;
/** An Idempotency-Key is good for 24 hours; after that, a try could record the disclosure a second time. */
const MAX_AGE_MS = 23 * 3_600_000;
/** The time that callbacks may take at the end. */
const SETTLE_MS = 1_000;
/** A timer for longer, or for ever, would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** An API key that is revoked or not yet known gets replaced; that says nothing about the disclosure. */
const KEY_REFUSED: readonly unknown[] = [401, 403];

export class DurableQueue {
  readonly #client: QueueClient;
  readonly #callbacks: QueueCallbacks;
  readonly #limits: QueueLimits;
  readonly #store: Promise<QueueStore>;
  readonly #lanes = new Lanes<QueueEntry>();
  readonly #pause = new QueuePause(() => this.#pump());
  readonly #stop = new AbortController();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  /** True once the disclosures of an earlier process are read. */
  #isOpen = false;
  #entries = 0;
  #bytes = 0;
  #running = 0;
  /** On disk, and the owner's function failed to take them. */
  readonly #kept: QueuedDisclosure[] = [];
  #closing: Promise<QueuedDisclosure[]> | null = null;

  /** Continues with what an earlier process left. Throws `invalid_options`; a bad disk is reported to `onProblem`. */
  constructor(client: QueueClient, options: QueueOptions) {
    requireSqlite();
    if (typeof client?.attest !== "function") throw invalidOption("client", "must be a DisclosureClient");
    this.#client = client;
    this.#limits = readQueueLimits(options);
    this.#callbacks = new QueueCallbacks(options);
    const { folder, shared = false } = options;
    this.#store = QueueStore.open(folder, shared, this.#callbacks.problem).then((store) =>
      this.#takeUp(store),
    );
  }

  /** The number of disclosures that wait or are on their way; once they are read, an earlier process's too. */
  get size(): number {
    return this.#entries;
  }

  /**
   * Puts a disclosure in and returns at once; never throws. Resolves, and never rejects: true once the disclosure is
   * safe on disk, false where it is in memory alone or was handed over. It is sent with the present time as its
   * `disclosed_at`, unless it has one, or a key of the caller's: whoever adds it again under that key must add the same.
   */
  add(request: AttestationRequest, options: AddOptions = {}): Promise<boolean> {
    const { idempotencyKey = randomUUID(), onReceipt } = options;
    const addedAt = new Date().toISOString();
    const disclosure = { request, idempotencyKey, addedAt };
    const defaults = options.idempotencyKey === undefined ? { disclosed_at: addedAt } : {};
    try {
      return this.#admit(disclosure, defaults, onReceipt).then((place) => place !== null);
    } catch (error) {
      void this.#callbacks.handover(disclosure, asClientError(error));
      return Promise.resolve(false);
    }
  }

  /** Resolves true once nothing waits any more, false where that takes longer. Never rejects. */
  flush(timeoutMs: number = DEFAULT_TIMEOUT_MS): Promise<boolean> {
    return this.#until(() => this.#isOpen && this.#entries === 0, timeoutMs);
  }

  /**
   * Takes no more, sends what it can in time, and gives the folder free. Resolves with what remains on disk, for the
   * next process to send; what is in memory alone is handed over. Never rejects.
   */
  close(timeoutMs: number = DEFAULT_TIMEOUT_MS): Promise<QueuedDisclosure[]> {
    this.#closing ??= this.#close(timeoutMs);
    return this.#closing;
  }

  /** Throws the reason for which the disclosure is refused. */
  #admit(
    disclosure: QueuedDisclosure,
    defaults: Pick<AttestationRequest, "disclosed_at">,
    onReceipt: AddOptions["onReceipt"],
  ): Promise<Place> {
    // It is fixed here and kept on disk: each try sends the same bytes under the same key.
    const request = { ...defaults, ...readRequest(disclosure.request) };
    readIdempotencyKey(disclosure.idempotencyKey);
    const text = JSON.stringify({ ...disclosure, request });
    if (this.#closing !== null) throw new ClientError("queue_closed", "the queue takes no more");
    const { maxEntries, maxBytes } = this.#limits;
    if (this.#entries >= maxEntries || this.#bytes + text.length > maxBytes)
      throw new ClientError("queue_full", `${this.#entries} disclosures wait already`);
    const bytes = this.#count(text.length);
    const place = this.#store.then((store) => {
      this.#enter({ disclosure: { ...disclosure, request }, bytes, place, onReceipt });
      return store.put(text);
    });
    return place;
  }

  #takeUp(store: QueueStore): QueueStore {
    for (const { disclosure, place, text } of store.found)
      this.#enter({ disclosure, bytes: this.#count(text.length), place: Promise.resolve(place) });
    this.#isOpen = true;
    this.#changes.emit("change");
    return store;
  }

  #count(bytes: number): number {
    this.#entries++;
    this.#bytes += bytes;
    return bytes;
  }

  #enter(entry: QueueEntry): void {
    this.#lanes.add(entry.disclosure.request.interaction_id, entry);
    this.#pump();
  }

  /** While the service fails, one disclosure at a time finds out whether it is back. */
  #pump(): void {
    const limit = this.#pause.isTroubled ? 1 : this.#limits.concurrency;
    while (!this.#pause.isOn && !this.#stop.signal.aborted && this.#running < limit) {
      const next = this.#lanes.next();
      if (next === null) return;
      void this.#send(next.lane, next.member);
    }
  }

  async #send(lane: string, entry: QueueEntry): Promise<void> {
    this.#running++;
    // On disk first: what was sent and is not there could be sent again under another key.
    const [store, place] = [await this.#store, await entry.place];
    const outcome = await this.#deliver(entry);
    this.#running--;
    if (outcome === "waits") this.#lanes.again(lane);
    else {
      this.#lanes.done(lane);
      this.#entries--;
      this.#bytes -= entry.bytes;
    }
    // A crash before this is on disk sends it again, and its key finds the receipt.
    if (outcome === "gone") store.take(place);
    if (outcome === "kept" && place !== null) this.#kept.push(entry.disclosure);
    this.#changes.emit("change");
    this.#pump();
  }

  async #deliver({ disclosure, onReceipt }: QueueEntry): Promise<SendOutcome> {
    const { request, idempotencyKey, addedAt } = disclosure;
    try {
      if (Date.now() - Date.parse(addedAt) > MAX_AGE_MS) throw expired(addedAt);
      const receipt = await this.#client.attest(request, { idempotencyKey, signal: this.#stop.signal });
      this.#pause.succeed();
      await this.#callbacks.receipt(receipt, disclosure, onReceipt);
      return "gone";
    } catch (error) {
      if (this.#stop.signal.aborted) return "waits";
      return this.#judge(disclosure, asClientError(error));
    }
  }

  async #judge(disclosure: QueuedDisclosure, error: ClientError): Promise<SendOutcome> {
    if (error.code === "undeliverable" || KEY_REFUSED.includes(error.status)) {
      this.#pause.start(error.retryAfterMs);
      this.#callbacks.problem(error);
      return "waits";
    }
    this.#pause.succeed();
    return (await this.#callbacks.handover(disclosure, error)) ? "gone" : "kept";
  }

  async #close(timeoutMs: number): Promise<QueuedDisclosure[]> {
    await this.flush(timeoutMs);
    this.#stop.abort();
    await this.#until(() => this.#running === 0, SETTLE_MS);
    const store = await this.#store;
    const left = [...this.#kept];
    for (const { disclosure, place } of this.#lanes.members()) {
      if ((await place) !== null) left.push(disclosure);
      else
        await this.#callbacks.handover(disclosure, new ClientError("queue_closed", "it was in memory alone"));
    }
    await store.close();
    return left;
  }

  async #until(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), Math.min(timeoutMs, MAX_TIMER_MS));
    try {
      while (!isSo()) await once(this.#changes, "change", { signal: deadline.signal });
      return true;
    } catch {
      return isSo();
    } finally {
      clearTimeout(timer);
    }
  }
}

/** An unforeseen error must not lose a disclosure: it waits, until it is handed over for its age. */
const asClientError = (error: unknown): ClientError =>
  isClientError(error) ? error : new ClientError("undeliverable", "the client failed", { cause: error });

const expired = (addedAt: string): ClientError =>
  new ClientError(
    "queue_expired",
    `waiting since ${addedAt}; it may be recorded, and a new try could record it twice`,
  );
