// What somebody who may write any item of the table, and has no key, might write: one item of any kind, deleted, moved,
// put back to what it was, or with one attribute changed, which may be all that a run or a reader believes.
import { paginateScan } from "@aws-sdk/client-dynamodb";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { outcomeOf } from "./deaths.ts";
import { ITEM_KINDS, kindOf, sampleKey } from "./item-kinds.ts";
import { type Item, text } from "./items.ts";
import type { Ledger, TestCaller } from "./ledger-stack.ts";
import { plantEntry, plantReceipts, plantSpan } from "./planted.ts";
import type { Chance } from "./random-choices.ts";
import { deleteItem, keysUnder, without, writeItem } from "./tamper.ts";

const DIGITS = 16;
const NUMBER_IN_KEY = /\d{16}/;
const STEPS = [-1, 1, 1, 1_000, -60];

export type Attribute = Item[string];

/** All items, by kind, each kind in the order of its keys with the chains by their tenants' names. */
export type Items = ReadonlyMap<string, readonly Item[]>;

export interface Insider {
  readonly ledger: Ledger;
  readonly callers: readonly TestCaller[];
  readonly chance: Chance;
  /** The table as it was earlier. */
  readonly earlier: readonly Items[];
}

export async function readItems({ clients, name }: Ledger, callers: readonly TestCaller[]): Promise<Items> {
  const items: Item[] = [];
  for await (const page of paginateScan({ client: clients.dynamoDb }, { TableName: name }))
    items.push(...(page.Items ?? []));
  const named = items.map((item) => ({ item, name: nameOf(item, callers) }));
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  const kinds = Map.groupBy(named, ({ item }) => kindOf(item) ?? "");
  return new Map([...kinds].map(([kind, of]) => [kind, of.map(({ item }) => item)]));
}

/** Chains' ids are new in every run; a seed is to choose the same items again. */
function nameOf(item: Item, callers: readonly TestCaller[]): string {
  const key = `${text(item, "pk")} ${text(item, "sk")}`;
  return callers.reduce(
    (name, { tenantId, chainIds }) =>
      chainIds.reduce((named, id, shard) => named.replaceAll(id, `${tenantId}/${shard}`), name),
    key,
  );
}

/** Writes once, and says what was done to which kind of item. */
export async function writeAtRandom(insider: Insider): Promise<{ kind: string; what: string }> {
  const { ledger, callers, chance } = insider;
  if (chance.below(8) === 0) {
    const planted = await outcomeOf(plant(insider));
    if (planted.kind === "answered") return planted.answer;
    // Behind an item that was damaged before there is no right hash.
  }
  const items = await readItems(ledger, callers);
  const kind = chance.pick(ITEM_KINDS);
  const own = items.get(kind) ?? [];
  if (own.length === 0) return invent(insider, items, kind);
  // The newest decide what comes next.
  const item = chance.below(2) === 0 ? (own.at(-1) ?? chance.pick(own)) : chance.pick(own);
  return { kind, what: `${nameOf(item, callers)}: ${await editOf(insider, items, { own, item })}` };
}

interface Chosen {
  readonly own: readonly Item[];
  readonly item: Item;
}

async function editOf(insider: Insider, items: Items, { own, item }: Chosen): Promise<string> {
  const { ledger, callers, chance } = insider;
  switch (chance.below(6)) {
    case 0:
      await deleteItem(ledger, [text(item, "pk"), text(item, "sk")]);
      return "deleted";
    case 1: {
      const moved = moveTo(item, chance.pick(own), chance);
      if (chance.below(2) === 0) await deleteItem(ledger, [text(item, "pk"), text(item, "sk")]);
      await writeItem(ledger, moved);
      return `put at ${nameOf(moved, callers)}`;
    }
    case 2:
      return restore(insider, item);
    default: {
      const other = chance.below(6) === 0 ? chance.pick([...items.values()].flat()) : chance.pick(own);
      const [how, edited] = changeOne(item, other, chance);
      await writeItem(ledger, edited);
      return how;
    }
  }
}

/** Under the key of another item of its kind, or at another number. */
function moveTo(item: Item, other: Item, chance: Chance): Item {
  const { pk, sk } = chance.below(3) === 0 ? item : other;
  const by = chance.pick(STEPS);
  const moved = sk?.S?.replace(NUMBER_IN_KEY, (digits) =>
    String(Math.max(0, Number(digits) + by)).padStart(DIGITS, "0"),
  );
  return { ...item, ...(pk && { pk }), sk: { S: chance.below(3) === 0 ? (sk?.S ?? "") : (moved ?? "") } };
}

async function restore({ ledger, chance, earlier, callers }: Insider, item: Item): Promise<string> {
  const before = chance.pick(earlier);
  const found = [...before.values()].flat().find((old) => nameOf(old, callers) === nameOf(item, callers));
  if (found === undefined) await deleteItem(ledger, [text(item, "pk"), text(item, "sk")]);
  else await writeItem(ledger, found);
  return found === undefined ? "deleted, as it was earlier" : "as it was earlier";
}

/** An item of a kind that there is none of yet, with what other items say. */
async function invent({ ledger, callers, chance }: Insider, items: Items, kind: string) {
  const { tenantId, chainIds } = chance.pick(callers);
  const key = sampleKey(kind, chance.pick([tenantId, ...chainIds]));
  const like = chance.pick([...items.values()].flat());
  const names: Item = { chains: { SS: [chance.pick(chainIds)] }, tokenless: { NS: ["0"] } };
  await writeItem(ledger, { ...(chance.below(2) === 0 ? like : names), ...key });
  return { kind, what: `invented at ${key.sk.S}` };
}

/** What takes more than one item, or right hashes. */
async function plant({ ledger, callers, chance }: Insider) {
  const { tenantId, chainIds } = chance.pick(callers);
  const chain_id = chance.pick(chainIds);
  const head_index = chance.below(5);
  const tree_size = 1 + chance.below(8);
  const head = { chain_id, head_index, tree_size, root: formatNode(new Uint8Array(32).fill(7)) };
  const where = `${tenantId}/${chainIds.indexOf(chain_id)}`;
  if (chance.below(3) === 0) {
    await plantReceipts(ledger, chain_id, 1 + chance.below(2));
    return { kind: "leaf", what: `behind the newest of ${where}` };
  }
  if (chance.below(3) === 0) {
    await cutBack(ledger, chain_id);
    return { kind: "span", what: `the newest of ${where}, deleted with its receipts` };
  }
  const leafIndex = await plantEntry(ledger, head, chance.below(3));
  if (chance.below(2) === 0) await plantSpan(ledger, head, { fromSize: chance.below(tree_size), leafIndex });
  return {
    kind: "entry",
    what: `behind the newest: head ${head_index} of ${tree_size} receipts of ${where}`,
  };
}

/** Takes a chain's newest head away with all its receipts: the chain is again what it was under the head before. */
export async function cutBack(ledger: Ledger, chainId: string): Promise<void> {
  const spans = await keysUnder(ledger, `sealed#${chainId}`);
  const last = spans.at(-1);
  if (last === undefined) return;
  const from = Number(last[1].match(NUMBER_IN_KEY)?.[0]);
  const leaves = await keysUnder(ledger, `chain#${chainId}`);
  const own = leaves.filter(([, sk]) => Number(sk.match(NUMBER_IN_KEY)?.[0] ?? -1) >= from);
  for (const key of [last, ...own]) await deleteItem(ledger, key);
}

/** One attribute: away, as another item has it, or changed by itself. */
function changeOne(item: Item, other: Item, chance: Chance): [how: string, item: Item] {
  const names = Object.keys({ ...item, ...other }).filter((name) => name !== "pk" && name !== "sk");
  if (names.length === 0) return ["written again", item];
  const name = chance.pick(names);
  const [own, others] = [item[name], other[name]];
  if (own !== undefined && chance.below(5) === 0) return [`${name} away`, without(item, name)];
  if (others !== undefined && (own === undefined || chance.below(2) === 0))
    return [`${name} of another: ${told(others)}`, { ...item, [name]: others }];
  const changed = changedValue(own ?? { S: "" }, chance);
  return [`${name} from ${told(own)} to ${told(changed)}`, { ...item, [name]: changed }];
}

const told = (value: Attribute | undefined): string => JSON.stringify(value ?? null).slice(0, 120);

function changedValue(value: Attribute, chance: Chance): Attribute {
  const { S, N, B, BOOL } = value as Partial<{ S: string; N: string; B: Uint8Array; BOOL: boolean }>;
  if (N !== undefined) return { N: String(chance.pick([0, Number(N) + chance.pick(STEPS)])) };
  if (BOOL !== undefined) return { BOOL: !BOOL };
  if (B !== undefined) return { B: flipped(B, chance) };
  return S === undefined ? { S: "" } : { S: changedText(S, chance) };
}

function flipped(bytes: Uint8Array, chance: Chance): Uint8Array {
  const changed = Uint8Array.from(bytes);
  const at = chance.below(Math.max(1, bytes.length));
  if (bytes.length === 0 || chance.below(5) === 0) return new Uint8Array();
  changed[at] = (changed[at] ?? 0) ^ (1 << chance.below(8));
  return changed;
}

/** A date by some days, a number in it by some steps, or a character. */
function changedText(value: string, chance: Chance): string {
  const dates = [...value.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)];
  if (dates.length > 0 && chance.below(2) === 0) {
    const { 0: date, index } = chance.pick(dates);
    const moved = new Date(Date.parse(date) + chance.pick([-400, -1, 1, 400]) * 86_400_000).toISOString();
    return value.slice(0, index) + moved + value.slice(index + date.length);
  }
  const numbers = [...value.matchAll(/(?<=[:,[ ])\d{1,9}(?=[,\]} ])/g)];
  if (numbers.length > 0 && chance.below(2) === 0) {
    const { 0: number, index } = chance.pick(numbers);
    const moved = Math.max(0, Number(number) + chance.pick(STEPS));
    return value.slice(0, index) + moved + value.slice(index + number.length);
  }
  if (value === "" || chance.below(5) === 0) return chance.pick(["", "x"]);
  const at = chance.below(value.length);
  return value.slice(0, at) + (value[at] === "0" ? "1" : "0") + value.slice(at + 1);
}
