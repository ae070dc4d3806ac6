// A production deployment: its roots are locked, by the lock that each one brings along. Its witness is never there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectLockConfigurationCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { HEAD_PATH, rootPath } from "../../contract/metachain-paths.ts";
import { disclosure } from "../support/api-client.ts";
import { emulatedClients } from "../support/deployment.ts";
import { newDeployedTenant, theDeployment } from "../support/target.ts";
import { deployBeside } from "./cdk.ts";

const RETENTION_YEARS = 2;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

test("in production nobody can delete a root before its years are over", async () => {
  const trial = theDeployment();
  const witnessPolicyFile = join(trial.folder, "nobody.txt");
  writeFileSync(witnessPolicyFile, trial.witnessPolicy.replace(/http:\S+/, "https://127.0.0.1:9"));
  const stack = await deployBeside(trial, {
    name: "kept",
    stage: "production",
    retentionYears: RETENTION_YEARS,
    // The emulator's CloudFormation does not know CodeDeploy.
    rollout: "at-once",
    witnessPolicyFile,
  });
  const { s3 } = emulatedClients(stack.endpoint);
  const Bucket = stack.rootsBucket;
  // What the emulator's CloudFormation leaves out.
  const ObjectLockConfiguration = { ObjectLockEnabled: "Enabled" } as const;
  await s3.send(new PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }));

  const { api } = await newDeployedTenant(stack);
  const { event_id } = await api.attest(disclosure());
  expect((await api.verifyPublished(await api.includedReport(event_id))).valid).toBe(true);
  const root = { Bucket, Key: rootPath(0) };
  const { ObjectLockMode, ObjectLockRetainUntilDate, VersionId } = await s3.send(new HeadObjectCommand(root));
  expect(ObjectLockMode).toBe("COMPLIANCE");
  expect(Number(ObjectLockRetainUntilDate) - Date.now()).toBeGreaterThan(RETENTION_YEARS * YEAR_MS);
  await expect(s3.send(new DeleteObjectCommand({ ...root, VersionId }))).rejects.toMatchObject({
    name: "AccessDenied",
  });
  await s3.send(new GetObjectCommand(root));
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: HEAD_PATH }));
  expect(head.ObjectLockMode).toBeUndefined();
});
