// All callers and readers of a run.
import { randomOf } from "../../throughput/random.ts";
import { seedOf } from "../faults/schedule.ts";
import type { Attesting } from "./attest.ts";
import { LoadCaller } from "./caller.ts";
import { readEvidence } from "./evidence-reader.ts";
import { readHistories } from "./history-reader.ts";
import { readLog } from "./log-reader.ts";
import type { ReaderParts } from "./reading.ts";

export interface LoadOptions {
  readonly callers: number;
  readonly seed: number;
  readonly hasFaults: boolean;
  readonly attesting: Attesting;
  readonly reading: ReaderParts;
}

/** Begins at once. Resolves when every call and every reader has come to its end. */
export async function runLoad({ callers, seed, hasFaults, attesting, reading }: LoadOptions): Promise<void> {
  const { tenants, conversations, run, ending } = reading;
  const calling = Array.from({ length: callers }, (_, number) => {
    const tenant = tenants[number % tenants.length];
    if (tenant === undefined) throw new Error("there is no tenant");
    const random = randomOf(seedOf(seed, `caller ${number}`));
    return new LoadCaller({ number, tenant, attesting, conversations, random, run, hasFaults, ending }).run();
  });
  await Promise.all([...calling, readEvidence(reading), readHistories(reading), readLog(reading)]);
}
