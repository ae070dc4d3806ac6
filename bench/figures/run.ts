// Runs one bench in a process of its own, and makes its result.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SECOND_MS } from "../../contract/time.ts";
import { commitOf, machineOf, versionsOf } from "./about.ts";
import { type BenchEntry, moduleOf } from "./catalogue.ts";
import type { BenchOrder, FromChild } from "./child.ts";
import type { BenchFigures, BenchResult, RunSettings } from "./result.ts";

const CHILD = join(import.meta.dirname, "child.ts");

/** Throws where the process ends without a result; it has written the reason to stderr. */
export async function runBench(bench: BenchEntry, settings: RunSettings): Promise<BenchResult> {
  const began = performance.now();
  const date = new Date().toISOString();
  // The load of the machine before the bench brings its own.
  const machine = machineOf();
  const measured = await measureInChild(bench, settings);
  return {
    name: bench.name,
    isQuick: settings.isQuick,
    date,
    seconds: Math.round((performance.now() - began) / SECOND_MS),
    machine,
    commit: commitOf([moduleOf(bench), ...bench.measures]),
    seed: settings.seed,
    ...measured,
    versions: { ...versionsOf(bench.packages ?? []), ...measured.versions },
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
