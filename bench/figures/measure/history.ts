// How long a reader takes to walk the whole history of a chain of a million receipts on one core, by how many heads it was
// sealed under.
import { createHash } from "node:crypto";
import { SECOND_MS } from "../../../contract/time.ts";
import type { SealedHead } from "../../../evidence/core/formats/chain-history.ts";
import { ChainHistory } from "../../../evidence/core/log/chain-history.ts";
import { appendEntries, ENTRY_BYTES } from "../../../evidence/core/log/entry.ts";
import { formatNode } from "../../../evidence/core/merkle/hash.ts";
import { rootAt, sizeAt, type TreeLeaf } from "../../../evidence/core/merkle/merkle-tree.ts";
import { columnsOf, figureOf, type Measure } from "../result.ts";
import { timeOf } from "../timed.ts";

const RECEIPTS = { whole: 1_000_000, short: 100_000 };
/** The last is a head every minute for more than a month. */
const HEADS = { whole: [1_000, 10_000, 50_000], short: [100, 1_000, 5_000] };
/** The project's own target, for each of them. */
const MOST_SECONDS = 5;
const RUNS = 3;

export const measure: Measure = async ({ isQuick, seed, progress }) => {
  const kind = isQuick ? "short" : "whole";
  const leaves = leavesOf(RECEIPTS[kind], seed);
  const rows: number[][] = [];
  for (const count of HEADS[kind]) {
    const heads = headsOf(leaves, count);
    const { least } = await timeOf(() => walk(leaves, heads), { runs: RUNS });
    const seconds = least / SECOND_MS;
    progress(`${count} heads: ${seconds.toFixed(2)} s`);
    rows.push([count, RECEIPTS[kind], seconds]);
  }
  const most = rows.at(-1)?.at(-1);
  return {
    columns: columnsOf("heads: count", "receipts: count", "walked in: s"),
    rows,
    figures: [figureOf("the walk with the most heads", most, "s", { atMost: MOST_SECONDS })],
  };
};

function leavesOf(receipts: number, seed: number): Uint8Array {
  const leaves = new Uint8Array(receipts * ENTRY_BYTES);
  for (let i = 0; i < receipts; i++) {
    leaves.set(createHash("sha512").update(`history ${seed} ${i}`).digest(), i * ENTRY_BYTES);
  }
  return leaves;
}

/** The heads of a chain that grew by equally many receipts between any two of them. */
function headsOf(leaves: Uint8Array, count: number): SealedHead[] {
  let last: TreeLeaf | null = null;
  const step = leaves.length / ENTRY_BYTES / count;
  return Array.from({ length: count }, (_, i) => {
    last = appendEntries(last, leaves.subarray(sizeAt(last) * ENTRY_BYTES, (i + 1) * step * ENTRY_BYTES));
    if (last === null) throw new Error("a chain has receipts");
    const [tree_size, root] = [sizeAt(last), formatNode(rootAt(last))];
    return { head_index: i, tree_size, root, leaf_index: i, seal_index: i };
  });
}

function walk(leaves: Uint8Array, heads: readonly SealedHead[]): void {
  const read = (from: number, to: number) => leaves.subarray(from * ENTRY_BYTES, to * ENTRY_BYTES);
  const history = new ChainHistory("00".repeat(16), read);
  for (const head of heads) history.add(head);
}
