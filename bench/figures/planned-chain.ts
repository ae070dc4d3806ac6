// A chain's transactions planned without an appender, by the service's own planner: full ones, one after the other.
import { randomUUID } from "node:crypto";
import { type AttestationRequest, hashInput } from "../../evidence/core/formats/attestation-request.ts";
import type { PolicyRules } from "../../evidence/core/policy/policy-rules.ts";
import {
  batchLength,
  type NewestReceipt,
  planReceipts,
  type SignedReceipt,
  type Submission,
  type Turn,
  turnOf,
} from "../../service/ledger/append-plan.ts";
import { planWrites } from "../../service/ledger/append-writes.ts";
import type { Chain } from "../../service/ledger/chain.ts";
import type { Macs } from "../../service/ledger/macs.ts";
import { conversationPartition, idempotencyKey } from "../../service/table/keys.ts";
import type { Write } from "../../service/table/write.ts";
import { DISCLOSURE } from "../disclosure.ts";

const TURNS = 4;
/** More than any transaction holds: the planner says how many fit. */
const OFFERED = 50;

/** A transaction with its token. */
export interface PlannedTransaction {
  readonly writes: readonly Write[];
  readonly token: string;
  readonly receipts: readonly SignedReceipt[];
}

export interface PlannedChainOptions {
  readonly tenantId: string;
  readonly chain: Chain;
  readonly macs: Pick<Macs, "authenticateReceipt">;
  readonly rules: PolicyRules;
  /** True where each call has an Idempotency-Key: one item more. */
  readonly hasKeys: boolean;
  readonly clock: () => Date;
}

/** Conversations of four turns, one after the other, until so many receipts are planned. */
export class PlannedChain {
  readonly #options: PlannedChainOptions;
  #head: NewestReceipt | null = null;
  #turns = new Map<string, Turn>();
  #planned = 0;

  constructor(options: PlannedChainOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#planned;
  }

  /** The next transaction, as full as one can be, and with `most` receipts at most. */
  async next(most = Number.POSITIVE_INFINITY): Promise<PlannedTransaction> {
    const offered = Array.from({ length: Math.min(OFFERED, most) }, (_, i) =>
      this.#submission(this.#planned + i),
    );
    const submissions = offered.slice(0, batchLength(offered));
    const { chain, macs, clock } = this.#options;
    const now = clock();
    const context = { head: this.#head, turns: this.#turns, stampedSeal: null, now };
    const receipts = await Promise.all(
      planReceipts(chain, submissions, context).map(async (receipt) => ({
        ...receipt,
        authentication: await macs.authenticateReceipt(receipt),
      })),
    );
    const token = randomUUID();
    const planned = planWrites({ receipts, token, now, head: this.#head });
    this.#remember(receipts);
    return { writes: planned.map(({ write }) => write), token, receipts };
  }

  #submission(index: number): Submission {
    const { tenantId, rules, hasKeys } = this.#options;
    const interaction_id = `conversation-${Math.floor(index / TURNS)}`;
    const request = { ...DISCLOSURE, interaction_id } as AttestationRequest;
    return {
      request,
      inputHash: hashInput(request),
      rules,
      conversation: conversationPartition(tenantId, interaction_id),
      idempotency: hasKeys ? idempotencyKey(tenantId, randomUUID()) : null,
    };
  }

  #remember(receipts: readonly SignedReceipt[]): void {
    const last = receipts.at(-1);
    if (last === undefined) throw new Error("a transaction has no receipt");
    this.#planned += receipts.length;
    this.#head = { leaf: last.leaf, issuedAt: last.core.issued_at, stampedSeal: last.stampedSeal };
    // Only the newest conversation goes on.
    const { conversation } = last.submission;
    this.#turns = new Map([[conversation, turnOf(last.core, last.leaf.leafHash)]]);
  }
}
