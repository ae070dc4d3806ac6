// The one table's shape, and its creation where no deployment makes it: on one machine and in tests.
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { PARTITION_KEY, SORT_KEY, TIME_TO_LIVE } from "../../contract/table.ts";
import { errorNameOf } from "./aws-error.ts";

const MAX_WAIT_SECONDS = 60;
/** A local engine has the table at once; the SDK would wait two seconds before it asks again. */
const MIN_DELAY_SECONDS = 0.05;
const MAX_DELAY_SECONDS = 2;

export const tableSchema = (name: string): CreateTableCommandInput => ({
  TableName: name,
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [
    { AttributeName: PARTITION_KEY, AttributeType: "S" },
    { AttributeName: SORT_KEY, AttributeType: "S" },
  ],
  KeySchema: [
    { AttributeName: PARTITION_KEY, KeyType: "HASH" },
    { AttributeName: SORT_KEY, KeyType: "RANGE" },
  ],
});

/** Creates the table where there is none, and returns once it can be used. Safe to repeat and to overlap. */
export async function ensureTable(name: string): Promise<void> {
  const client = new DynamoDBClient();
  await client.send(new CreateTableCommand(tableSchema(name))).catch((error: unknown) => {
    if (errorNameOf(error) !== "ResourceInUseException") throw error;
  });
  const patience = {
    maxWaitTime: MAX_WAIT_SECONDS,
    minDelay: MIN_DELAY_SECONDS,
    maxDelay: MAX_DELAY_SECONDS,
  };
  await waitUntilTableExists({ client, ...patience }, { TableName: name });
  await enableTimeToLive(client, name);
  client.destroy();
}

/** DynamoDB refuses to enable what is enabled, be it by another process in the moment before. */
async function enableTimeToLive(client: DynamoDBClient, name: string): Promise<void> {
  if (await hasTimeToLive(client, name)) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: TIME_TO_LIVE };
  const command = new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification });
  await client.send(command).catch(async (error: unknown) => {
    if (!(await hasTimeToLive(client, name))) throw error;
  });
}

async function hasTimeToLive(client: DynamoDBClient, name: string): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  return TimeToLiveDescription?.TimeToLiveStatus?.startsWith("ENABL") === true;
}
