// Runs one bench in a process of its own, and makes its result.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { RECEIPT_FORMAT_VERSION } from "../../core/formats/receipt.ts";
import { commitOf, machineOf, programDigest, versionsOf } from "./about.ts";
import { type BenchEntry, moduleOf } from "./catalogue.ts";
import type { BenchOrder, FromChild } from "./child.ts";
import type { BenchFigures, BenchResult, RunSettings } from "./result.ts";

const CHILD = join(import.meta.dirname, "child.ts");
const MS_PER_SECOND = 1_000;

/** Throws where the process ends without a result; what it wrote of that is on stderr. */
export async function runBench(bench: BenchEntry, settings: RunSettings): Promise<BenchResult> {
  const began = performance.now();
  const date = new Date().toISOString();
  // The load of the machine before the bench brings its own.
  const machine = machineOf();
  const measured = await measureInChild(bench, settings);
  const { packages = [], others = [] } = bench;
  return {
    name: bench.name,
    isQuick: settings.isQuick,
    date,
    seconds: Math.round((performance.now() - began) / MS_PER_SECOND),
    machine,
    ...measured,
    versions: { ...versionsOf(packages), ...measured.versions },
    commit: commitOf(),
    seed: settings.seed,
    program: programDigest(moduleOf(bench), others),
    receiptFormat: RECEIPT_FORMAT_VERSION,
  };
}

async function measureInChild(
  bench: BenchEntry,
  { progress, ...settings }: RunSettings,
): Promise<BenchFigures> {
  mkdirSync(settings.kept, { recursive: true });
  const order: BenchOrder = { ...settings, name: bench.name };
  const child = fork(CHILD, [JSON.stringify(order)]);
  let measured: BenchFigures | null = null;
  child.on("message", (message: FromChild) => {
    if (message.kind === "progress") progress(message.line);
    else ({ measured } = message);
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (measured === null) throw new Error(`the bench ${bench.name} ended with ${code ?? "a signal"}`);
  return measured;
}
