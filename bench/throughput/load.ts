// The callers: closed loops and arrivals by chance, and how long each of their calls took.
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND_MS } from "../../contract/time.ts";
import type { Fleet } from "./fleet.ts";
import { exponential, type Random } from "./random.ts";
import type { Load } from "./row.ts";
import type { CallOutcome } from "./worker.ts";

const TURNS = 4;
/** Conversations that go on at the same time. */
const INTERLEAVED = 64;

/** One call, in milliseconds of `performance.now()`. */
export interface TimedCall {
  readonly began: number;
  readonly ended: number;
  readonly outcome: CallOutcome;
}

/** Sends calls until `end`, and returns them when the last one is answered. */
export async function runLoad(fleet: Fleet, load: Load, end: number, random: Random): Promise<TimedCall[]> {
  const calls = new SentCalls(fleet);
  if (load.kind === "closed") {
    const callers = Array.from({ length: load.callers }, async () => {
      while (performance.now() < end) await calls.send(performance.now());
    });
    await Promise.all(callers);
  } else await arrive(calls, SECOND_MS / load.perSecond, end, random);
  return calls.done;
}

/** A call's time counts from its arrival, also where this process is late to send it. */
async function arrive(calls: SentCalls, distanceMs: number, end: number, random: Random): Promise<void> {
  const sent: Promise<void>[] = [];
  for (
    let at = performance.now() + exponential(random, distanceMs);
    at < end;
    at += exponential(random, distanceMs)
  ) {
    const early = at - performance.now();
    if (early > 0) await sleep(early);
    sent.push(calls.send(at));
  }
  await Promise.all(sent);
}

class SentCalls {
  readonly done: TimedCall[] = [];
  readonly #fleet: Fleet;
  #count = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  async send(began: number): Promise<void> {
    const count = this.#count++;
    const outcome = await this.#fleet.call(conversationOf(count), `call-${count}`);
    this.done.push({ began, ended: performance.now(), outcome });
  }
}

/** Conversations have four turns; the turns of many are sent in between. */
const conversationOf = (call: number): string =>
  `conversation-${Math.floor(call / (INTERLEAVED * TURNS)) * INTERLEAVED + (call % INTERLEAVED)}`;
