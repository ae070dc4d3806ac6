// The stamps of chains in this process. Calls of one chain that meet share one token over the newest root among them:
// it covers the earlier receipts too, and their proofs go to that root. At most one stamp of a chain is under way.
import { PENDING_TIMESTAMP, type TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import { leavesForInclusion, rootAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import type { Appended } from "../ledger/appended.ts";
import { Log, type LogInclusionProof } from "../ledger/log.ts";
import type { Table } from "../table/table.ts";
import type { Stamp } from "../timestamps/ports.ts";
import { proofBy, proveAmong, proveAsWritten } from "./first-proof.ts";

/** A stamp begins only with this share of the budget left: an authority cut short would count as failed and be rested. */
const LEAST_PART = 1 / 2;

export interface ChainStampsOptions {
  readonly stamp: Stamp;
  readonly table: Table;
  /** How long a call may wait for its token, in milliseconds. */
  readonly budgetMs: number;
  /** Called with faults of our own. The calls that meet one are answered all the same, without a token. */
  readonly onFault: (error: unknown) => void;
  /** Once it is aborted no call waits for a token any longer: the process is about to end. */
  readonly stopping?: AbortSignal;
}

/** A receipt's first proof, and the timestamp of the root that it leads to. */
export interface StampedProof {
  readonly proof: LogInclusionProof;
  readonly timestamp: TsaTimestamp;
}

/** One token, and the calls that share it. */
interface SharedStamp {
  /** The newest leaf among the calls. It moves on while they wait, and not any more once the authority is asked. */
  head: TreeLeaf;
  /** `issued_at` of that leaf's receipt; none under it is younger. */
  notBefore: string;
  /** When the last of the calls stops waiting, in milliseconds of `performance.now()`. */
  deadline: number;
  /** The leaves that were written with the calls, by index. */
  readonly leaves: Map<number, TreeLeaf>;
  readonly timestamp: PromiseWithResolvers<TsaTimestamp>;
}

/** A chain with a stamp under way; calls that arrive too late for it share the next one. */
interface Queue {
  underWay: SharedStamp;
  next: SharedStamp | null;
}

/** The receipt under its own root, right after what was written with it, without a token. */
export const unstamped = (appended: Appended): StampedProof => ({
  proof: proveAsWritten(appended),
  timestamp: PENDING_TIMESTAMP,
});

export class ChainStamps {
  readonly #options: ChainStampsOptions;
  /** One for each chain that has a stamp under way, by its id. */
  readonly #queues = new Map<string, Queue>();

  constructor(options: ChainStampsOptions) {
    this.#options = options;
  }

  /**
   * A token within the budget over a root that covers the receipt, or the receipt unstamped: neither an authority's
   * fault nor one of ours on the way to its token is thrown.
   */
  async stamp(appended: Appended): Promise<StampedProof> {
    const deadline = performance.now() + this.#options.budgetMs;
    const shared = this.#join(appended, deadline);
    const timestamp = await withDeadline(shared.timestamp.promise, deadline, this.#options.stopping);
    if (timestamp?.status !== "included") return unstamped(appended);
    const proving = this.#orNull(() => this.#prove(appended, shared));
    const proof = await withDeadline(proving, deadline, this.#options.stopping);
    return proof === null ? unstamped(appended) : { proof, timestamp };
  }

  #join(appended: Appended, deadline: number): SharedStamp {
    const { leaf, core } = appended.receipt;
    const queue = this.#queues.get(core.chain_id);
    if (queue !== undefined && leaf.leafIndex <= queue.underWay.head.leafIndex) {
      remember(queue.underWay, appended);
      return queue.underWay;
    }
    const waiting = queue?.next ?? newSharedStamp(leaf, core.issued_at);
    remember(waiting, appended);
    moveOn(waiting, appended, deadline);
    if (queue === undefined) void this.#run(core.chain_id, waiting);
    else queue.next = waiting;
    return waiting;
  }

  /** One stamp after the other, for as long as calls wait. */
  async #run(chainId: string, first: SharedStamp): Promise<void> {
    const queue: Queue = { underWay: first, next: null };
    this.#queues.set(chainId, queue);
    for (let shared: SharedStamp | null = first; shared !== null; shared = queue.next) {
      [queue.underWay, queue.next] = [shared, null];
      shared.timestamp.resolve(await this.#ask(shared));
    }
    this.#queues.delete(chainId);
  }

  async #ask({ head, notBefore, deadline }: SharedStamp): Promise<TsaTimestamp> {
    const budgetMs = deadline - performance.now();
    if (budgetMs < LEAST_PART * this.#options.budgetMs) return PENDING_TIMESTAMP;
    const asking = this.#orNull(() => this.#options.stamp(rootAt(head), budgetMs, notBefore));
    return (await withDeadline(asking, deadline)) ?? PENDING_TIMESTAMP;
  }

  /** Proves from the leaves that this process wrote or, where others wrote some in between, from the table. */
  async #prove(
    { receipt: { leaf, core } }: Appended,
    { head, leaves }: SharedStamp,
  ): Promise<LogInclusionProof> {
    const treeSize = head.leafIndex + 1;
    const needed = leavesForInclusion(leaf.leafIndex, treeSize);
    if (needed.every((leafIndex) => leaves.has(leafIndex))) return proveAmong(leaf, head, leaves);
    const log = new Log(this.#options.table, core.chain_id);
    const { proof } = await log.inclusionProof(leaf.leafIndex, treeSize);
    // The table's own root is not enough: the path must lead to the one that was stamped.
    return proofBy(leaf, head, proof.path);
  }

  async #orNull<T>(run: () => Promise<T>): Promise<T | null> {
    try {
      return await run();
    } catch (error) {
      this.#options.onFault(error);
      return null;
    }
  }
}

function newSharedStamp(head: TreeLeaf, notBefore: string): SharedStamp {
  return { head, notBefore, deadline: 0, leaves: new Map(), timestamp: Promise.withResolvers() };
}

function remember({ leaves }: SharedStamp, { writtenWith }: Appended): void {
  for (const leaf of writtenWith) leaves.set(leaf.leafIndex, leaf);
}

function moveOn(waiting: SharedStamp, { receipt, writtenWith }: Appended, deadline: number): void {
  const head = writtenWith.at(-1) ?? receipt.leaf;
  if (head.leafIndex > waiting.head.leafIndex) {
    waiting.head = head;
    // All that is written together has one time.
    waiting.notBefore = receipt.core.issued_at;
  }
  waiting.deadline = Math.max(waiting.deadline, deadline);
}

/**
 * The result of `promise`, or null where `deadline`, in milliseconds of `performance.now()`, or the end of all waiting
 * comes first.
 */
export async function withDeadline<T>(
  promise: Promise<T>,
  deadline: number,
  stopping?: AbortSignal,
): Promise<T | null> {
  const end = Promise.withResolvers<null>();
  const giveUp = () => end.resolve(null);
  // A deadline that passed while the process was suspended: Node would warn of a negative time.
  const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
  stopping?.addEventListener("abort", giveUp);
  if (stopping?.aborted) giveUp();
  try {
    return await Promise.race([promise, end.promise]);
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener("abort", giveUp);
  }
}
