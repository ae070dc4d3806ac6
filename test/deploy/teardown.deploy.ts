// The end of a trial: a second deployment in the same account is destroyed, with all that it holds and nothing else.
import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { DescribeKeyCommand } from "@aws-sdk/client-kms";
import { ListBucketsCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { disclosure } from "../support/api-client.ts";
import { emulatedClients, findParts } from "../support/deployment.ts";
import { callLogs, callService, schedulesOf } from "../support/emulator-api.ts";
import { newDeployedTenant, theDeployment } from "../support/target.ts";
import { Cdk, deployBeside } from "./cdk.ts";
import { startDeleteByName } from "./delete-by-name.ts";

const stack = theDeployment();
const { endpoint } = stack;
const { dynamoDb, kms, s3 } = emulatedClients(endpoint);
const NAME = "second-trial";

/** Everything of the account that can be listed and carries a stack's name. */
async function namesOf(name: string): Promise<string[]> {
  const [tables, buckets, functions, groups, schedules, apis] = await Promise.all([
    dynamoDb.send(new ListTablesCommand()),
    s3.send(new ListBucketsCommand()),
    callService(endpoint, "lambda", "/2015-03-31/functions/?MaxItems=1000"),
    callLogs<{ logGroups: { logGroupName: string }[] }>(endpoint, "DescribeLogGroups", {}),
    schedulesOf(endpoint, name),
    callService(endpoint, "apigateway", "/restapis"),
  ]);
  const names = [
    ...(tables.TableNames ?? []),
    ...(buckets.Buckets ?? []).map(({ Name = "" }) => Name),
    ...JSON.parse(functions).Functions.map(({ FunctionName }: { FunctionName: string }) => FunctionName),
    ...groups.logGroups.map(({ logGroupName }) => logGroupName),
    ...schedules.map(({ Name }) => Name),
    ...JSON.parse(apis).item.map((api: { name: string }) => api.name),
  ];
  return names.filter((found) => found.includes(name));
}

async function destroySecond(): Promise<void> {
  const between = await startDeleteByName(endpoint);
  try {
    await new Cdk({ ...stack, endpoint: between.url }, NAME).destroy();
  } finally {
    await between.close();
  }
}

test("a trial can be destroyed with its evidence, and the deployment beside it does not notice", async () => {
  const second = await deployBeside(stack, { name: NAME });
  const { api } = await newDeployedTenant(second);
  const { event_id } = await api.attest(disclosure());
  expect((await api.verifyPublished(await api.includedReport(event_id))).valid).toBe(true);
  expect((await api.seals()).length).toBe(1);
  expect((await namesOf(NAME)).length).toBeGreaterThan(20);
  const before = await namesOf(stack.name);

  await destroySecond();

  expect(await namesOf(NAME)).toEqual([]);
  expect(await findParts(endpoint, NAME)).toBeNull();
  const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: second.macKeyId }));
  expect(KeyMetadata?.KeyState).toBe("PendingDeletion");
  expect(await namesOf(stack.name)).toEqual(before);
  const neighbour = await newDeployedTenant(stack);
  expect((await neighbour.api.attest(disclosure())).receipts[0]?.sequence).toBe(0);
});
