// Looks among the published seals for one whose timestamp is valid today, and for the way there from an older seal.
// The way is made of public seals alone, so it needs no service that is still there to give a direct path.
import { isDisclosureError } from "../errors.ts";
import { type Seal, type TsaTimestamp, timestampsOf } from "../formats/metachain.ts";
import type { Renewal } from "../formats/renewal.ts";
import { isValidAt, verifyTimestamp } from "../timestamps/proven-time.ts";
import type { TrustAnchors } from "../timestamps/timestamp-verifier.ts";

/** How many seals between the two are read side by side. */
const WIDTH = 16;

/** The seals as the public reads them; whoever looks among them says how they are read. */
export interface SealReader {
  /** How many seals are published. */
  readonly size: number;
  /** Null where it can't be had. */
  readonly seal: (index: number) => Promise<Seal | null>;
  /** The tokens that came after the seal was published. */
  readonly laterTimestamps: (index: number) => Promise<readonly TsaTimestamp[]>;
}

export interface RenewalQuest {
  /** DER certificates of the authorities that the reader trusts. */
  readonly trustAnchors: TrustAnchors;
  /** The reader's clock, RFC 3339. */
  readonly now: string;
  /** Across how many seals it is worth going. */
  readonly maxSteps: number;
}

/**
 * For seal `index`: itself where one of its tokens is valid, else the nearest later one found with such a token. Null
 * where there is none, where it lies too far away, or where a seal on the way can't be had.
 */
export async function findRenewal(
  index: number,
  reader: SealReader,
  quest: RenewalQuest,
): Promise<Renewal | null> {
  if (index >= reader.size) return null;
  const found = await findValidSeal(index, reader, quest);
  if (found === null || found.index - index > quest.maxSteps) return null;
  if (found.index === index) return { renews: index, between: [], consistency_path: [], seal: found };
  const between = await readBetween(index, found.index, reader);
  if (between === null) return null;
  return { renews: index, between, consistency_path: found.consistency_path, seal: found };
}

async function findValidSeal(index: number, reader: SealReader, quest: RenewalQuest): Promise<Seal | null> {
  const valid = new Map<number, Seal>();
  const found = await findFirstValid(index, Math.max(index, reader.size - 1), async (at) => {
    const seal = await readValid(at, reader, quest);
    if (seal !== null) valid.set(at, seal);
    return seal !== null;
  });
  return found === null ? null : (valid.get(found) ?? null);
}

/**
 * The first valid index from `first` up to and including `last`, or null where none was found. Certificates are
 * replaced by ones that last longer, so what is no longer valid comes before what still is: longer and longer leaps
 * find a valid index, halving finds the first. A seal without a token costs nearness, not soundness.
 */
export async function findFirstValid(
  first: number,
  last: number,
  isValid: (index: number) => Promise<boolean>,
): Promise<number | null> {
  let [low, found] = [first - 1, null as number | null];
  for (let leap = 1; found === null && low < last; leap *= 2) {
    const next = Math.min(low + leap, last);
    if (await isValid(next)) found = next;
    else low = next;
  }
  while (found !== null && found - low > 1) {
    const middle = low + Math.floor((found - low) / 2);
    if (await isValid(middle)) found = middle;
    else low = middle;
  }
  return found;
}

/** With the tokens that came later, where its own are not valid; null where none does. */
async function readValid(index: number, reader: SealReader, quest: RenewalQuest): Promise<Seal | null> {
  const seal = await reader.seal(index);
  if (seal === null || (await hasValidToken(seal, quest))) return seal;
  const later = await reader.laterTimestamps(index);
  const completed = { ...seal, additional_timestamps: [...seal.additional_timestamps, ...later] };
  return (await hasValidToken(completed, quest)) ? completed : null;
}

async function hasValidToken(seal: Seal, { trustAnchors, now }: RenewalQuest): Promise<boolean> {
  for (const timestamp of timestampsOf(seal)) {
    try {
      const time = await verifyTimestamp(seal.merkle_root, timestamp, seal.sealed_at, { trustAnchors, now });
      if (time !== null && isValidAt(time, now)) return true;
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
    }
  }
  return false;
}

async function readBetween(
  from: number,
  to: number,
  { seal }: SealReader,
): Promise<Renewal["between"] | null> {
  const between: Renewal["between"] = [];
  for (let start = from + 1; start < to; start += WIDTH) {
    const indices = Array.from({ length: Math.min(WIDTH, to - start) }, (_, i) => start + i);
    for (const read of await Promise.all(indices.map(seal))) {
      if (read === null) return null;
      // Its tokens are not kept: over thousands of seals they would be most of the memory.
      const { merkle_root, tree_size, consistency_path } = read;
      between.push({ merkle_root, tree_size, consistency_path });
    }
  }
  return between;
}
