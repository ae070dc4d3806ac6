// Tells which operation a request asks for, and which faults can meet it.
import type { IncomingHttpHeaders } from "node:http";
import type { FaultName } from "../faults/names.ts";
import { AUTHORITY_PREFIX, WITNESS_PREFIX } from "./messages.ts";

export type UpstreamKind = "table" | "objects" | "keys" | "authority" | "witness";

export interface AskedOperation {
  readonly upstream: UpstreamKind;
  readonly name: string;
  readonly isWrite: boolean;
}

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

const TARGET = /^(DynamoDB_20120810|TrentService)\.(\w+)$/;
const TABLE_WRITES = new Set(["TransactWriteItems", "PutItem", "UpdateItem", "DeleteItem"]);
const OBJECT_NAMES: Readonly<Record<string, string>> = {
  PUT: "PutObject",
  GET: "GetObject",
  HEAD: "HeadObject",
};

export function operationOf({ method, path, headers }: RequestHead): AskedOperation {
  const [, service, name = ""] = TARGET.exec(String(headers["x-amz-target"])) ?? [];
  if (service === "TrentService") return { upstream: "keys", name, isWrite: false };
  if (service !== undefined) return { upstream: "table", name, isWrite: TABLE_WRITES.has(name) };
  if (path.startsWith(AUTHORITY_PREFIX)) return { upstream: "authority", name: "Stamp", isWrite: false };
  if (path.startsWith(WITNESS_PREFIX)) return { upstream: "witness", name: "AddCheckpoint", isWrite: false };
  return { upstream: "objects", name: OBJECT_NAMES[method] ?? method, isWrite: method === "PUT" };
}

/** Seals and tiles: after a 412 the sealer reads what is there, and must refuse other bytes. */
const COMPARED = /\/(?:roots|tile)\//;

/** True if the fault can occur at this operation, and is not the same there as another fault. */
export function canMeet(fault: FaultName, { upstream, isWrite }: AskedOperation, head: RequestHead): boolean {
  switch (fault) {
    case "late":
      return isWrite;
    case "throttled":
      return upstream !== "authority" && upstream !== "witness";
    case "conflict":
      return (upstream === "table" || upstream === "objects") && isWrite;
    case "authority-lies":
      return upstream === "authority";
    case "witness-lies":
      return upstream === "witness";
    case "s3-other-bytes":
      return (
        upstream === "objects" && isWrite && head.headers["if-none-match"] === "*" && COMPARED.test(head.path)
      );
    default:
      return true;
  }
}
