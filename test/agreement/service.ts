// The word of POST /v1/verify-inclusion on a row: a local stack whose published roots and trust anchors are the
// vectors' own.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../evidence/core/verify/check.ts";
import { ObjectTable } from "../../host/local/object-table.ts";
import { newFolder, startLocalStack } from "../support/local-stack.ts";
import { bytesOf, evidenceFile, type Row } from "./rows.ts";

export const PUBLISHED_SEALS = 4;
const BUCKET = "disclosure-receipts-roots";
/** None is asked: the stack attests nothing here. */
const NO_AUTHORITY = "http://127.0.0.1:9/";
const NO_CONDITION = { absent: false, etag: null };

export interface Answer {
  readonly status: number;
  readonly valid?: boolean;
  /** Those that could be made. */
  readonly checks?: readonly Check[];
}

/** Asks a stack that trusts the certificates in these files. */
export async function startService(anchors: Iterable<string>): Promise<(row: Row) => Promise<Answer>> {
  const dataDir = newFolder();
  publishSeals(join(dataDir, "roots.sqlite"));
  const caFile = join(dataDir, "anchors.pem");
  writeFileSync(caFile, Array.from(anchors, (file) => readFileSync(file, "utf8")).join("\n"));
  const environment = { TSA_URLS: NO_AUTHORITY, TSA_CA_FILE: caFile, SEAL_INTERVAL_SECONDS: "3600" };
  const { url } = await startLocalStack({ dataDir, environment });
  return async (row) => {
    const headers = { "content-type": "application/json" };
    const body = new Uint8Array(bytesOf(row));
    const response = await fetch(`${url}/v1/verify-inclusion`, { method: "POST", headers, body });
    return { ...((await response.json()) as Omit<Answer, "status">), status: response.status };
  };
}

function publishSeals(file: string): void {
  const table = new ObjectTable(file);
  for (let index = 0; index < PUBLISHED_SEALS; index++) {
    const body = readFileSync(evidenceFile(`seals/${index}.json`));
    const object = {
      body,
      contentType: "application/json",
      cacheControl: null,
      lockMode: null,
      retainUntil: null,
    };
    table.put({ bucket: BUCKET, key: `v1/metachain/roots/${index}` }, object, NO_CONDITION, 0);
  }
  table.close();
}
