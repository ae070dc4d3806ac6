// The processes of the service, and which of them serves a call.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { indexIn, type Random } from "./random.ts";
import { addTotals, type LoadRow, noTotals, type Totals, WEB_CONCURRENCY } from "./row.ts";
import type { CallOutcome, FromWorker, Opening, ToWorker } from "./worker.ts";

/** Functions' environments lie in as many processes as this machine has cores for. */
const FUNCTION_WORKERS = 2;
/** The most processes that a row has. */
export const WORKERS = 4;

interface Waiting {
  readonly outcome: PromiseWithResolvers<CallOutcome>;
  readonly slot: Slot;
}

/** An environment that can serve so many calls at once, in a worker. */
interface Slot {
  readonly number: number;
  readonly worker: ChildProcess;
  free: number;
}

/** The worker processes of all rows. */
export async function startWorkers(): Promise<ChildProcess[]> {
  const program = new URL("./worker.ts", import.meta.url);
  const workers = Array.from({ length: WORKERS }, () => fork(program));
  await Promise.all(workers.map((worker) => once(worker, "message")));
  return workers;
}

export interface Finished {
  readonly totals: Totals;
  readonly environments: number;
  /** The busiest worker's share. */
  readonly busy: number;
}

/** The environments of one row. */
export class Fleet {
  readonly #workers: readonly ChildProcess[];
  readonly #row: LoadRow;
  readonly #random: Random;
  readonly #slots: Slot[] = [];
  readonly #waiting = new Map<number, Waiting>();
  readonly #queue: (() => void)[] = [];
  #lastId = 0;

  constructor(workers: readonly ChildProcess[], row: LoadRow, opening: Opening, random: Random) {
    this.#row = row;
    this.#random = random;
    this.#workers = workers.slice(0, row.processes ?? FUNCTION_WORKERS);
    for (const [index, worker] of this.#workers.entries()) {
      tell(worker, { kind: "open", opening: { ...opening, seed: opening.seed + index } });
      worker.on("message", this.#hear);
      if (row.processes !== null) this.#slots.push({ number: index, worker, free: WEB_CONCURRENCY });
    }
  }

  async call(conversation: string, idempotencyKey: string): Promise<CallOutcome> {
    const slot = await this.#takeSlot();
    const id = ++this.#lastId;
    const outcome = Promise.withResolvers<CallOutcome>();
    this.#waiting.set(id, { outcome, slot });
    tell(slot.worker, { kind: "call", id, environment: slot.number, conversation, idempotencyKey });
    return outcome.promise;
  }

  /** Ends the row once all calls are answered. */
  async finish(): Promise<Finished> {
    const totals = noTotals();
    let busy = 0;
    for (const worker of this.#workers) {
      worker.off("message", this.#hear);
      const answer = once(worker, "message");
      tell(worker, { kind: "finish" });
      const [message] = (await answer) as [FromWorker];
      if (message.kind !== "finished") throw new Error("a call was still under way");
      addTotals(totals, message.totals);
      busy = Math.max(busy, message.busy);
    }
    return { totals, busy, environments: this.#slots.length };
  }

  /** Any free environment; where there is none, functions start another one, and callers of web processes wait. */
  async #takeSlot(): Promise<Slot> {
    for (;;) {
      const free = this.#slots.filter((slot) => slot.free > 0);
      const slot = free[indexIn(this.#random, free.length)] ?? this.#startFunction();
      if (slot !== null) {
        slot.free--;
        return slot;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#queue.push(resolve);
      await promise;
    }
  }

  #startFunction(): Slot | null {
    if (this.#row.runtime === "web") return null;
    const number = this.#slots.length;
    const worker = this.#workers[number % this.#workers.length];
    if (worker === undefined) throw new Error("there is no worker");
    const slot = { number, worker, free: 1 };
    this.#slots.push(slot);
    return slot;
  }

  readonly #hear = (message: FromWorker): void => {
    if (message.kind !== "answer") return;
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    waiting.slot.free++;
    this.#queue.shift()?.();
    if (message.outcome === "failed") waiting.outcome.reject(new Error(message.error ?? "a call failed"));
    else waiting.outcome.resolve(message.outcome);
  };
}

const tell = (worker: ChildProcess, message: ToWorker): void => void worker.send(message);
