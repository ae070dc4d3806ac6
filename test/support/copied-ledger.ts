// A ledger that begins with what another one has: its items, and the objects that it published.
import { paginateScan, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, type PutObjectCommandInput } from "@aws-sdk/client-s3";
import type { Ledger } from "./ledger-stack.ts";

/** DynamoDB takes no more in one transaction. */
const MAX_ITEMS = 100;

/** `objects` are put in their order: some move. */
export async function copyLedger(
  { clients, name }: Ledger,
  to: Ledger,
  objects: readonly PutObjectCommandInput[],
): Promise<void> {
  const { dynamoDb, s3 } = clients;
  for await (const { Items = [] } of paginateScan(
    { client: dynamoDb, pageSize: MAX_ITEMS },
    { TableName: name },
  )) {
    const TransactItems = Items.map((Item) => ({ Put: { TableName: to.name, Item } }));
    await dynamoDb.send(new TransactWriteItemsCommand({ TransactItems }));
  }
  for (const { IfMatch: _moved, ...object } of objects)
    await s3.send(new PutObjectCommand({ ...object, Bucket: to.name }));
}
