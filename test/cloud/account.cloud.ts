// What protects the evidence, as the account has it. With the operator's credentials, which may read all this; the one
// write is a second put of a published object's own bytes, which must be refused.
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { DescribeKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import {
  GetObjectCommand,
  GetObjectLockConfigurationCommand,
  GetObjectRetentionCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { SSMClient } from "@aws-sdk/client-ssm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Deployment } from "../../contract/deployment.ts";
import { ROOTS_FOLDER } from "../../contract/metachain-paths.ts";
import { layerPath } from "../../contract/policy-paths.ts";
import { jurisdictionPolicySchema } from "../../evidence/core/formats/policy-index.ts";
import { readDeployment } from "../../service/deployment.ts";
import { call, isEmulator, receipts, target } from "./target.ts";

const { name } = target;
const dynamoDb = new DynamoDBClient();
const kms = new KMSClient();
const s3 = new S3Client({ forcePathStyle: true });
const FIRST_ROOT = `${ROOTS_FOLDER}/0`;
/** The wording layer that is applied in Germany. */
const currentLayer = async (): Promise<string> => {
  const answer = await call("GET", "/v1/policy/DE", { key: null });
  return layerPath(jurisdictionPolicySchema.parse(await answer.json()).current);
};
/** What is published for good, and the key of one such object. */
const PUBLISHED = [
  ["root", async () => FIRST_ROOT],
  ["wording layer", currentLayer],
] as const;

describe.skipIf(name === null)("the account (needs --name and AWS credentials)", () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await readDeployment(new SSMClient(), name ?? "");
  });

  test("has a table whose state of any second of 35 days can be had again", async ({ skip }) => {
    if (isEmulator) skip("the emulator keeps no backups");
    const command = new DescribeContinuousBackupsCommand({ TableName: deployment.tableName });
    const { ContinuousBackupsDescription } = await dynamoDb.send(command);
    expect(ContinuousBackupsDescription?.PointInTimeRecoveryDescription).toMatchObject({
      PointInTimeRecoveryStatus: "ENABLED",
      RecoveryPeriodInDays: 35,
    });
  });

  test("has a table that is billed by use", async () => {
    const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: deployment.tableName }));
    expect(Table?.BillingModeSummary?.BillingMode).toBe("PAY_PER_REQUEST");
  });

  test("has a MAC key that is enabled, and may be copied to another Region", async ({ skip }) => {
    const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: deployment.macKeyId }));
    expect(KeyMetadata).toMatchObject({ KeySpec: "HMAC_256", KeyState: "Enabled" });
    if (isEmulator) skip("the emulator does not say whether a key is multi-Region");
    expect(KeyMetadata?.MultiRegion).toBe(true);
  });

  test.for(PUBLISHED)(
    "refuses to write a published %s again, even its own bytes",
    async ([, keyOf], { skip }) => {
      if (isEmulator) skip("the emulator does not act on bucket policies");
      const at = { Bucket: deployment.rootsBucket, Key: await keyOf() };
      const { Body, ContentType } = await s3.send(new GetObjectCommand(at));
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
      const put = new PutObjectCommand({
        ...at,
        ...(ContentType !== undefined && { ContentType }),
        Body: bytes,
      });
      await expect(s3.send(put)).rejects.toMatchObject({ name: "AccessDenied" });
    },
  );

  test.for(PUBLISHED)("locks each %s", async ([, keyOf], { skip }) => {
    if (isEmulator) skip("the emulator answers for a lock that it does not act on");
    const at = { Bucket: deployment.rootsBucket };
    const { ObjectLockConfiguration } = await s3.send(new GetObjectLockConfigurationCommand(at));
    expect(ObjectLockConfiguration?.ObjectLockEnabled).toBe("Enabled");
    const { Retention } = await s3.send(new GetObjectRetentionCommand({ ...at, Key: await keyOf() }));
    expect(Retention?.RetainUntilDate?.getTime()).toBeGreaterThan(0);
  });

  test("has a ledger that holds, every code of it", async () => {
    const { said, ok } = await receipts("admin", "verify", "--macs", "--name", name ?? "");
    expect([ok, said]).toEqual([true, expect.anything()]);
  });
});
