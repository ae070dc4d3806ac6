// Carries out the fault that a request meets.
import { setTimeout as sleep } from "node:timers/promises";
import { indexIn, randomOf } from "../../throughput/random.ts";
import { conflict, failure, type ProxyReply, throttling } from "./errors.ts";
import { type ForwardedRequest, forward } from "./forward.ts";
import { lieAsAuthority, type OtherBytes } from "./lies.ts";
import { type ArmedFault, LIE_HEADER, WITNESS_LIES } from "./messages.ts";
import type { AskedOperation } from "./operations.ts";

const MIN_LATE_MS = 1_000;
const MAX_LATE_MS = 20_000;

/** Null: no answer is ever sent. `cut`: the connection is cut. */
export type Disturbed = ProxyReply | "cut" | null;

export interface DisturbedCall {
  readonly fault: ArmedFault;
  readonly operation: AskedOperation;
  readonly request: ForwardedRequest;
  readonly otherBytes: OtherBytes;
  /** Called when the request is held back, and when it is delivered. */
  readonly hold: (by: 1 | -1) => void;
}

export async function disturb(call: DisturbedCall): Promise<Disturbed> {
  const { fault, operation, request, otherBytes } = call;
  const random = randomOf(fault.seed);
  switch (fault.name) {
    case "fails":
      return random() < 1 / 2 ? "cut" : failure(operation);
    case "lost-answer":
      await forward(request);
      return "cut";
    case "late":
      return deliverLate(call, MIN_LATE_MS + random() * (MAX_LATE_MS - MIN_LATE_MS));
    case "hangs":
      return null;
    case "throttled":
      return throttling(operation, random);
    case "conflict":
      return conflict(operation, Buffer.from(request.body).toString("utf8"), random);
    case "authority-lies":
      return lieAsAuthority(request, random);
    case "witness-lies":
      return forward({ ...request, headers: { ...request.headers, [LIE_HEADER]: lieOf(random) } });
    case "s3-other-bytes":
      return otherBytes.refuse(request);
    default:
      throw new Error(`the proxy makes no fault ${fault.name}`);
  }
}

const lieOf = (random: () => number): string =>
  WITNESS_LIES[indexIn(random, WITNESS_LIES.length)] ?? "garbage";

/** The client has given up by then, and may have planned anew: the request is delivered all the same. */
async function deliverLate({ request, hold }: DisturbedCall, lateMs: number): Promise<ProxyReply> {
  hold(1);
  try {
    await sleep(lateMs);
    return await forward(request);
  } finally {
    hold(-1);
  }
}
