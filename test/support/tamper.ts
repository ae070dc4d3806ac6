// Damage done to what is stored, past the service.
import { DeleteItemCommand, GetItemCommand, PutItemCommand, paginateScan } from "@aws-sdk/client-dynamodb";
import type { Interceptor } from "./faults.ts";
import type { Item } from "./items.ts";
import type { Ledger } from "./ledger-stack.ts";

type KeyTexts = readonly [pk: string, sk: string];

const keyOf = ([pk, sk]: KeyTexts) => ({ pk: { S: pk }, sk: { S: sk } });

export async function readItem({ clients, name }: Ledger, key: KeyTexts): Promise<Item> {
  const { Item } = await clients.dynamoDb.send(new GetItemCommand({ TableName: name, Key: keyOf(key) }));
  if (Item === undefined) throw new Error(`no item at ${key.join(" ")}`);
  return Item;
}

export async function writeItem({ clients, name }: Ledger, item: Item): Promise<void> {
  await clients.dynamoDb.send(new PutItemCommand({ TableName: name, Item: item }));
}

export async function deleteItem({ clients, name }: Ledger, key: KeyTexts): Promise<void> {
  await clients.dynamoDb.send(new DeleteItemCommand({ TableName: name, Key: keyOf(key) }));
}

/** The keys of all items whose partition key begins so, in order. */
export async function keysUnder({ clients, name }: Ledger, prefix: string): Promise<KeyTexts[]> {
  const keys: [string, string][] = [];
  for await (const { Items = [] } of paginateScan({ client: clients.dynamoDb }, { TableName: name })) {
    keys.push(...Items.map(({ pk, sk }): [string, string] => [pk?.S ?? "", sk?.S ?? ""]));
  }
  return keys.filter(([pk]) => pk.startsWith(prefix)).sort();
}

/** What S3 gives for some of its objects; null: that they are not there. */
export const publicly =
  (text: string | null, ...keys: string[]): Interceptor =>
  async (call, send) => {
    const { Key = "" } = call.input as { Key?: string };
    if (!keys.includes(Key)) return send();
    if (text === null) throw Object.assign(new Error("gone"), { name: "NoSuchKey" });
    return { ...(await send()), Body: { transformToString: async () => text } };
  };

export const without = (item: Item, attribute: string): Item => {
  const { [attribute]: _removed, ...rest } = item;
  return rest;
};

/** The item with one attribute gone; changed in the middle and at its end, with its length kept; as another number. */
export function damagesOf(item: Item, attribute: string): { how: string; item: Item }[] {
  const value: Partial<Record<"S" | "N", string>> & { B?: Uint8Array } = item[attribute] ?? {};
  const changed = (how: string, damaged: Item[string]) => ({ how, item: { ...item, [attribute]: damaged } });
  const places = (length: number) => [...new Set(length === 0 ? [] : [Math.floor(length / 2), length - 1])];
  return [
    { how: "missing", item: without(item, attribute) },
    ...places(value.S?.length ?? 0).map((at) =>
      changed(`changed at ${at}`, { S: changedAt(value.S ?? "", at) }),
    ),
    ...places(value.B?.length ?? 0).map((at) => changed(`flipped at ${at}`, { B: flippedAt(value.B, at) })),
    ...(value.N === undefined
      ? []
      : [String(Number(value.N) + 1), "-1", String(Number.MAX_SAFE_INTEGER)].map((N) => changed(N, { N }))),
  ];
}

const changedAt = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);

function flippedAt(bytes: Uint8Array = Uint8Array.of(), at: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}
