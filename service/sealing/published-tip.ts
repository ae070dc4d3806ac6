// The place from which the sealer goes on: the newest published seal, where the table and the public head agree on it.
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Metachain } from "../../evidence/core/formats/metachain.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { SealRecords } from "../seals/seal-records.ts";
import { backoff } from "../table/backoff.ts";

/** The newest seal, and the one before it, which is the published one while the newest waits. */
const NEWEST = 2;
/** Other runs may publish between our two reads; none publishes so often. */
const MAX_READS = 4;

export interface PublishedTip {
  /** The seal that the public head has; null before the first. */
  readonly published: SealRecord | null;
  /** The seal after it, which was committed and is not public yet; null where there is none. */
  readonly waiting: SealRecord | null;
  /** Of the two newest, those that are public and not marked so, oldest first. */
  readonly unmarked: readonly SealRecord[];
}

/**
 * Throws `publication_conflict` where the table's newest seals and the public head contradict each other: the table was
 * changed or set back, or it meets another bucket. Whatever was published then would be a lie.
 */
export async function readTip(seals: SealRecords, roots: PublishedRoots): Promise<PublishedTip> {
  for (let reads = 1; ; reads++) {
    // The head is read first: a seal is committed before the head can have it, so an honest table is never behind.
    const head = await roots.head();
    const [newest = null, before = null] = await seals.newestFirst(NEWEST);
    const tip = tipOf(head, newest, before);
    if (tip !== null) return tip;
    if (reads === MAX_READS) throw conflict(head, newest);
    await backoff(reads);
  }
}

function tipOf(head: Metachain, newest: SealRecord | null, before: SealRecord | null): PublishedTip | null {
  if (isLatest(head, newest))
    return { published: newest, waiting: null, unmarked: [before, newest].filter(isUnmarked) };
  if (newest === null || newest.isPublished || !isLatest(head, before)) return null;
  return { published: before, waiting: newest, unmarked: [before].filter(isUnmarked) };
}

const isUnmarked = (record: SealRecord | null): record is SealRecord => record?.isPublished === false;

/** By content and not by size alone: a seal that was put into the table has the next index too. */
function isLatest({ size, latest }: Metachain, record: SealRecord | null): boolean {
  if (record === null || record.final === null) return record === null && size === 0 && latest === null;
  return size === record.tree.index + 1 && canonicalize(latest) === canonicalize(record.final.seal);
}

const conflict = ({ size }: Metachain, newest: SealRecord | null): DisclosureError =>
  new DisclosureError(
    "publication_conflict",
    "the table's newest seal does not follow from the public head",
    {
      published: size,
      index: newest?.tree.index ?? null,
    },
  );
