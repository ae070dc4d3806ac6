// The journal of a run, calls.jsonl: one line for each logical call, by which the oracle judges the service.
import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

export const CALLS_FILE = "calls.jsonl";

/** A call from its first try to its answer. Times are in milliseconds since the epoch. */
export interface JournalCall {
  readonly tenant: number;
  readonly interaction_id: string;
  readonly idempotency_key: string | null;
  /** The exact text that was sent. */
  readonly body: string;
  readonly asked_at: number;
  readonly answered_at: number;
  readonly tries: number;
  /** Null where the run ended before an answer came: the receipt may exist or not. */
  readonly status: number | null;
  /** As the answer's JSON has it; null unless the call was answered with one. */
  readonly receipt: Readonly<Record<string, unknown>> | null;
  readonly event_id: string | null;
}

const answeredSchema = z.looseObject({
  event_id: z.string(),
  receipts: z.tuple([z.looseObject({ chain_id: z.string(), sequence: z.int(), turn: z.int() })]),
});

export interface AnsweredReceipt {
  readonly eventId: string;
  readonly chainId: string;
  readonly sequence: number;
  readonly receipt: Readonly<Record<string, unknown>>;
}

/** Null for what is no receipt. */
export function readAnswer(answer: unknown): AnsweredReceipt | null {
  const { data } = answeredSchema.safeParse(answer);
  if (data === undefined) return null;
  const [receipt] = data.receipts;
  return { eventId: data.event_id, chainId: receipt.chain_id, sequence: receipt.sequence, receipt };
}

export class CallJournal {
  readonly #file: WriteStream;
  readonly #receipts = new Set<string>();
  /** The sequence of the newest answered receipt of each chain, by tenant. */
  readonly #newest = new Map<number, Map<string, number>>();
  calls = 0;
  open = 0;

  constructor(out: string) {
    this.#file = createWriteStream(join(out, CALLS_FILE), { mode: 0o600 });
  }

  /** Different receipts that were answered. */
  get receipts(): number {
    return this.#receipts.size;
  }

  /** The chains on which the tenant was answered receipts, with the size that each has at least. */
  sizesOf(tenant: number): ReadonlyMap<string, number> {
    return this.#newest.get(tenant) ?? new Map();
  }

  write(call: Omit<JournalCall, "receipt" | "event_id">, answer: AnsweredReceipt | null): void {
    this.calls++;
    if (call.status === null) this.open++;
    const line: JournalCall = {
      ...call,
      receipt: answer?.receipt ?? null,
      event_id: answer?.eventId ?? null,
    };
    this.#file.write(`${JSON.stringify(line)}\n`);
    if (answer === null) return;
    this.#receipts.add(answer.eventId);
    const chains = this.#newest.get(call.tenant) ?? new Map<string, number>();
    this.#newest.set(call.tenant, chains);
    chains.set(answer.chainId, Math.max(chains.get(answer.chainId) ?? 0, answer.sequence + 1));
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#file.end(resolve);
    await promise;
  }
}
