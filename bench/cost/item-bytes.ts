// How large DynamoDB says an item is, for what it bills as storage.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html

/** For its indexes DynamoDB adds this to every item. */
export const ITEM_OVERHEAD_BYTES = 100;
/** Bytes of a list or a map without its members, and of each member without its value. */
const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

/** An item in DynamoDB's JSON: names and values, in bytes. */
export const itemBytes = (item: Readonly<Record<string, unknown>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

function valueBytes(value: unknown): number {
  const [[type, held] = ["", ""]] = Object.entries(value as Record<string, unknown>);
  if (type === "L") return CONTAINER_BYTES + listBytes(held as unknown[]);
  if (type === "B") return Buffer.from(String(held), "base64").length;
  // Two digits a byte, and one more.
  if (type === "N") return Math.ceil(String(held).length / 2) + 1;
  return type === "S" ? Buffer.byteLength(String(held)) : 1;
}

const listBytes = (members: unknown[]): number =>
  members.reduce((sum: number, member) => sum + MEMBER_BYTES + valueBytes(member), 0);
