// Opens the published roots. Separate from connections.ts so that few functions bundle the S3 client.
import { S3Client } from "@aws-sdk/client-s3";
import { rootsVariables } from "../../contract/environment-variables.ts";
import { readEnvironment } from "../environment.ts";
import { PublishedRoots } from "../seals/published-roots.ts";
import { TIMEOUTS } from "./connections.ts";

export function openRoots(): PublishedRoots {
  const {
    ROOTS_BUCKET,
    ROOTS_RETENTION_MODE: mode,
    ROOTS_RETENTION_DAYS: days,
  } = readEnvironment(rootsVariables);
  const client = new S3Client({ requestHandler: TIMEOUTS });
  return new PublishedRoots(client, ROOTS_BUCKET, days === 0 ? null : { mode, days });
}
