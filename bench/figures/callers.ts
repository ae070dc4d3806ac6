// Callers over HTTP: each sends its next call when it has the answer. One place for every server that takes them.
import { randomUUID } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { quantileOf } from "../measuring.ts";

const MS_PER_SECOND = 1_000;
const P50 = 0.5;
const P99 = 0.99;
const OK = 200;
/** "Try again": as our client does, after as long as the answer says, or this. */
const TRY_AGAIN = new Set([429, 503]);
const AGAIN_MS = 50;

/** One call, ready to be sent. */
export interface OutgoingCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LoadPlan {
  readonly url: string;
  readonly callers: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /** The call that a caller sends as its so manieth. */
  readonly callOf: (caller: number, turn: number) => OutgoingCall;
}

export interface LoadSeen {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers that asked the caller to try again, for each one that did not. */
  readonly again: number;
}

/** Runs the load. Throws for an answer that is neither a result nor asks for another try. */
export async function runCallers(plan: LoadPlan): Promise<LoadSeen> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.callers });
  const begin = performance.now() + plan.warmUpMs;
  const end = begin + plan.measuredMs;
  const took: number[] = [];
  const seen = { ended: 0, again: 0 };
  const callOn = async (caller: number): Promise<void> => {
    for (let turn = 0; performance.now() < end; turn++) {
      const start = performance.now();
      const again = await callUntilAnswered(agent, plan.url, plan.callOf(caller, turn));
      const now = performance.now();
      if (start >= begin) took.push(now - start);
      if (now >= begin && now < end) seen.ended++;
      seen.again += again;
    }
  };
  await Promise.all(Array.from({ length: plan.callers }, (_, caller) => callOn(caller)));
  agent.destroy();
  return {
    perSecond: (seen.ended / plan.measuredMs) * MS_PER_SECOND,
    p50: quantileOf(took, P50),
    p99: quantileOf(took, P99),
    again: seen.again / Math.max(1, seen.ended),
  };
}

/** Returns how often it was asked to try again. */
async function callUntilAnswered(agent: Agent, url: string, call: OutgoingCall): Promise<number> {
  for (let again = 0; ; again++) {
    const response = await send(agent, url, call);
    if (response.statusCode === OK) return again;
    if (!TRY_AGAIN.has(response.statusCode ?? 0)) throw new Error(`${url} answered ${response.statusCode}`);
    const seconds = Number(response.headers["retry-after"]);
    await sleep(Number.isNaN(seconds) ? AGAIN_MS : seconds * MS_PER_SECOND);
  }
}

/** The answer, once all of it is here. */
function send(agent: Agent, url: string, { headers, body }: OutgoingCall): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const length = { "content-length": Buffer.byteLength(body) };
  const sent = request(url, { agent, method: "POST", headers: { ...headers, ...length } }, (response) => {
    response.resume().once("end", () => resolve(response));
    response.once("error", reject);
  });
  sent.once("error", reject).end(body);
  return promise;
}

/** A caller's conversations have so many turns. */
const TURNS = 4;

/** The calls of callers that attest, each in conversations of its own, each call with an Idempotency-Key. */
export function attestCalls(apiKey: string, disclosure: object): LoadPlan["callOf"] {
  const run = randomUUID();
  return (caller, turn) => ({
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({ ...disclosure, interaction_id: `${run}-${caller}-${Math.floor(turn / TURNS)}` }),
  });
}
