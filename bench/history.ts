// `node bench/history.ts`: how long a reader takes to walk the whole history of a chain of a million receipts on one core,
// by how many heads it was sealed under. Prints machine, version, seed and what was walked.
import { createHash } from "node:crypto";
import type { SealedHead } from "../core/formats/chain-history.ts";
import { ChainHistory } from "../core/log/chain-history.ts";
import { formatNode, HASH_BYTES } from "../core/merkle/hash.ts";
import { appendLeaves, rootAt, sizeAt, type TreeLeaf } from "../core/merkle/merkle-tree.ts";
import { machine } from "./measuring.ts";

const RECEIPTS = 1_000_000;
/** The last is a head every minute for more than a month. */
const HEADS = [1_000, 10_000, 50_000];
const SEED = "history";
/** The project's own target, for each of them. */
const MOST_SECONDS = 5;
const RUNS = 3;

const leaves = new Uint8Array(RECEIPTS * HASH_BYTES);
for (let i = 0; i < RECEIPTS; i++) {
  leaves.set(createHash("sha256").update(`${SEED} ${i}`).digest(), i * HASH_BYTES);
}

/** The heads of a chain that grew by equally many receipts between any two of them. */
function headsOf(count: number): SealedHead[] {
  let last: TreeLeaf | null = null;
  const step = RECEIPTS / count;
  return Array.from({ length: count }, (_, i) => {
    last = appendLeaves(last, leaves.subarray(sizeAt(last) * HASH_BYTES, (i + 1) * step * HASH_BYTES));
    if (last === null) throw new Error("a chain has receipts");
    return {
      head_index: i,
      tree_size: sizeAt(last),
      root: formatNode(rootAt(last)),
      leaf_index: i,
      seal_index: i,
    };
  });
}

function secondsOfWalk(heads: readonly SealedHead[]): number {
  const start = process.cpuUsage();
  const read = (from: number, to: number) => leaves.subarray(from * HASH_BYTES, to * HASH_BYTES);
  const history = new ChainHistory("00".repeat(16), read);
  for (const head of heads) history.add(head);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

console.log(`${machine()}; ${RECEIPTS} receipts from "${SEED}"; processor time, the best of ${RUNS} runs`);
for (const count of HEADS) {
  const heads = headsOf(count);
  const seconds = Math.min(...Array.from({ length: RUNS }, () => secondsOfWalk(heads)));
  const verdict = seconds <= MOST_SECONDS ? "within" : "OVER";
  console.log(`${String(count).padStart(8)} heads  ${seconds.toFixed(2)} s  ${verdict} ${MOST_SECONDS} s`);
}
