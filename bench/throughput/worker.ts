// A process of the bench: it holds environments of the service, and serves the calls that its parent sends. Functions'
// environments share it and nothing in it: each has clients and memories of its own.
import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { Delays } from "./delays.ts";
import { type Environment, type EnvironmentOptions, openEnvironment } from "./environment.ts";
import { randomOf } from "./random.ts";
import { noTotals, type Totals } from "./row.ts";
import { slowDown } from "./slow-motion.ts";

/** The errors that a caller sees as 503: "try again". */
const UNAVAILABLE = new Set<string>(["ledger_contended", "ledger_unavailable", "mac_unavailable"]);

const MICROSECONDS = 1_000;

export interface Opening extends EnvironmentOptions {
  readonly slowness: number;
  readonly slowMotion: number;
  readonly seed: number;
}

export interface Call {
  readonly id: number;
  readonly environment: number;
  readonly conversation: string;
  readonly idempotencyKey: string;
}

export type ToWorker =
  | { readonly kind: "open"; readonly opening: Opening }
  | ({ readonly kind: "call" } & Call)
  | { readonly kind: "finish" };

export type CallOutcome = "attested" | "unavailable" | "failed";

export type FromWorker =
  | { readonly kind: "ready" }
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly outcome: CallOutcome;
      readonly error: string | null;
    }
  | { readonly kind: "finished"; readonly totals: Totals; readonly busy: number };

/** The environments of one row. */
class RowOfWorker {
  readonly #opening: Opening;
  readonly #delays: Delays;
  readonly #environments = new Map<number, Environment>();
  readonly #start: EventLoopUtilization = performance.eventLoopUtilization();
  readonly #cpu = process.cpuUsage();
  readonly #totals = noTotals();

  constructor(opening: Opening) {
    this.#opening = opening;
    this.#delays = new Delays(randomOf(opening.seed), opening.slowness);
  }

  /** The share of its time that this process computed, or waited for a core. */
  get busy(): number {
    return performance.eventLoopUtilization(this.#start).utilization;
  }

  get totals(): Totals {
    const { user, system } = process.cpuUsage(this.#cpu);
    return { ...this.#totals, cpuMs: (user + system) / MICROSECONDS };
  }

  async call({ id, environment, conversation, idempotencyKey }: Call): Promise<FromWorker> {
    try {
      await this.#environment(environment).attest(conversation, idempotencyKey);
      return { kind: "answer", id, outcome: "attested", error: null };
    } catch (error) {
      const isUnavailable = isDisclosureError(error) && UNAVAILABLE.has(error.code);
      return { kind: "answer", id, outcome: isUnavailable ? "unavailable" : "failed", error: String(error) };
    }
  }

  close(): void {
    for (const environment of this.#environments.values()) environment.close();
  }

  #environment(number: number): Environment {
    const known = this.#environments.get(number);
    if (known !== undefined) return known;
    const opened = openEnvironment(this.#opening, this.#delays, this.#totals);
    this.#environments.set(number, opened);
    return opened;
  }
}

const send = (message: FromWorker): void => void process.send?.(message);
let row: RowOfWorker | null = null;

process.on("message", (message: ToWorker) => {
  if (message.kind === "open") {
    slowDown(message.opening.slowMotion);
    row = new RowOfWorker(message.opening);
  } else if (row === null) throw new Error("no row is open");
  else if (message.kind === "call") void row.call(message).then(send);
  else {
    send({ kind: "finished", totals: row.totals, busy: row.busy });
    row.close();
    row = null;
  }
});
send({ kind: "ready" });
