// The chains that could not be sealed, set aside by name: each run tries some of them again, and none of them keeps the
// news of the others waiting.
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { damagedKey } from "../table/keys.ts";
import { someOf } from "../table/some-of.ts";
import type { Table } from "../table/table.ts";

/** A chain that could not be sealed, and why. */
export interface Damage {
  readonly chainId: string;
  readonly error: DisclosureError;
}

/** Throws everything else but `ledger_corrupt`: what could not be read now is no damage. */
export function asDamage(chainId: string, error: unknown): Damage {
  if (isDisclosureError(error, "ledger_corrupt")) return { chainId, error };
  throw error;
}

/** The most that a run tries again: the others have their turn in the next ones. */
const MAX_RETRIES = 100;
/** More damage than this is not of single chains. An item has room for them with names of 64 characters. */
const MAX_SET_ASIDE = 2_000;

/** In the order of their names. */
export async function readSetAside(table: Table): Promise<readonly string[]> {
  const item = await table.get(damagedKey);
  return [...(item?.chains?.SS ?? [])].sort();
}

/** The chains that are to be tried again in the run that begins now. */
export const dueAgain = (setAside: readonly string[], random?: () => number): readonly string[] =>
  someOf(setAside, MAX_RETRIES, random);

/**
 * Sets newly damaged chains aside, and takes back those that were visited and are whole again. Returns how many are set
 * aside now. Safe to repeat and to overlap: sets are changed, never replaced. Throws `ledger_corrupt` where more are to be
 * set aside than there is room for; their news then waits. Names that somebody else put there go as they are visited.
 */
export async function updateSetAside(
  table: Table,
  setAside: readonly string[],
  visited: ReadonlySet<string>,
  damages: readonly Damage[],
): Promise<number> {
  const damaged = new Set(damages.map(({ chainId }) => chainId));
  const added = [...damaged].filter((chainId) => !setAside.includes(chainId));
  const whole = setAside.filter((chainId) => visited.has(chainId) && !damaged.has(chainId));
  const count = setAside.length + added.length - whole.length;
  if (added.length > 0 && count > MAX_SET_ASIDE)
    throw new DisclosureError("ledger_corrupt", "too many chains are damaged", { count });
  // One at a time: an update can't add to a set and take from it.
  if (added.length > 0) await table.update({ key: damagedKey, addToSets: { chains: { SS: added } } });
  if (whole.length > 0) await table.update({ key: damagedKey, takeFromSets: { chains: { SS: whole } } });
  return count;
}
