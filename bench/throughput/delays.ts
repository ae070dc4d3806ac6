// DynamoDB and KMS as far away as in a Region: the engine on this machine answers at once, so clients wait here.
import { setTimeout as sleep } from "node:timers/promises";
import type { DynamoDBClient, TransactWriteItemsCommandInput } from "@aws-sdk/client-dynamodb";
import { itemBytes } from "../cost/item-bytes.ts";
import { type Random, spread } from "./random.ts";
import { LATENCY_MS, type Totals } from "./row.ts";

const WRITE_UNIT_BYTES = 1_024;
/** A transaction prepares and commits each item. */
const UNITS_IN_TRANSACTION = 2;

/** The latencies of one process, by chance. */
export class Delays {
  readonly #random: Random;
  readonly #slowness: number;

  constructor(random: Random, slowness: number) {
    this.#random = random;
    this.#slowness = slowness;
  }

  of(operation: keyof typeof LATENCY_MS): number {
    return spread(this.#random, LATENCY_MS[operation] * this.#slowness);
  }
}

/**
 * Half of a request's latency passes before the engine has it, and the rest after: so the engine's own time is a part
 * of the latency, and a transaction takes effect in the middle.
 */
export async function inTheMiddle<T>(latencyMs: number, request: () => Promise<T>): Promise<T> {
  const start = performance.now();
  await sleep(latencyMs / 2);
  try {
    return await request();
  } finally {
    await sleep(Math.max(0, latencyMs - (performance.now() - start)));
  }
}

/** Delays a client's requests, and counts the units that DynamoDB would bill for them. */
export function delayDynamoDb(client: DynamoDBClient, delays: Delays, totals: Totals): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isTransaction = commandName === "TransactWriteItemsCommand";
        if (isTransaction) {
          totals.transactions++;
          // A refused transaction is billed as well, and its answer doesn't say so.
          totals.writeUnits += transactionUnits(args.input as TransactWriteItemsCommandInput);
          return inTheMiddle(delays.of("transaction"), () => next(args));
        }
        totals.reads++;
        const input = { ...args.input, ReturnConsumedCapacity: "TOTAL" as const };
        const answer = await inTheMiddle(delays.of("read"), () => next({ ...args, input }));
        totals.readUnits += consumedUnits(answer.output);
        return answer;
      },
    { step: "initialize" },
  );
}

export function transactionUnits({ TransactItems = [] }: TransactWriteItemsCommandInput): number {
  const sizes = TransactItems.map(({ Put }) => itemBytes(wireForm(Put?.Item ?? {})));
  return sizes.reduce(
    (sum, bytes) => sum + UNITS_IN_TRANSACTION * Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES)),
    0,
  );
}

/** An item as DynamoDB's JSON has it: bytes are base64. */
const wireForm = (item: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(item, (_, value) => (value instanceof Uint8Array ? base64(value) : value)));

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

function consumedUnits(output: object): number {
  const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Capacity | Capacity[] };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

interface Capacity {
  readonly CapacityUnits?: number;
}
