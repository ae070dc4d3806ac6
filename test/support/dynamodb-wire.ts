// DynamoDB's protocol without the SDK: requests that the SDK would not send, and answers as they are.
import { randomUUID } from "node:crypto";
import type { Engine } from "./engine.ts";

/** DynamoDB Local reads which account it is; no signature is checked. */
const AUTHORIZATION =
  "AWS4-HMAC-SHA256 Credential=local/20400501/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none";

/** An answer: the status, and the members of its body. */
export interface Answer {
  readonly status: number;
  /** The error's name, without what stands before it; null where there is none. */
  readonly error: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What an answer says of the request; messages and units are no part of what engines agree on. */
export type Outcome =
  | { readonly error: string; readonly item?: unknown; readonly reasons?: readonly Reason[] }
  | { readonly body: Readonly<Record<string, unknown>> };
type Reason = readonly [code: string, item: unknown];

export async function callDynamoDb(
  { endpoint }: Pick<Engine, "endpoint">,
  operation: string,
  body: object,
): Promise<Answer> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "content-type": "application/x-amz-json-1.0",
      authorization: AUTHORIZATION,
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer["body"];
  const [, error = null] = /#(\w+)$/.exec(String(answer.__type)) ?? [];
  return { status: response.status, error, body: answer };
}

export function outcomeOf({ error, body }: Answer): Outcome {
  const { ConsumedCapacity: _units, ...told } = body;
  if (error === null) return { body: told };
  const reasons = body.CancellationReasons as { Code: string; Item?: unknown }[] | undefined;
  return {
    error,
    ...(body.Item !== undefined && { item: body.Item }),
    ...(reasons !== undefined && { reasons: reasons.map(({ Code, Item }) => [Code, Item ?? null]) }),
  };
}

/** A table of two texts, as the service's is, of a name that no other test has. */
export async function newTable(engine: Pick<Engine, "endpoint">): Promise<string> {
  const TableName = `table-${randomUUID()}`;
  const { status } = await callDynamoDb(engine, "CreateTable", { ...TABLE, TableName });
  if (status !== 200) throw new Error("the engine made no table");
  return TableName;
}

export const TABLE = {
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
} as const;
