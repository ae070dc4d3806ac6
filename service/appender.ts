// The appender of one chain in this process: what arrives while a write is under way goes together in the next one.
// Between processes the condition on the sequence is the guard; whoever loses reads the newest leaf and plans again.
import { randomUUID } from "node:crypto";
import { DisclosureError } from "../core/errors.ts";
import { formatDigest } from "../core/hash.ts";
import type { TreeLeaf } from "../core/merkle-tree.ts";
import {
  batchLength,
  type Chain,
  type ChainHead,
  minuteOf,
  planReceipts,
  planWrites,
  type SignedReceipt,
  type Submission,
  type Turn,
} from "./append-plan.ts";
import { judgeRefusals, type Replay } from "./append-refusal.ts";
import { integerOf, textOf } from "./attributes.ts";
import { backoff } from "./backoff.ts";
import { type ChainLeaf, readChainLeaf } from "./chain-leaf.ts";
import { readEarlierReceipt } from "./earlier-receipt.ts";
import { turnFrom } from "./keys.ts";
import { Log } from "./log.ts";
import type { Macs } from "./macs.ts";
import type { Meter } from "./metric-names.ts";
import type { Table } from "./table.ts";

/** How long a call may wait for its place before the caller is told to try again. */
const APPEND_BUDGET_MS = 8_000;
/** How long the head that we wrote last counts as the newest; after that, others may well have gone on. */
const WARM_HEAD_MS = 1_000;
/**
 * How old a plan may be when it is sent. A process can be suspended in the middle of it, and the sealer looks for a
 * receipt around the minute of its plan only; see seal-news.ts.
 */
const MAX_PLAN_AGE_MS = 60_000;
/** How many conversations an appender remembers the newest turn of. */
const MAX_WARM_TURNS = 10_000;

/** A receipt that is safe in the ledger, and the leaves that were written together with it (itself among them). */
export interface Appended {
  readonly receipt: ChainLeaf;
  /** Ascending and without gaps; the last one is the chain's head right after them. */
  readonly writtenWith: readonly TreeLeaf[];
  /** `issued_at` of the receipt before those; null where they begin the chain, and for a replay, which did not ask. */
  readonly previousIssuedAt: string | null;
  /** Whether an earlier use of the same Idempotency-Key wrote it. */
  readonly isReplay: boolean;
}

interface Waiting {
  readonly submission: Submission;
  readonly deadline: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

export interface AppenderServices {
  readonly table: Table;
  readonly macs: Macs;
  readonly clock: () => Date;
  readonly meter: Meter;
}

export class Appender {
  readonly #services: AppenderServices;
  readonly #chain: Chain;
  readonly #log: Log;
  readonly #waiting: Waiting[] = [];
  readonly #turns = new Map<string, Turn>();
  #head: ChainHead | null = null;
  #headKnownAt = Number.NEGATIVE_INFINITY;
  #markedMinute = -1;
  #isDraining = false;

  constructor(services: AppenderServices, chain: Chain) {
    this.#services = services;
    this.#chain = chain;
    this.#log = new Log(services.table, chain.chainId);
  }

  /**
   * Writes one receipt, or finds the one that the same Idempotency-Key wrote before. Throws `idempotency_conflict`,
   * `ledger_contended`, `ledger_unavailable`, `mac_unavailable`.
   */
  append(submission: Submission): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ submission, deadline: performance.now() + APPEND_BUDGET_MS, resolve, reject });
      if (!this.#isDraining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#waiting.length > 0) {
      const length = batchLength(this.#waiting.map(({ submission }) => submission));
      const batch = this.#waiting.splice(0, length);
      await this.#write(batch).catch((error: unknown) => {
        this.#forget();
        // Members that were answered already don't hear this: a promise settles once.
        for (const member of batch) member.reject(error);
      });
    }
    this.#isDraining = false;
  }

  /** Sees a batch through until every member is answered. */
  async #write(batch: readonly Waiting[]): Promise<void> {
    let members = rejectOverdue(batch);
    for (let losses = 0; members.length > 0; members = rejectOverdue(members)) {
      const left = await this.#tryOnce(members);
      // Whoever lost a race waits. A member taken out as a replay is no race, and the others go on at once.
      if (left.length === members.length) await backoff(++losses);
      members = left;
    }
  }

  /** One plan, one transaction. Returns the members that are still to be written. */
  async #tryOnce(members: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { table, clock, meter } = this.#services;
    const submissions = members.map(({ submission }) => submission);
    await this.#learn(submissions);
    const now = clock();
    const receipts = await this.#sign(planReceipts(this.#chain, this.#head, this.#turns, submissions, now));
    const token = randomUUID();
    const writes = planWrites(table, {
      receipts,
      token,
      now,
      markNews: minuteOf(now) !== this.#markedMinute,
    });
    const isLate = () => clock().getTime() - now.getTime() > MAX_PLAN_AGE_MS;
    // A crash up to here has written nothing. A crash after it has written everything: the caller's retry with the
    // same Idempotency-Key finds the receipt.
    const outcome = await table.transact(
      writes.map(({ write }) => write),
      token,
      isLate,
    );
    if (outcome.kind === "throttled" || outcome.kind === "late") return members;
    const judgement = outcome.kind === "refused" ? judgeRefusals(writes, outcome.refusals, token) : outcome;
    if (judgement.kind === "again") {
      if (judgement.replays.length === 0) meter("lostRaces", 1);
      return this.#replay(members, judgement.replays);
    }
    const writtenWith = receipts.map(({ leaf }) => leaf);
    const batch = { writtenWith, previousIssuedAt: this.#head?.issuedAt ?? null, isReplay: false };
    this.#remember(receipts, now);
    for (const [i, receipt] of receipts.entries()) members[i]?.resolve({ receipt, ...batch });
    return [];
  }

  async #sign(planned: ReturnType<typeof planReceipts>): Promise<SignedReceipt[]> {
    const { macs } = this.#services;
    return Promise.all(
      planned.map(async (receipt) => ({
        ...receipt,
        authentication: await macs.authenticateReceipt(receipt.leaf.leafHash),
      })),
    );
  }

  /** Two strongly consistent reads side by side: the newest leaf, and the newest turn of each conversation. */
  async #learn(submissions: readonly Submission[]): Promise<void> {
    const isWarm = performance.now() - this.#headKnownAt < WARM_HEAD_MS;
    if (!isWarm) this.#forget();
    const conversations = new Set(submissions.map(({ conversation }) => conversation));
    const unknown = [...conversations].filter((conversation) => !this.#turns.has(conversation));
    await Promise.all([
      isWarm ? undefined : this.#learnHead(),
      ...unknown.map((conversation) => this.#learnTurn(conversation)),
    ]);
  }

  async #learnHead(): Promise<void> {
    const newest = await this.#log.newest();
    this.#head = newest && { leaf: newest.leaf, issuedAt: readChainLeaf(newest).core.issued_at };
    this.#headKnownAt = performance.now();
  }

  async #learnTurn(conversation: string): Promise<void> {
    const item = await this.#services.table.newest(conversation);
    if (item === null) return;
    const turn = integerOf(item, "turn");
    // A number that is not its key's would leave a hole in the conversation for good.
    if (textOf(item, "sk") !== turnFrom(turn)) {
      throw new DisclosureError("ledger_corrupt", "a turn does not stand under its own key");
    }
    this.#turns.set(conversation, { turn, leafHash: textOf(item, "leaf_hash") });
  }

  #remember(receipts: readonly SignedReceipt[], now: Date): void {
    for (const { submission, core, leaf } of receipts) {
      this.#turns.delete(submission.conversation);
      this.#turns.set(submission.conversation, { turn: core.turn, leafHash: formatDigest(leaf.leafHash) });
      this.#head = { leaf, issuedAt: core.issued_at };
    }
    for (const conversation of this.#turns.keys()) {
      if (this.#turns.size <= MAX_WARM_TURNS) break;
      this.#turns.delete(conversation);
    }
    this.#headKnownAt = performance.now();
    this.#markedMinute = minuteOf(now);
  }

  /** Another process went on, or may have: nothing that we remember counts any more. */
  #forget(): void {
    this.#headKnownAt = Number.NEGATIVE_INFINITY;
    this.#turns.clear();
  }

  /** Answers the members whose Idempotency-Key was used before. Returns the rest, which go again. */
  async #replay(members: readonly Waiting[], replays: readonly Replay[]): Promise<readonly Waiting[]> {
    this.#forget();
    const records = new Map(replays.map(({ submission, record }) => [submission, record]));
    await Promise.all(
      members.map(async ({ submission, resolve, reject }) => {
        const record = records.get(submission);
        if (record === undefined) return;
        await readEarlierReceipt(this.#services, submission, record).then(asReplay).then(resolve, reject);
      }),
    );
    return members.filter(({ submission }) => !records.has(submission));
  }
}

/** Ends the wait of those whose budget is spent: nothing of theirs was written. */
function rejectOverdue(members: readonly Waiting[]): readonly Waiting[] {
  const now = performance.now();
  for (const { deadline, reject } of members) {
    if (deadline <= now)
      reject(new DisclosureError("ledger_contended", "the chain was too busy for this call"));
  }
  return members.filter(({ deadline }) => deadline > now);
}

const asReplay = (receipt: ChainLeaf): Appended => ({
  receipt,
  writtenWith: [receipt.leaf],
  previousIssuedAt: null,
  isReplay: true,
});
