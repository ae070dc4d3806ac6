// A model of appends, without the service and without a machine's noise: calls, chains, races, and the waits between.
// It says what the design allows; the bench says what the code does. Pure: a seed gives the same result.
import { MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import { quantileOf } from "../measuring.ts";
import { exponential, indexIn, type Random, randomOf, spread } from "./random.ts";
import { LATENCY_MS, type LoadRow, type Seen } from "./row.ts";
import { Timeline } from "./timeline.ts";

/** The facts that differ between versions of the service. */
export interface ModelledService {
  /** Requests to KMS one after the other before the transaction, and before the answer. */
  readonly macsInAppend: number;
  readonly macsInAnswer: number;
  readonly backoffCapMs: number;
  /** For this long a process takes the head that it wrote for the newest, though another process may have written. */
  readonly remembersMs: number;
}

/** The appender's rules; see service/ledger/appender.ts and service/table/backoff.ts. */
const BUDGET_MS = 8_000;
const BACKOFF_BASE_MS = 10;
const LONGEST_BATCH = 33;
/** Parts of a transaction's time: on its way, its items held, and its answer on its way. */
const SENDING = 2.5 / 16;
const HOLDING = 10 / 16;
const ANSWERING = 3.5 / 16;

const DURATION_MS = MINUTE_MS;
/** Calls that began before are not judged. */
const WARM_UP_MS = 5_000;

interface ModelledChain {
  head: number;
  heldUntil: number;
}

interface ModelledCall {
  readonly began: number;
  readonly deadline: number;
  /** Called when the caller has its answer. */
  readonly answered: () => void;
}

/** The appender of one chain in one process. */
interface ModelledAppender {
  readonly chain: ModelledChain;
  readonly waiting: ModelledCall[];
  isBusy: boolean;
  /** The head that it wrote last, and when; a lost race forgets it. */
  remembered: { readonly head: number; readonly at: number } | null;
}

/** A process of the web runtime or a function's environment. */
interface ModelledProcess {
  readonly appenders: readonly ModelledAppender[];
}

export function modelRow(row: LoadRow, service: ModelledService, seed: number): Seen {
  return new Model(row, service, randomOf(seed)).run();
}

class Model {
  readonly #row: LoadRow;
  readonly #service: ModelledService;
  readonly #random: Random;
  readonly #time = new Timeline();
  readonly #chains: ModelledChain[];
  readonly #processes: readonly ModelledProcess[];
  /** Environments of functions that serve no call. */
  readonly #idle: ModelledProcess[] = [];
  readonly #tookMs: number[] = [];
  #attested = 0;
  #unavailable = 0;
  #lostRaces = 0;

  constructor(row: LoadRow, service: ModelledService, random: Random) {
    this.#row = row;
    this.#service = service;
    this.#random = random;
    this.#chains = Array.from({ length: row.chains }, () => ({ head: 0, heldUntil: 0 }));
    this.#processes = Array.from({ length: row.processes ?? 0 }, () => this.#newProcess());
  }

  run(): Seen {
    const { load } = this.#row;
    if (load.kind === "closed") for (let i = 0; i < load.callers; i++) this.#callAgain();
    else this.#arrive(SECOND_MS / load.perSecond);
    this.#time.run(DURATION_MS);
    const judged = this.#tookMs.length + this.#unavailable;
    return {
      perSecond: (this.#attested / (DURATION_MS - WARM_UP_MS)) * SECOND_MS,
      p50: quantileOf(this.#tookMs, 0.5),
      p99: quantileOf(this.#tookMs, 0.99),
      unavailable: this.#unavailable / Math.max(1, judged),
      lostRacesACall: this.#lostRaces / Math.max(1, judged),
    };
  }

  #arrive(distanceMs: number): void {
    this.#time.after(exponential(this.#random, distanceMs), () => {
      this.#arrive(distanceMs);
      this.#call(() => {});
    });
  }

  #callAgain(): void {
    this.#call(() => this.#callAgain());
  }

  #call(answered: () => void): void {
    const { now } = this.#time;
    const isFunction = this.#row.runtime === "functions";
    const process = isFunction ? this.#takeIdle() : this.#anyOf(this.#processes);
    const appender = this.#anyOf(process.appenders);
    const done = () => {
      if (isFunction) this.#idle.push(process);
      answered();
    };
    appender.waiting.push({ began: now, deadline: now + BUDGET_MS, answered: done });
    if (!appender.isBusy) this.#drain(appender);
  }

  #takeIdle(): ModelledProcess {
    const [idle] = this.#idle.splice(indexIn(this.#random, this.#idle.length), 1);
    return idle ?? this.#newProcess();
  }

  #newProcess(): ModelledProcess {
    return { appenders: this.#chains.map(newAppender) };
  }

  #anyOf<T>(list: readonly T[]): T {
    const found = list[indexIn(this.#random, list.length)];
    if (found === undefined) throw new Error("there is none");
    return found;
  }

  #drain(appender: ModelledAppender): void {
    const batch = appender.waiting.splice(0, LONGEST_BATCH);
    appender.isBusy = batch.length > 0;
    if (appender.isBusy) this.#try(appender, batch, 0);
  }

  /** One read, one plan, one transaction. */
  #try(appender: ModelledAppender, batch: readonly ModelledCall[], losses: number): void {
    const left = batch.filter(({ deadline }) => deadline > this.#time.now);
    for (const call of batch) if (!left.includes(call)) this.#refuse(call);
    if (left.length === 0) {
      this.#drain(appender);
      return;
    }
    const readMs = this.#latency("read");
    this.#time.after(readMs / 2, () => {
      const seen = this.#remembered(appender) ?? appender.chain.head;
      const sentMs = readMs / 2 + this.#macMs(this.#service.macsInAppend) + this.#transactionMs(SENDING);
      this.#time.after(sentMs, () => this.#commit(appender, left, { seen, losses }));
    });
  }

  #commit(
    appender: ModelledAppender,
    batch: readonly ModelledCall[],
    { seen, losses }: { readonly seen: number; readonly losses: number },
  ): void {
    const { chain } = appender;
    if (seen !== chain.head || chain.heldUntil > this.#time.now) {
      if (this.#time.now >= WARM_UP_MS) this.#lostRaces++;
      const waitMs =
        this.#random() * Math.min(this.#service.backoffCapMs, BACKOFF_BASE_MS * 2 ** (losses + 1));
      appender.remembered = null;
      this.#time.after(this.#transactionMs(ANSWERING) + waitMs, () => this.#try(appender, batch, losses + 1));
      return;
    }
    const heldMs = this.#transactionMs(HOLDING);
    chain.heldUntil = this.#time.now + heldMs;
    this.#time.after(heldMs, () => {
      chain.head += batch.length;
      this.#time.after(this.#transactionMs(ANSWERING), () => {
        appender.remembered = { head: seen + batch.length, at: this.#time.now };
        for (const call of batch) this.#answer(call);
        this.#drain(appender);
      });
    });
  }

  #remembered({ remembered }: ModelledAppender): number | null {
    if (remembered === null || this.#time.now - remembered.at > this.#service.remembersMs) return null;
    return remembered.head;
  }

  #answer({ began, answered }: ModelledCall): void {
    const waitMs = (this.#row.authorityMs ?? 0) + this.#macMs(this.#service.macsInAnswer);
    this.#time.after(waitMs, () => {
      const { now } = this.#time;
      if (now >= WARM_UP_MS) this.#attested++;
      if (began >= WARM_UP_MS) this.#tookMs.push(now - began);
      answered();
    });
  }

  #refuse({ began, answered }: ModelledCall): void {
    if (began >= WARM_UP_MS) this.#unavailable++;
    answered();
  }

  #macMs(requests: number): number {
    return requests * this.#latency("kms");
  }

  #transactionMs(part: number): number {
    return part * this.#latency("transaction");
  }

  #latency(operation: keyof typeof LATENCY_MS): number {
    return spread(this.#random, LATENCY_MS[operation] * this.#row.slowness);
  }
}

const newAppender = (chain: ModelledChain): ModelledAppender => ({
  chain,
  waiting: [],
  isBusy: false,
  remembered: null,
});
