// The last day on which each API key was used, in an item of its own beside the key. A process notes a day once for a key,
// next to the call and never on its way: what is noted may lag or be lost, and no call waits or fails for it.

import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { textOf } from "../table/attributes.ts";
import { anyOf, isAbsent, isAtMost } from "../table/condition.ts";
import { keyIdOfUse, keyUseKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** Keys whose day a process remembers; of one that it forgot it notes the day once more. */
const MAX_REMEMBERED = 10_000;
const DAY_LENGTH = "YYYY-MM-DD".length;
const DAY = "day";

export interface KeyUseServices {
  readonly table: Pick<Table, "update">;
  readonly clock: () => Date;
  /** Called where a day could not be noted: the key's next call tries again. */
  readonly onFault: (error: unknown) => void;
}

export class KeyUses {
  readonly #services: KeyUseServices;
  /** The day that was noted last, by key. */
  readonly #noted = new BoundedMap<string, string>(MAX_REMEMBERED);

  constructor(services: KeyUseServices) {
    this.#services = services;
  }

  /** Never throws, and returns before anything is written. A process that is killed then loses this note alone. */
  note(keyId: string): void {
    const { onFault } = this.#services;
    this.#noteToday(keyId).catch((error: unknown) => {
      this.#noted.delete(keyId);
      onFault(error);
    });
  }

  async #noteToday(keyId: string): Promise<void> {
    const { table, clock } = this.#services;
    const day = clock().toISOString().slice(0, DAY_LENGTH);
    if (this.#noted.get(keyId) === day) return;
    this.#noted.set(keyId, day);
    const value = { S: day };
    // A process that was suspended since yesterday must not put the day back.
    const when = anyOf(isAbsent(DAY), isAtMost(DAY, value));
    await table.update({ key: keyUseKey(keyId), set: { [DAY]: value }, when });
  }
}

/** The last day (UTC, YYYY-MM-DD) on which each of these keys was used, as far as it was noted. */
export async function readLastUses(
  table: Table,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const items = await table.batchGet(keyIds.map(keyUseKey));
  return new Map(items.map((item) => [keyIdOfUse(textOf(item, "pk")), textOf(item, DAY)]));
}
