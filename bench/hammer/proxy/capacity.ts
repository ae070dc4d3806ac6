// Asks the table how many units a request took, though the service does not.

const ASKABLE = new Set([
  "GetItem",
  "BatchGetItem",
  "Query",
  "Scan",
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "TransactWriteItems",
]);
const BRACE = "{".charCodeAt(0);
const MEMBER = Buffer.from('{"ReturnConsumedCapacity":"TOTAL",');
const UNITS = /"CapacityUnits":([\d.]+)/g;

/** The request's JSON with one more member in front. */
export function countingUnits(operation: string, body: Uint8Array): Uint8Array {
  if (!ASKABLE.has(operation) || body[0] !== BRACE) return body;
  return Buffer.concat([MEMBER, body.subarray(1)]);
}

export function unitsIn(answer: Uint8Array | string): number {
  const text = typeof answer === "string" ? answer : Buffer.from(answer).toString("latin1");
  return [...text.matchAll(UNITS)].reduce((sum, [, units]) => sum + Number(units), 0);
}
