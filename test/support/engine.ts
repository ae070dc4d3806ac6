// The DynamoDB that ledgers of tests are kept in: dynoxide or, in `npm run test:deploy`, AWS's own DynamoDB Local.
import { inject } from "vitest";
import { startDynamoDb } from "../../local/dynamodb.ts";

export interface Engine {
  readonly endpoint: string;
  readonly close: () => Promise<void>;
}

/** Whether this is the second engine: all tests of the service run on the first, in `npm test` and `npm run test:faults`. */
export const isSecondEngine = inject("dynamoDbEndpoint") !== undefined;

/** `file` is for an engine that is started for these tests alone. */
export async function openEngine(where: { file: string }): Promise<Engine> {
  const endpoint = inject("dynamoDbEndpoint");
  return endpoint === undefined ? startDynamoDb(where) : { endpoint, close: async () => {} };
}
