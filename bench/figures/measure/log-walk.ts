// How long a reader takes to walk a year of a log with a seal every minute: every leaf, every tile, every label once, and
// the root at every seal's size; and, as the holder of a history does, for the heads of chains alone.
import { randomFillSync } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MAX_SHARD } from "../../../evidence/core/formats/event-id.ts";
import { chainHeadEntry } from "../../../evidence/core/formats/metachain.ts";
import { ENTRY_BYTES } from "../../../evidence/core/log/entry.ts";
import { HeadWalk } from "../../../evidence/core/log/head-walk.ts";
import { SEED_WORDS } from "../../../evidence/core/log/label-set.ts";
import { LogWalk } from "../../../evidence/core/log/log-walk.ts";
import { formatEntries, parseEntries, TILE_WIDTH } from "../../../evidence/core/log/tiles.ts";
import { columnsOf, figureOf, type Measure } from "../result.ts";

/** A year of minutes, and a month of them. */
const ENTRIES = { whole: 525_600, short: 43_200 };
/** Each entry is a head of one of these, and as many others are looked for as an anchor can give. */
const CHAINS = 10_000;
const OTHERS = MAX_SHARD + 1;
/** The project's own target. */
const MOST_SECONDS = 8;
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
      figureOf(`the walk for the heads of ${CHAINS} chains`, secondsForHeads(count), "s", {
        atMost: MOST_SECONDS,
      }),
      figureOf("buffers that it holds", held, "MB"),
      figureOf("all entry bundles", files, "MB"),
    ],
  };
};

function secondsForHeads(count: number): number {
  const idOf = (index: number): string => index.toString(16).padStart(32, "0");
  const root = `0x${"0".repeat(64)}`;
  const entries = Array.from({ length: count }, (_, i) => {
    const [chain, head_index] = [i % CHAINS, Math.floor(i / CHAINS)];
    return chainHeadEntry({ chain_id: idOf(chain), head_index, tree_size: head_index + 1, root });
  });
  const begun = process.cpuUsage();
  const walk = new HeadWalk(Array.from({ length: CHAINS + OTHERS }, (_, index) => idOf(index)));
  for (const entry of entries) walk.add(entry);
  const { user, system } = process.cpuUsage(begun);
  if (walk.headsOf(idOf(0))?.length !== Math.ceil(count / CHAINS)) throw new Error("a head was missed");
  return (user + system) / MICROSECONDS;
}

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
