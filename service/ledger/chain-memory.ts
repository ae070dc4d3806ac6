// The memory of a process for a chain that it appends to: its newest receipt, and the newest turns of conversations.
import { BoundedMap } from "../../core/bounded-map.ts";
import { DisclosureError } from "../../core/errors.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { turnFrom } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type NewestReceipt, type SignedReceipt, type Turn, turnOf } from "./append-plan.ts";
import { type ChainLeaf, readChainLeaf } from "./chain-leaf.ts";
import { Log } from "./log.ts";
import type { ProcessKind } from "./process-kind.ts";

/** The most conversations that are remembered. */
const MAX_WARM_TURNS = 10_000;

export class HeadMemory {
  readonly #table: Table;
  readonly #log: Log;
  /** After that, another process may well have written a newer one. */
  readonly #headLifeMs: number;
  readonly #turns = new BoundedMap<string, Turn>(MAX_WARM_TURNS);
  #newest: NewestReceipt | null = null;
  #newestKnownAt = Number.NEGATIVE_INFINITY;

  constructor(table: Table, chainId: string, { headLifeMs }: ProcessKind) {
    this.#table = table;
    this.#headLifeMs = headLifeMs;
    this.#log = new Log(table, chainId);
  }

  /** The newest receipt as it was learned or remembered last; null for an empty chain. */
  get newest(): NewestReceipt | null {
    return this.#newest;
  }

  /** The newest turns, by conversation. */
  get turns(): ReadonlyMap<string, Turn> {
    return this.#turns;
  }

  /** Two strongly consistent reads at the same time: the newest leaf, and the newest turn of each conversation. */
  async learn(conversations: ReadonlySet<string>): Promise<void> {
    const isWarm = performance.now() - this.#newestKnownAt < this.#headLifeMs;
    if (!isWarm) this.forget();
    const unknown = [...conversations].filter((conversation) => !this.#turns.has(conversation));
    await Promise.all([
      isWarm ? undefined : this.#learnNewest(),
      ...unknown.map((conversation) => this.#learnTurn(conversation)),
    ]);
  }

  async #learnNewest(): Promise<void> {
    const entry = await this.#log.newest();
    this.#newest = entry && newestReceipt(readChainLeaf(entry));
    this.#newestKnownAt = performance.now();
  }

  async #learnTurn(conversation: string): Promise<void> {
    const item = await this.#table.newest(conversation);
    if (item === null) return;
    const turn = integerOf(item, "turn");
    // A number that is not its key's would leave a permanent gap in the conversation.
    if (textOf(item, "sk") !== turnFrom(turn)) {
      throw new DisclosureError("ledger_corrupt", "a turn is stored under the key of another");
    }
    const [leafHash, chainId] = [textOf(item, "leaf_hash"), textOf(item, "chain_id")];
    this.#turns.set(conversation, { turn, leafHash, chainId });
  }

  /** Takes in receipts that we have just written. */
  remember(receipts: readonly SignedReceipt[]): void {
    for (const { submission, core, leaf, stampedSeal } of receipts) {
      this.#turns.set(submission.conversation, turnOf(core, leaf.leafHash));
      this.#newest = newestReceipt({ leaf, core, stampedSeal });
    }
    this.#newestKnownAt = performance.now();
  }

  /** Call this when another process has written to the chain, or may have: this memory is out of date then. */
  forget(): void {
    this.#newestKnownAt = Number.NEGATIVE_INFINITY;
    this.#turns.clear();
  }
}

const newestReceipt = ({ leaf, core, stampedSeal }: Omit<ChainLeaf, "authentication">): NewestReceipt => ({
  leaf,
  issuedAt: core.issued_at,
  stampedSeal,
});
