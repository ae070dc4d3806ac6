// The one table, as the service uses it: strongly consistent reads and all-or-nothing writes. AWS errors end here.
import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { AwsClock } from "./aws-clock.ts";
import { errorNameOf } from "./aws-error.ts";
import { backoff } from "./backoff.ts";
import type { Condition } from "./condition.ts";
import type { Item } from "./item.ts";
import { type ItemKey, NO_ITEM_KEY } from "./keys.ts";
import { readOutcome, type TransactionOutcome, unavailable } from "./transaction-outcome.ts";
import { scanInput, transactItem, type Update, updateInput, type Write } from "./write.ts";

/** DynamoDB's own limits. */
export const MAX_TRANSACTION_ITEMS = 100;
export const MAX_BATCH_GET_ITEMS = 100;

/** The most requests of one batch read, which asks again for the items that the table held back. */
const MAX_BATCH_GET_ROUNDS = 8;
/** The SDK's own log of calls. Nobody keeps it, and to hide what is sensitive it copies each item that is read. */
const SDK_LOG = "loggerMiddleware";
/** The most sends of a write whose outcome is unknown, all under one token. */
const MAX_TRANSACTION_SENDS = 4;
export interface PartitionQuery {
  readonly partition: string;
  /** Only sort keys from this one on. */
  readonly from?: string;
  /** Only sort keys up to and including this one. */
  readonly upTo?: string;
  readonly descending?: boolean;
  readonly limit?: number;
  /** The names of the attributes to read; all where none are given. They cost as much either way. */
  readonly attributes?: readonly string[];
}

/** All our sort keys are ASCII, so these two are below and above every one of them. */
const FIRST_SORT_KEY = " ";
const LAST_SORT_KEY = "~";

export class Table {
  readonly #client: DynamoDBClient;
  readonly #writer: DynamoDBClient;
  readonly #name: string;
  /** The one clock of everything that is dated, or judged by a date. It may throw `clock_off`. */
  readonly clock: () => Date;
  /** The same for what is dated by it: it may ask AWS first. It may throw `ledger_unavailable`, too. */
  readonly confirmedTime: () => Promise<Date>;

  /** `writer` must not retry on its own: after an unknown outcome only this class knows what may be sent again. */
  constructor(clients: { reader: DynamoDBClient; writer: DynamoDBClient }, name: string, clock?: () => Date) {
    this.#client = clients.reader;
    this.#writer = clients.writer;
    this.#name = name;
    for (const client of [clients.reader, clients.writer]) client.middlewareStack.remove(SDK_LOG);
    if (clock === undefined) {
      const awsClock = new AwsClock([clients.reader, clients.writer], () => this.get(NO_ITEM_KEY));
      this.clock = awsClock.now;
      this.confirmedTime = awsClock.confirmed;
    } else {
      this.clock = clock;
      this.confirmedTime = async () => clock();
    }
  }

  async get(key: ItemKey): Promise<Item | null> {
    const input = { TableName: this.#name, Key: key, ConsistentRead: true };
    const { Item } = await this.#ask(() => this.#client.send(new GetItemCommand(input)));
    return Item ?? null;
  }

  /** The items of one partition in the order of their sort keys, until `limit` or the end. */
  async query(query: PartitionQuery): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.pages(query)) items.push(...page);
    return items;
  }

  /** The same page by page, where the items may exceed memory. */
  async *pages(query: PartitionQuery): AsyncGenerator<Item[]> {
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    let start: Item | undefined;
    do {
      const input = queryInput(this.#name, query, left, start);
      const { Items = [], LastEvaluatedKey } = await this.#ask(() =>
        this.#client.send(new QueryCommand(input)),
      );
      yield Items;
      left -= Items.length;
      start = LastEvaluatedKey;
    } while (start !== undefined && left > 0);
  }

  /**
   * One piece of a walk over the whole table: the items for which `filter` holds, of those behind the key `after`, and
   * where the next piece begins; null at the table's end. What is written meanwhile may be seen or not.
   */
  async scanPiece(filter: Condition, after: Item | null): Promise<{ items: Item[]; next: Item | null }> {
    const input = scanInput(this.#name, filter, after);
    const { Items = [], LastEvaluatedKey = null } = await this.#ask(() =>
      this.#client.send(new ScanCommand(input)),
    );
    return { items: Items, next: LastEvaluatedKey };
  }

  /** The item of a partition with the highest sort key, `upTo` at most. */
  async newest(partition: string, upTo: string = LAST_SORT_KEY): Promise<Item | null> {
    const items = await this.query({ partition, upTo, descending: true, limit: 1 });
    return items[0] ?? null;
  }

  /** The items that exist among `keys`, in no order. */
  async batchGet(keys: readonly ItemKey[]): Promise<Item[]> {
    const found: Item[] = [];
    for (let start = 0; start < keys.length; start += MAX_BATCH_GET_ITEMS) {
      found.push(...(await this.#batchGetPage(keys.slice(start, start + MAX_BATCH_GET_ITEMS))));
    }
    return found;
  }

  async #batchGetPage(keys: readonly ItemKey[]): Promise<Item[]> {
    const found: Item[] = [];
    let missing: Record<string, AttributeValue>[] = [...keys];
    for (let round = 0; missing.length > 0; round++) {
      if (round === MAX_BATCH_GET_ROUNDS) {
        throw new DisclosureError("ledger_unavailable", "the table held items back", {
          missing: missing.length,
        });
      }
      if (round > 0) await backoff(round);
      const input = { RequestItems: { [this.#name]: { Keys: missing, ConsistentRead: true } } };
      const page = await this.#ask(() => this.#client.send(new BatchGetItemCommand(input)));
      found.push(...(page.Responses?.[this.#name] ?? []));
      missing = page.UnprocessedKeys?.[this.#name]?.Keys ?? [];
    }
    return found;
  }

  /** Writes an item, whatever was there. */
  async put(item: Item): Promise<void> {
    await this.#ask(() => this.#client.send(new PutItemCommand({ TableName: this.#name, Item: item })));
  }

  /** Updates one item; false where its condition did not hold. */
  async update(update: Update): Promise<boolean> {
    try {
      await this.#client.send(new UpdateItemCommand(updateInput(this.#name, update)));
      return true;
    } catch (error) {
      if (errorNameOf(error) === "ConditionalCheckFailedException") return false;
      throw unavailable(error);
    }
  }

  /**
   * Writes all or nothing, once. `token` makes sending again after an unknown outcome (a time-out, a 500, a lost
   * connection) safe: DynamoDB carries a token out at most once within ten minutes. `isLate` is asked before each
   * send; once it holds, nothing is sent any more. Throws `ledger_unavailable` where the outcome stays unknown; it
   * may then have been written.
   */
  async transact(
    writes: readonly Write[],
    token: string,
    isLate: () => boolean = () => false,
  ): Promise<TransactionOutcome> {
    const TransactItems = writes.map((write) => transactItem(this.#name, write));
    const input = { TransactItems, ClientRequestToken: token };
    let lastError: unknown;
    for (let send = 0; send < MAX_TRANSACTION_SENDS; send++) {
      if (send > 0) await backoff(send);
      if (isLate()) {
        if (send === 0) return { kind: "late" };
        break;
      }
      try {
        await this.#writer.send(new TransactWriteItemsCommand(input));
        return { kind: "committed" };
      } catch (error) {
        const outcome = readOutcome(error, send === 0);
        if (outcome !== null) return outcome;
        lastError = error;
      }
    }
    throw new DisclosureError("ledger_unavailable", "the outcome of a write is unknown", {}, lastError);
  }

  async #ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw unavailable(error);
    }
  }
}

function queryInput(
  table: string,
  query: PartitionQuery,
  limit: number,
  start: Item | undefined,
): QueryCommandInput {
  const { partition, from = FIRST_SORT_KEY, upTo = LAST_SORT_KEY, descending = false, attributes } = query;
  return {
    TableName: table,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": { S: partition }, ":from": { S: from }, ":to": { S: upTo } },
    ...(attributes !== undefined && projectionOf(attributes)),
    ConsistentRead: true,
    ScanIndexForward: !descending,
    ...(Number.isFinite(limit) && { Limit: limit }),
    ...(start !== undefined && { ExclusiveStartKey: start }),
  };
}

/** Names stand in placeholders: some words are reserved. */
const projectionOf = (attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((name) => `#${name}`).join(),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
});
