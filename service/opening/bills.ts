// Opens the bills. Separate from connections.ts so that few functions bundle the S3 client.
import { S3Client } from "@aws-sdk/client-s3";
import { billsVariables } from "../../contract/environment-variables.ts";
import { StoredBills } from "../bill/stored-bills.ts";
import { readEnvironment } from "../environment.ts";
import { TIMEOUTS } from "./connections.ts";

/** The time of a request counts its upload, and the bill of a tenant with thousands of chains has tens of megabytes. */
const UPLOAD_MS = 30_000;

export function openStoredBills(): StoredBills {
  const {
    BILLS_BUCKET,
    BILLS_RETENTION_MODE: mode,
    BILLS_RETENTION_DAYS: days,
  } = readEnvironment(billsVariables);
  const client = new S3Client({ requestHandler: { ...TIMEOUTS, requestTimeout: UPLOAD_MS } });
  return new StoredBills(client, BILLS_BUCKET, days === 0 ? null : { mode, days });
}
