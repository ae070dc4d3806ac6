// Runs rows one after the other against one engine.
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SECOND_MS } from "../../contract/time.ts";
import { startDynamoDb } from "../../host/local/dynamodb.ts";
import { tableSchema } from "../../service/table/table-schema.ts";
import { fastFolder, quantileOf } from "../measuring.ts";
import { CONNECTION } from "./environment.ts";
import { type Finished, Fleet, startWorkers } from "./fleet.ts";
import { runLoad, type TimedCall } from "./load.ts";
import { randomOf } from "./random.ts";
import { isSaturated, type LoadRow, type Measured, type MeasuredRow, type Seen } from "./row.ts";
import { slowDown } from "./slow-motion.ts";

const TABLE_NAME = "throughput";

interface Pace {
  /** A second of a row takes so many seconds. */
  readonly slowMotion: number;
  /** A saturated row is run again with twice the slow motion, up to this. */
  readonly maxSlowMotion: number;
  /** Calls that begin in this time warm up what they meet, and are not judged. */
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

interface RowsPlan extends Pace {
  readonly rows: readonly LoadRow[];
  readonly seed: number;
  readonly modelOf: (row: LoadRow, seed: number) => Seen;
}

type RowPlan = Omit<RowsPlan, "rows" | "modelOf">;

/** Slows this process down. `onRow` is told each row as it ends. */
export async function measureRows(plan: RowsPlan, onRow: (row: MeasuredRow) => void): Promise<void> {
  const folder = mkdtempSync(join(fastFolder(), "disclosure-receipts-throughput-"));
  const engine = await startDynamoDb({ file: join(folder, "ledger.sqlite") });
  const workers = await startWorkers();
  try {
    await createTable(engine.endpoint);
    for (const [index, row] of plan.rows.entries()) {
      const seed = plan.seed + index;
      const measured = await measureUnsaturated(workers, engine.endpoint, row, { ...plan, seed });
      onRow({ row, measured, modelled: plan.modelOf(row, seed) });
    }
  } finally {
    for (const worker of workers) worker.disconnect();
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

async function createTable(endpoint: string): Promise<void> {
  const client = new DynamoDBClient({ ...CONNECTION, endpoint });
  await client.send(new CreateTableCommand(tableSchema(TABLE_NAME)));
  client.destroy();
}

/** A row that was saturated is run again, slower, for as long as that is worth its time. */
async function measureUnsaturated(
  workers: readonly ChildProcess[],
  endpoint: string,
  row: LoadRow,
  plan: RowPlan,
): Promise<Measured> {
  for (let slowMotion = plan.slowMotion; ; slowMotion *= 2) {
    slowDown(slowMotion);
    const measured = await measureRow(workers, endpoint, row, { ...plan, slowMotion });
    if (!isSaturated(measured) || slowMotion * 2 > plan.maxSlowMotion) return measured;
  }
}

async function measureRow(
  workers: readonly ChildProcess[],
  endpoint: string,
  row: LoadRow,
  { seed, slowMotion, warmUpMs, measuredMs }: RowPlan,
): Promise<Measured> {
  const random = randomOf(seed);
  const fleet = new Fleet(
    workers,
    row,
    { ...row, endpoint, tableName: TABLE_NAME, tenant: `${seed}/${slowMotion}`, seed, slowMotion },
    random,
  );
  const machine = watchMachine();
  const start = performance.now() + warmUpMs;
  const calls = await runLoad(fleet, row.load, start + measuredMs, random);
  const machineBusy = machine();
  return summarize(calls, await fleet.finish(), { start, end: start + measuredMs, machineBusy, slowMotion });
}

interface Window {
  readonly start: number;
  readonly end: number;
  readonly machineBusy: number;
  readonly slowMotion: number;
}

function summarize(
  calls: readonly TimedCall[],
  { totals, environments, busy }: Finished,
  { start, end, machineBusy, slowMotion }: Window,
): Measured {
  const judged = calls.filter(({ began }) => began >= start);
  const attested = judged.filter(({ outcome }) => outcome === "attested");
  const took = attested.map(({ began, ended }) => ended - began);
  const inTime = calls.filter(
    ({ ended, outcome }) => outcome === "attested" && ended >= start && ended < end,
  ).length;
  const aCall = (total: number): number => total / Math.max(1, totals.attestations);
  return {
    perSecond: (inTime / (end - start)) * SECOND_MS,
    p50: quantileOf(took, 0.5),
    p99: quantileOf(took, 0.99),
    unavailable: 1 - attested.length / Math.max(1, judged.length),
    lostRacesACall: aCall(totals.lostRaces),
    slowMotion,
    environments,
    cpuMsACall: aCall(totals.cpuMs),
    macsACall: aCall(totals.macRequests),
    writeUnitsACall: aCall(totals.writeUnits),
    readUnitsACall: aCall(totals.readUnits),
    batch: totals.attestations / Math.max(1, totals.transactions - totals.lostRaces),
    machineBusy,
    processBusy: busy,
  };
}

/** Begins to watch all cores; the result says the share of their time since then that was busy. */
function watchMachine(): () => number {
  const before = coreTimes();
  return () => {
    const after = coreTimes();
    const [idle, all] = [after.idle - before.idle, after.all - before.all];
    return all === 0 ? 0 : 1 - idle / all;
  };
}

function coreTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((core) => core.times);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { idle: times.reduce((sum, { idle }) => sum + idle, 0), all };
}
