// The sealer's handler in a process of a bench. Each message asks for one run, and is answered with what the run took.
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { takenBy } from "./local-process.ts";

/** A run of the sealer, with all that it took. */
export interface SealerRun {
  readonly outcome: string;
  readonly ms: number;
  /** Requests that left the process, by what they ask for. */
  readonly calls: Readonly<Record<string, number>>;
  readonly highestMb: number | null;
}

const calls = new Map<string, number>();

/** DynamoDB's and KMS's operations have names; S3 and the authorities are known by their methods. */
subscribe("http.client.request.start", (message) => {
  const { request } = message as { readonly request: ClientRequest };
  const target = request.getHeader("x-amz-target");
  const name = typeof target === "string" ? (target.split(".")[1] ?? target) : request.method;
  calls.set(name, (calls.get(name) ?? 0) + 1);
});

const { handler } = (await import("../../lambdas/seal.ts")) as { handler: () => Promise<string> };

async function runOnce(): Promise<SealerRun> {
  calls.clear();
  const start = performance.now();
  const outcome = await handler();
  const ms = performance.now() - start;
  return {
    outcome,
    ms,
    calls: Object.fromEntries(calls),
    highestMb: takenBy(process.pid)?.highestMb ?? null,
  };
}

process.on("message", () => void runOnce().then((run) => process.send?.(run)));
process.send?.("ready");
