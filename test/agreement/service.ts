// The word of POST /v1/verify-inclusion on a row: a local stack whose published roots and trust anchors are the
// vectors' own.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { LOCAL_DEPLOYMENT_FILE, type LocalDeployment } from "../../contract/deployment.ts";
import type { Check } from "../../evidence/core/verify/check.ts";
import { newFolder, startLocalStack } from "../support/local-stack.ts";
import { readJson } from "../tools/cli/command-line.ts";
import { bytesOf, evidenceFile, type Row } from "./rows.ts";

export const PUBLISHED_SEALS = 4;
/** None is asked: the stack attests nothing here. */
const NO_AUTHORITY = "http://127.0.0.1:9/";

export interface Answer {
  readonly status: number;
  readonly valid?: boolean;
  /** Those that could be made. */
  readonly checks?: readonly Check[];
}

/** Asks a stack that trusts the certificates in these files. */
export async function startService(anchors: Iterable<string>): Promise<(row: Row) => Promise<Answer>> {
  const dataDir = newFolder();
  const caFile = join(dataDir, "anchors.pem");
  writeFileSync(caFile, Array.from(anchors, (file) => readFileSync(file, "utf8")).join("\n"));
  const environment = { TSA_URLS: NO_AUTHORITY, TSA_CA_FILE: caFile, SEAL_INTERVAL_SECONDS: "3600" };
  const { url } = await startLocalStack({ dataDir, environment });
  await publishSeals(readJson(join(dataDir, LOCAL_DEPLOYMENT_FILE)));
  return async (row) => {
    const headers = { "content-type": "application/json" };
    const body = new Uint8Array(bytesOf(row));
    const response = await fetch(`${url}/v1/verify-inclusion`, { method: "POST", headers, body });
    return { ...((await response.json()) as Omit<Answer, "status">), status: response.status };
  };
}

/** The stack has recorded nothing, and would not start on roots that it did not seal. */
async function publishSeals({ endpoints, accessKey, rootsBucket }: LocalDeployment): Promise<void> {
  const credentials = { accessKeyId: accessKey, secretAccessKey: "local" };
  const s3 = new S3Client({ region: "local", credentials, endpoint: endpoints.s3, forcePathStyle: true });
  for (let index = 0; index < PUBLISHED_SEALS; index++) {
    const Body = readFileSync(evidenceFile(`seals/${index}.json`));
    const Key = `v1/metachain/roots/${index}`;
    await s3.send(new PutObjectCommand({ Bucket: rootsBucket, Key, Body, ContentType: "application/json" }));
  }
  s3.destroy();
}
