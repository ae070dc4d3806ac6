// `node bench/log-walk.ts [ENTRIES]`: how long a reader takes to walk a year of a log with a seal every minute: every leaf,
// every tile, every label once, and the root at every seal's size. Prints machine, version and what was walked.
import { randomFillSync } from "node:crypto";
import { ENTRY_BYTES } from "../core/log/entry.ts";
import { SEED_WORDS } from "../core/log/label-set.ts";
import { LogWalk } from "../core/log/log-walk.ts";
import { formatEntries, parseEntries, TILE_WIDTH } from "../core/log/tiles.ts";
import { machine } from "./measuring.ts";

/** A year of minutes. */
const ENTRIES = Number(process.argv[2] ?? 525_600);
const MIB = 2 ** 20;
const bundles = Array.from({ length: Math.ceil(ENTRIES / TILE_WIDTH) }, (_, index) => {
  const width = Math.min(TILE_WIDTH, ENTRIES - index * TILE_WIDTH);
  const entries = Array.from({ length: width }, () => randomFillSync(new Uint8Array(ENTRY_BYTES)));
  return { width, bytes: formatEntries(entries) };
});

const before = process.memoryUsage().arrayBuffers;
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
const held = (process.memoryUsage().arrayBuffers - before) / MIB;
console.log(machine());
console.log(
  `${walk.size} entries and ${roots} roots: ${((user + system) / 1e6).toFixed(1)} s of one core, ${held.toFixed(0)} MiB held`,
);
