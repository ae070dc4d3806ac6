// Items that say when they end: DynamoDB deletes them some time after, and until then they are there as before.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html
import { DAY_SECONDS, SECOND_MS } from "../../../contract/time.ts";
import type { Store } from "./store.ts";
import { attributeOf, type ItemAttributes } from "./values.ts";

/** An item that ended longer ago is kept, as it may have been given a wrong unit. */
const MAX_AGE_SECONDS = 5 * 365 * DAY_SECONDS;

/** When the item ends, in seconds since the epoch; null where its attribute does not say so as a number. */
export function expiryOf(item: ItemAttributes, attribute: string | null): number | null {
  const value = attribute === null ? undefined : attributeOf(item, attribute);
  if (value === undefined || !("N" in value)) return null;
  const seconds = Number(value.N);
  return Number.isSafeInteger(seconds) ? seconds : null;
}

/** Deletes what has ended. A crash before it costs nothing: the next run does it. */
export function deleteExpired(store: Store, now: number): void {
  const seconds = Math.floor(now / SECOND_MS);
  store.endItems(seconds - MAX_AGE_SECONDS, seconds);
}
