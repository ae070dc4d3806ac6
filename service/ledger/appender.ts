// The appender of one chain in this process: calls that arrive while a write is under way share the next one.
//
//  1. Take a batch: as many waiting calls as fit one transaction.   Crash: nothing is written; callers try again.
//  2. Learn the newest leaf and turns, unless they are remembered, and look for a newer seal with a token, if the one
//     that is remembered is half a minute old. A lookup that fails leaves that one.  Crash: the same.
//     A newest leaf with a false code is not continued: its chain is damaged.
//     A member whose conversation is on another chain goes there (appender-pool.ts): it is not written here. One whose
//     conversation is being erased or removed (closed-conversation.ts), or whose newest turn is damaged, is refused alone.
//  3. Plan the receipts, linked and in order (append-plan.ts).      Crash: the same.
//  4. Authenticate each receipt; KMS is asked for the day's key,    Crash: the same; the codes are lost with the plan.
//     unless this process has it.
//  5. Send one transaction under a token: leaves, turns, idempotency records and, with the first receipt of a minute, the
//     news marker. Each leaf and turn must be new, so of two processes one wins.
//                                                                   Crash: all of it is written, or nothing.
//  6. Unknown outcome: the table sends it again under that token.   Crash: as in 5.
//  7. Refused: judge the items in the way (append-refusal.ts). Our own leaf means that it was written: 10.
//  8. An Idempotency-Key was used before: answer with its receipt.  Crash: a retry with the key finds the same receipt.
//  9. Another process won the race: forget, wait, and go to 2 with the rest, until the deadline of each call.
// 10. Remember the receipts and answer.                             Crash: a retry with the key finds the receipt (8).
import { randomUUID } from "node:crypto";
import { MINUTE_MS } from "../../contract/time.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { type Backoff, backoffUpTo } from "../table/backoff.ts";
import type { Table } from "../table/table.ts";
import type { TransactionOutcome } from "../table/transaction-outcome.ts";
import {
  batchLength,
  type PlannedReceipt,
  planReceipts,
  type SignedReceipt,
  type Submission,
} from "./append-plan.ts";
import { judgeRefusals, type RefusalJudgement, type Replay } from "./append-refusal.ts";
import { type PlannedWrite, planWrites } from "./append-writes.ts";
import { type Appended, asReplay, type Moved } from "./appended.ts";
import type { Chain } from "./chain.ts";
import { HeadMemory } from "./chain-memory.ts";
import { readEarlierReceipt } from "./earlier-receipt.ts";
import type { Macs } from "./macs.ts";
import type { ProcessKind } from "./process-kind.ts";
import type { StampedSealMemory } from "./stamped-seal.ts";

/** The longest wait of a call for its place; after that the caller is asked to try again. */
const APPEND_BUDGET_MS = 8_000;
/**
 * The oldest plan that is sent, and the oldest reading that one is made from. A process can be suspended in the middle of
 * either. The sealer looks for a receipt for twenty minutes after its own minute only (seal-news.ts), and a conversation
 * that was erased meanwhile stays closed for as long (closed-conversation.ts).
 */
const MAX_PLAN_AGE_MS = MINUTE_MS;

interface WaitingCall {
  readonly submission: Submission;
  readonly deadline: number;
  readonly resolve: (outcome: Appended | Moved) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch ready to be sent. */
interface PlannedBatch {
  readonly receipts: readonly SignedReceipt[];
  readonly writes: readonly PlannedWrite[];
  /** The transaction's token. */
  readonly token: string;
  /** When it was planned, and when the reading began from which it was. */
  readonly now: Date;
  readonly readFrom: Date;
}

export interface AppenderServices {
  readonly table: Table;
  readonly macs: Macs;
  readonly stampedSeals: StampedSealMemory;
  readonly processKind: ProcessKind;
  /** Once it is aborted nothing more is planned: the process is about to end. */
  readonly stopping?: AbortSignal;
}

/** When a call that begins now has waited long enough, in milliseconds of `performance.now()`. */
export const appendDeadline = (): number => performance.now() + APPEND_BUDGET_MS;

export class Appender {
  readonly #services: AppenderServices;
  readonly #chain: Chain;
  readonly #memory: HeadMemory;
  readonly #backoff: Backoff;
  readonly #waiting: WaitingCall[] = [];
  #isDraining = false;
  /** The races that the batch under way has lost. */
  #lostRaces = 0;

  constructor(services: AppenderServices, chain: Chain) {
    this.#services = services;
    this.#chain = chain;
    this.#memory = new HeadMemory(services, chain.chainId, services.processKind);
    this.#backoff = backoffUpTo(services.processKind.maxBackoffMs);
  }

  /**
   * Writes one receipt, or finds the one that the same Idempotency-Key wrote before, or the chain that its conversation
   * is on. Throws `idempotency_conflict`, `ledger_contended`, `ledger_unavailable`, `mac_unavailable`, `clock_off`.
   */
  append(submission: Submission, deadline = appendDeadline()): Promise<Appended | Moved> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ submission, deadline, resolve, reject });
      if (!this.#isDraining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#waiting.length > 0) {
      const length = batchLength(this.#waiting.map(({ submission }) => submission));
      const batch = this.#waiting.splice(0, length);
      await this.#write(batch).catch((error: unknown) => {
        this.#memory.forget();
        // Members that were answered already are not affected: a promise settles once.
        for (const member of batch) member.reject(error);
      });
    }
    this.#isDraining = false;
  }

  /** Writes a batch, again and again, until every member is answered. */
  async #write(batch: readonly WaitingCall[]): Promise<void> {
    const { stopping } = this.#services;
    this.#lostRaces = 0;
    let members = rejectOverdue(batch, stopping);
    for (let losses = 0; members.length > 0; members = rejectOverdue(members, stopping)) {
      const left = await this.#tryOnce(members);
      // After a lost race the batch waits. Where a member was only a replay, the others are sent again at once.
      if (left.length === members.length) await this.#backoff(++losses);
      members = left;
    }
  }

  /** One plan, one transaction. Returns the members that are still to be written. */
  async #tryOnce(batch: readonly WaitingCall[]): Promise<readonly WaitingCall[]> {
    const readFrom = this.#services.table.clock();
    await Promise.all([
      this.#memory.learn(new Set(batch.map(({ submission }) => submission.conversation))),
      this.#services.stampedSeals.refresh(),
    ]);
    const members = this.#sendMovedOn(batch);
    if (members.length === 0) return [];
    const submissions = members.map(({ submission }) => submission);
    const plan = await this.#plan(submissions, readFrom);
    // A crash up to here has written nothing. From here on, all or nothing is written: where it was, the caller's retry
    // with the same Idempotency-Key finds the receipt.
    const judgement = await this.#send(plan);
    if (judgement.kind === "throttled" || judgement.kind === "late") return members;
    if (judgement.kind === "again") return this.#replay(members, judgement.replays);
    this.#answer(members, plan);
    return [];
  }

  /** Answers the members whose conversation is on another chain, or has no next turn. Returns the rest. */
  #sendMovedOn(batch: readonly WaitingCall[]): readonly WaitingCall[] {
    return batch.filter(({ submission, resolve, reject }) => {
      const refusal = this.#memory.refusalOf(submission.conversation);
      if (refusal !== undefined) {
        reject(refusal);
        return false;
      }
      const chainId = this.#memory.turns.get(submission.conversation)?.chainId ?? this.#chain.chainId;
      if (chainId === this.#chain.chainId) return true;
      resolve({ kind: "moved", chainId });
      return false;
    });
  }

  async #plan(submissions: readonly Submission[], readFrom: Date): Promise<PlannedBatch> {
    const now = await this.#services.table.confirmedTime();
    const { newest: head, turns } = this.#memory;
    const { newest: stampedSeal } = this.#services.stampedSeals;
    const context = { head, turns, stampedSeal, now };
    const receipts = await this.#sign(planReceipts(this.#chain, submissions, context));
    const token = randomUUID();
    return { receipts, token, now, readFrom, writes: planWrites({ receipts, token, now, head }) };
  }

  async #sign(planned: readonly PlannedReceipt[]): Promise<SignedReceipt[]> {
    const { macs } = this.#services;
    return Promise.all(
      planned.map(async (receipt) => ({
        ...receipt,
        authentication: await macs.authenticateReceipt(receipt),
      })),
    );
  }

  /** The outcome of the plan: all of it was written, or nothing and why. */
  async #send({
    writes,
    token,
    now,
    readFrom,
  }: PlannedBatch): Promise<RefusalJudgement | Exclude<TransactionOutcome, { kind: "refused" }>> {
    const { table } = this.#services;
    // Either way: a clock that was an hour ahead, and is set right meanwhile, would leave a receipt of the future.
    const isOld = (time: Date) => Math.abs(table.clock().getTime() - time.getTime()) > MAX_PLAN_AGE_MS;
    const isLate = () => isOld(now) || isOld(readFrom);
    const items = writes.map(({ write }) => write);
    const outcome = await table.transact(items, token, isLate);
    return outcome.kind === "refused" ? judgeRefusals(writes, outcome.refusals, token) : outcome;
  }

  #answer(members: readonly WaitingCall[], { receipts, now }: PlannedBatch): void {
    const writtenWith = receipts.map(({ leaf }) => leaf);
    const previousIssuedAt = this.#memory.newest?.issuedAt ?? null;
    this.#memory.remember(receipts, now);
    const together = { writtenWith, previousIssuedAt, isReplay: false, lostRaces: this.#lostRaces };
    for (const [i, receipt] of receipts.entries()) members[i]?.resolve({ receipt, ...together });
  }

  /** Answers the members whose Idempotency-Key was used before. Returns the rest, which go again. */
  async #replay(
    members: readonly WaitingCall[],
    replays: readonly Replay[],
  ): Promise<readonly WaitingCall[]> {
    // Another process has written to the chain.
    this.#memory.forget();
    if (replays.length === 0) this.#lostRaces++;
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

/** Rejects the calls whose budget is spent, or all where the process ends: none of their receipts was written. */
function rejectOverdue(members: readonly WaitingCall[], stopping?: AbortSignal): readonly WaitingCall[] {
  const now = stopping?.aborted ? Number.POSITIVE_INFINITY : performance.now();
  for (const { deadline, reject } of members) {
    if (deadline <= now)
      reject(new DisclosureError("ledger_contended", "the chain was too busy for this call"));
  }
  return members.filter(({ deadline }) => deadline > now);
}
