// The units that DynamoDB would bill for a request.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
import { unsupported } from "./errors.ts";

const READ_UNIT_BYTES = 4 * 1024;
const WRITE_UNIT_BYTES = 1024;

/** A strongly consistent read takes a unit for so many bytes. */
export const readUnits = (bytes: number): number => unitsOf(bytes, READ_UNIT_BYTES);
export const writeUnits = (bytes: number): number => unitsOf(bytes, WRITE_UNIT_BYTES);

/** An item that is not there takes a unit, too. */
const unitsOf = (bytes: number, unit: number): number => Math.max(1, Math.ceil(bytes / unit));

/** The member of an answer that says the units; empty unless the request asks for it. */
export function consumed(
  { ReturnConsumedCapacity: wanted = "NONE" }: { readonly ReturnConsumedCapacity?: unknown },
  TableName: string,
  CapacityUnits: number,
): { readonly ConsumedCapacity?: { readonly TableName: string; readonly CapacityUnits: number } } {
  if (wanted === "NONE") return {};
  if (wanted !== "TOTAL") throw unsupported(`ReturnConsumedCapacity ${wanted}`);
  return { ConsumedCapacity: { TableName, CapacityUnits } };
}
