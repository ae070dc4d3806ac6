// Callers over HTTP (autocannon): each sends its next call when it has the answer.
import { randomUUID } from "node:crypto";
import autocannon, { type Request, type Result } from "autocannon";
import { quantileOf } from "../measuring.ts";

const [P50, P99] = [0.5, 0.99];
const OK = 200;
/** "Try again": a caller's next call is its next try. */
const AGAIN = new Set(["429", "503"]);

export interface LoadPlan {
  readonly url: string;
  readonly callers: number;
  /** Whole seconds: autocannon looks at its clock once in each. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** The next call, made when it is sent. */
  readonly nextCall: () => Pick<Request, "headers" | "body">;
}

export interface LoadSeen {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Runs the load. Throws for an answer that is neither a result nor asks for another try. */
export async function runCallers(plan: LoadPlan): Promise<LoadSeen> {
  const { url, callers: connections, warmUpSeconds, seconds: duration, nextCall } = plan;
  const ended = Promise.withResolvers<Result>();
  const load = autocannon(
    {
      url,
      connections,
      duration,
      ...(warmUpSeconds > 0 && { warmup: { connections, duration: warmUpSeconds } }),
      requests: [{ method: "POST", setupRequest: (request) => ({ ...request, ...nextCall() }) }],
    },
    (error, result) => (error === null ? ended.resolve(result) : ended.reject(error)),
  );
  const took: number[] = [];
  // Its own latencies are whole milliseconds.
  load.on("response", (_client, status, _bytes, ms) => {
    if (status === OK) took.push(ms);
  });
  const { errors, statusCodeStats = {}, duration: ran } = await ended.promise;
  const other = Object.keys(statusCodeStats).find((status) => status !== `${OK}` && !AGAIN.has(status));
  if (errors > 0 || other !== undefined) throw new Error(`${url} answered ${other ?? "nothing"}`);
  return { perSecond: took.length / ran, p50: quantileOf(took, P50), p99: quantileOf(took, P99) };
}

/** A conversation has so many turns; the turns of many are sent in between. */
const TURNS = 4;
const INTERLEAVED = 256;
const conversationOf = (call: number): number =>
  Math.floor(call / (INTERLEAVED * TURNS)) * INTERLEAVED + (call % INTERLEAVED);

/** Calls that attest, each with an Idempotency-Key. */
export function attestCalls(apiKey: string, disclosure: object): LoadPlan["nextCall"] {
  const run = randomUUID();
  let sent = 0;
  return () => ({
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({ ...disclosure, interaction_id: `${run}-${conversationOf(sent++)}` }),
  });
}
