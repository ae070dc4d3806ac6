// Reads of items that never change, for one call that needs many: what is asked for at the same time goes into common
// BatchGetItems, and no item is read twice.
import { setImmediate } from "node:timers/promises";
import { mapInGroups } from "./in-groups.ts";
import type { Item } from "./item.ts";
import type { ItemKey } from "./keys.ts";
import { MAX_BATCH_GET_ITEMS, type Table } from "./table.ts";

/** The most BatchGetItems at the same time. */
const READ_CONCURRENCY = 8;

/** The keys of the items that are to be read next, and the items by their names once they are read. */
interface Gathering {
  readonly keys: ItemKey[];
  readonly items: Promise<ReadonlyMap<string, Item>>;
}

export class SharedReads {
  readonly #table: Pick<Table, "batchGet">;
  readonly #known = new Map<string, Promise<Item | null>>();
  #gathering: Gathering | null = null;

  constructor(table: Pick<Table, "batchGet">) {
    this.#table = table;
  }

  /** The items that exist among `keys`, in no order. An item that was not there yet is read again. */
  async batchGet(keys: readonly ItemKey[]): Promise<Item[]> {
    const items = await Promise.all(keys.map((key) => this.#get(key)));
    return items.filter((item) => item !== null);
  }

  #get(key: ItemKey): Promise<Item | null> {
    const name = nameOf(key);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const reading = this.#gather(key).then((items) => items.get(name) ?? null);
    this.#known.set(name, reading);
    const forget = () => void this.#known.delete(name);
    reading.then((item) => item ?? forget(), forget);
    return reading;
  }

  #gather(key: ItemKey): Promise<ReadonlyMap<string, Item>> {
    const keys: ItemKey[] = [];
    this.#gathering ??= { keys, items: this.#readSoon(keys) };
    this.#gathering.keys.push(key);
    return this.#gathering.items;
  }

  /** Reads after everything that runs now has said what it needs. */
  async #readSoon(keys: readonly ItemKey[]): Promise<ReadonlyMap<string, Item>> {
    await setImmediate();
    this.#gathering = null;
    const batches = Array.from({ length: Math.ceil(keys.length / MAX_BATCH_GET_ITEMS) }, (_, i) =>
      keys.slice(i * MAX_BATCH_GET_ITEMS, (i + 1) * MAX_BATCH_GET_ITEMS),
    );
    const read = await mapInGroups(batches, READ_CONCURRENCY, (batch) => this.#table.batchGet(batch));
    return new Map(read.flat().map((item) => [nameOf(item as ItemKey), item]));
  }
}

const nameOf = ({ pk, sk }: ItemKey): string => `${pk.S}\n${sk.S}`;
