// The sealer's handler in a process of a bench. Each message asks for one run, and is answered with what the run took.
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { SEALER_SECONDS } from "../../contract/limits.ts";
import { SECOND_MS } from "../../contract/time.ts";
import { takenBy } from "./local-process.ts";

/** A call of the sealer's function, with all that it took. */
export interface SealerRun {
  readonly outcome: string;
  readonly ms: number;
  /** Processor time of the sealer's process. */
  readonly cpuMs: number;
  /** Requests that left the process, by what they ask for. */
  readonly calls: Readonly<Record<string, number>>;
  readonly highestMb: number | null;
}

const MICROSECONDS_PER_MS = 1_000;

const calls = new Map<string, number>();

/** DynamoDB's and KMS's operations have names; S3 and the authorities are known by their methods. */
subscribe("http.client.request.start", (message) => {
  const { request } = message as { readonly request: ClientRequest };
  const target = request.getHeader("x-amz-target");
  const name = typeof target === "string" ? (target.split(".")[1] ?? target) : request.method;
  calls.set(name, (calls.get(name) ?? 0) + 1);
});

const { handler } = await import("../../lambdas/seal.ts");

/** A call of the deployed function, which has so much time. */
function call(): Promise<string> {
  const end = performance.now() + SEALER_SECONDS * SECOND_MS;
  return handler({}, { getRemainingTimeInMillis: () => end - performance.now() });
}

async function runOnce(): Promise<SealerRun> {
  calls.clear();
  const [start, used] = [performance.now(), process.cpuUsage()];
  const outcome = await call();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(used);
  return {
    outcome,
    ms,
    cpuMs: (user + system) / MICROSECONDS_PER_MS,
    calls: Object.fromEntries(calls),
    highestMb: takenBy(process.pid)?.highestMb ?? null,
  };
}

process.on("message", () => void runOnce().then((run) => process.send?.(run)));
process.send?.("ready");
