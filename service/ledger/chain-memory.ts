// The memory of a process for a chain that it appends to: its newest receipt, and the newest turns of conversations.
import { MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { turnFrom } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type NewestReceipt, type SignedReceipt, type Turn, turnOf } from "./append-plan.ts";
import { type ChainLeaf, readChainLeaf } from "./chain-leaf.ts";
import { conversationClosed, isInForce, readNewestItems } from "./closed-conversation.ts";
import { Log } from "./log.ts";
import type { Macs } from "./macs.ts";
import type { ProcessKind } from "./process-kind.ts";

/** The most conversations that are remembered. */
const MAX_WARM_TURNS = 10_000;
/**
 * A turn is remembered for this long, by the table's clock: a process may be suspended. Its conversation may be erased or
 * removed meanwhile, and stays closed for longer than that (closed-conversation.ts).
 */
const TURN_LIFE_MS = 3 * MINUTE_MS;

/**
 * A clock that moved by more than this since the table last answered has jumped. Then the newest leaf is read again, and
 * the table's answer shows the jump before a receipt is dated by it: one of a time still to come would block its chain.
 */
const MAX_CLOCK_STEP_MS = MINUTE_MS;

type KnownTurn = Turn & { readonly learnedAt: number };

export class HeadMemory {
  readonly #table: Table;
  readonly #macs: Macs;
  readonly #log: Log;
  /** After this time, another process may well have written a newer receipt. */
  readonly #headLifeMs: number;
  readonly #turns = new BoundedMap<string, KnownTurn>(MAX_WARM_TURNS);
  /** The conversations that were learned last and can't go on, with the reason. */
  readonly #refusals = new Map<string, DisclosureError>();
  #newest: NewestReceipt | null = null;
  #newestKnownAt = Number.NEGATIVE_INFINITY;
  /** The same by the table's clock, in milliseconds since the epoch. */
  #newestDatedAt = Number.NEGATIVE_INFINITY;

  constructor(
    { table, macs }: { readonly table: Table; readonly macs: Macs },
    chainId: string,
    { headLifeMs }: ProcessKind,
  ) {
    this.#table = table;
    this.#macs = macs;
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

  /**
   * The reason why the conversation was found to have no next turn when it was learned last; undefined where it has one. It
   * is closed, or its newest turn is damaged, which is no fault of the others that are learned with it.
   */
  refusalOf(conversation: string): DisclosureError | undefined {
    return this.#refusals.get(conversation);
  }

  /**
   * Two strongly consistent reads at the same time: the newest leaf, and the newest turn of each conversation. Throws
   * `ledger_corrupt` where the newest receipt's code is not its own, and `mac_unavailable` where that can't be said.
   */
  async learn(conversations: ReadonlySet<string>): Promise<void> {
    const now = this.#table.clock().getTime();
    const isFresh = performance.now() - this.#newestKnownAt < this.#headLifeMs;
    const isWarm = isFresh && Math.abs(now - this.#newestDatedAt) < MAX_CLOCK_STEP_MS;
    if (!isWarm) this.forget();
    this.#refusals.clear();
    const unknown = [...conversations].filter((conversation) => !this.#isKnown(conversation, now));
    await Promise.all([
      isWarm ? undefined : this.#learnNewest(now),
      ...unknown.map((conversation) => this.#learnOrRefuse(conversation, now)),
    ]);
  }

  #isKnown(conversation: string, now: number): boolean {
    const learnedAt = this.#turns.get(conversation)?.learnedAt;
    // A clock that went back says nothing of a memory's age.
    return learnedAt !== undefined && Math.abs(now - learnedAt) < TURN_LIFE_MS;
  }

  async #learnNewest(datedAt: number): Promise<void> {
    const entry = await this.#log.newest();
    const receipt = entry && readChainLeaf(entry);
    // Whoever can write the table and has no key must not grow a chain: nothing is appended to what they wrote.
    if (receipt !== null) await this.#macs.verifyReceipt(receipt);
    this.#newest = receipt && newestReceipt(receipt);
    this.#newestKnownAt = performance.now();
    this.#newestDatedAt = datedAt;
  }

  async #learnOrRefuse(conversation: string, learnedAt: number): Promise<void> {
    try {
      await this.#learnTurn(conversation, learnedAt);
    } catch (error) {
      if (!isDisclosureError(error, "ledger_corrupt")) throw error;
      this.#refusals.set(conversation, error);
    }
  }

  async #learnTurn(conversation: string, learnedAt: number): Promise<void> {
    this.#turns.delete(conversation);
    const { closing, turn: item } = await readNewestItems(this.#table, conversation);
    const seconds = Math.floor(learnedAt / SECOND_MS);
    if (closing.some((other) => isInForce(other, seconds))) {
      // Its turn is not remembered: those after it may be taken already, and whoever went on from it would find the next
      // place free and give a number twice.
      this.#refusals.set(conversation, conversationClosed());
      return;
    }
    if (item === null) return;
    const turn = integerOf(item, "turn");
    // A number that is not its key's would leave a permanent gap in the conversation.
    if (textOf(item, "sk") !== turnFrom(turn)) {
      throw new DisclosureError("ledger_corrupt", "a turn is stored under the key of another");
    }
    const [leafHash, chainId] = [textOf(item, "leaf_hash"), textOf(item, "chain_id")];
    this.#turns.set(conversation, { turn, leafHash, chainId, learnedAt });
  }

  /** Takes in receipts that we have just written. */
  remember(receipts: readonly SignedReceipt[], plannedAt: Date): void {
    const learnedAt = plannedAt.getTime();
    for (const { submission, core, leaf, stampedSeal } of receipts) {
      this.#turns.set(submission.conversation, { ...turnOf(core, leaf.leafHash), learnedAt });
      this.#newest = newestReceipt({ leaf, core, stampedSeal });
    }
    this.#newestKnownAt = performance.now();
    this.#newestDatedAt = learnedAt;
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
