// How long a reader takes to walk a year of a log with a seal every minute: every leaf, every tile, every label once, and
// the root at every seal's size.
import { randomFillSync } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ENTRY_BYTES } from "../../../evidence/core/log/entry.ts";
import { SEED_WORDS } from "../../../evidence/core/log/label-set.ts";
import { LogWalk } from "../../../evidence/core/log/log-walk.ts";
import { formatEntries, parseEntries, TILE_WIDTH } from "../../../evidence/core/log/tiles.ts";
import { columnsOf, figureOf, type Measure } from "../result.ts";

/** A year of minutes, and a month of them. */
const ENTRIES = { whole: 525_600, short: 43_200 };
const BYTES_PER_MB = 1e6;
const MICROSECONDS = 1e6;

export const measure: Measure = async ({ isQuick }) => {
  const count = isQuick ? ENTRIES.short : ENTRIES.whole;
  const bundles = bundlesOf(count);
  const before = buffersHeld();
  const begun = process.cpuUsage();
  const walk = new LogWalk(crypto.getRandomValues(new Uint32Array(SEED_WORDS)));
  let roots = 0;
  for (const { width, bytes } of bundles) {
    for (const entry of parseEntries(bytes, width)) {
      if (walk.add(entry) !== null) throw new Error("a label occurs twice");
      roots += walk.root === null ? 0 : 1;
    }
  }
  const { user, system } = process.cpuUsage(begun);
  const held = (buffersHeld() - before) / BYTES_PER_MB;
  const files = bundles.reduce((sum, { bytes }) => sum + bytes.length, 0) / BYTES_PER_MB;
  const seconds = (user + system) / MICROSECONDS;
  return {
    columns: columnsOf(
      "entries: count",
      "roots: count",
      "walked in: s",
      "held meanwhile: MB",
      "entry bundles: MB",
    ),
    rows: [[walk.size, roots, seconds, held, files]],
    figures: [
      figureOf("the walk, of one core", seconds, "s"),
      figureOf("buffers that it holds", held, "MB"),
      figureOf("all entry bundles", files, "MB"),
    ],
  };
};

/** Bytes of buffers that are still in use. */
function buffersHeld(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().arrayBuffers;
}

function bundlesOf(count: number): { readonly width: number; readonly bytes: Uint8Array }[] {
  return Array.from({ length: Math.ceil(count / TILE_WIDTH) }, (_, index) => {
    const width = Math.min(TILE_WIDTH, count - index * TILE_WIDTH);
    const entries = Array.from({ length: width }, () => randomFillSync(new Uint8Array(ENTRY_BYTES)));
    return { width, bytes: formatEntries(entries) };
  });
}
