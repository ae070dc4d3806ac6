// Publishes a signed checkpoint for each published seal, behind its files. It holds up nothing and fails nothing, may
// overlap with itself, and goes on from where any run has died.
import type { Meter } from "../../contract/metric-names.ts";
import { METACHAIN_ID } from "../../contract/table.ts";
import { HOUR_MS } from "../../contract/time.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import { Log } from "../ledger/log.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { SealRecords } from "../seals/seal-records.ts";
import {
  type CheckpointProgress,
  forgetCheckpointProgress,
  readCheckpointProgress,
  writeCheckpointProgress,
} from "./checkpoint-progress.ts";
import {
  publishCheckpoint,
  refreshCheckpoint,
  type SigningRun,
  type SigningServices,
} from "./checkpoint-signing.ts";
import { logName, readIdentity } from "./log-identity.ts";
import { type OnDisbelief, publishedTree, readFilesSize } from "./log-publication.ts";
import {
  type OwnCheckpoint,
  type PublishedCheckpoint,
  PublishedCheckpoints,
} from "./published-checkpoints.ts";
import { leadToRoot } from "./published-files.ts";

/** The most seals of one run. Where more are waiting, only the newest gets a checkpoint: it covers all earlier ones. */
const MAX_SEALS_A_RUN = 16;
/** After this long a run begins no further checkpoint: each may wait for the key service and for the witnesses. */
const CHECKPOINTS_BUDGET_MS = 10_000;
/** A checkpoint with its quorum is cosigned anew so often while nothing is sealed: readers see that nothing is hidden. */
const REFRESH_AFTER_MS = HOUR_MS;

export interface CheckpointServices extends SigningServices {
  readonly seals: SealRecords;
  readonly meter: Meter;
  /** Called with the reason where a checkpoint could not be published. The next run tries again. */
  readonly onCheckpointFailure: (error: unknown) => void;
  readonly onDisbelief: OnDisbelief;
}

/** Never throws: whatever happens to a checkpoint is logged and counted, and the seals go on. */
export async function publishCheckpoints(services: CheckpointServices): Promise<void> {
  try {
    const key = await readIdentity(services.table, services.log);
    const checkpoints = new PublishedCheckpoints(services.roots.files, key);
    const metachain = new Log(services.table, METACHAIN_ID);
    await publishWaiting({ ...services, key, checkpoints, metachain });
  } catch (error) {
    services.onCheckpointFailure(error);
    const isConflict = isDisclosureError(error, "publication_conflict");
    services.meter(isConflict ? "publicationConflicts" : "checkpointFailures", 1);
  }
}

interface PublicationRun extends SigningRun {
  readonly seals: SealRecords;
  readonly onDisbelief: OnDisbelief;
}

/** The log before a run: the checkpoint that the public sees, and the one that the table remembers. */
interface Known {
  readonly published: PublishedCheckpoint | null;
  readonly remembered: RememberedCheckpoint | null;
}

/** A checkpoint that the table remembers, as it was locked. */
interface RememberedCheckpoint {
  readonly progress: CheckpointProgress;
  readonly locked: OwnCheckpoint;
}

async function publishWaiting(run: PublicationRun): Promise<void> {
  const { table, seals, roots, checkpoints, key } = run;
  // In this order, the reverse of the one in which a run writes them: what an overlapping run moves meanwhile can make
  // the later ones larger, never smaller.
  const remembered = await readRemembered(run, await readCheckpointProgress(table));
  const known = { remembered, published: await checkpoints.newest() };
  const newest = await seals.newestPublished();
  requireNotSetBack(known, newest);
  const size = known.published?.checkpoint.size ?? 0;
  if (newest !== null && known.published !== null && size === newest.tree.tree_size)
    return keepNewest(run, newest, known.published, remembered?.progress ?? null);
  await roots.nameLog(logName(key));
  if (newest !== null) await signWaiting(run, newest, known);
}

/**
 * The checkpoint that the table remembers. A run locks it before it notes it, and nobody can take it away then: where it is
 * not there, no run has noted it, and nothing counts as remembered.
 */
async function readRemembered(
  { table, checkpoints, onDisbelief }: PublicationRun,
  progress: CheckpointProgress | "damaged" | null,
): Promise<RememberedCheckpoint | null> {
  if (progress === null) return null;
  if (progress !== "damaged") {
    const locked = await checkpoints.ofSeal(progress.index);
    if (locked?.checkpoint.size === progress.size) return { progress, locked };
  }
  onDisbelief("the progress of the checkpoints", { noted: progress });
  // A crash here leaves a progress that was not written yet, as that of any run before it notes its own.
  await forgetCheckpointProgress(table);
  return null;
}

/** The public checkpoint is never behind what the table remembers of it, nor ahead of the table's seals. */
function requireNotSetBack({ published, remembered }: Known, newest: SealRecord | null): void {
  const size = published?.checkpoint.size ?? 0;
  const evidence = {
    published: size,
    noted: remembered?.progress.size ?? 0,
    sealed: newest?.tree.tree_size ?? 0,
  };
  if (size < evidence.noted) {
    const message = "the public checkpoint is missing, or older than one that was published";
    throw new DisclosureError("publication_conflict", message, evidence);
  }
  if (size <= evidence.sealed) return;
  const message = "the public checkpoint is of a larger tree than the table has sealed";
  throw new DisclosureError("publication_conflict", message, evidence);
}

/** Nothing is waiting: the newest seal has its checkpoint. */
async function keepNewest(
  run: PublicationRun,
  { tree: { index, merkle_root } }: SealRecord,
  published: PublishedCheckpoint,
  progress: CheckpointProgress | null,
): Promise<void> {
  const { root, size } = published.checkpoint;
  if (!equalBytes(parseNode(merkle_root), root)) {
    const message = "the public checkpoint has another root than the table's seal";
    throw new DisclosureError("publication_conflict", message, { index });
  }
  // The run that published it died before it could note that.
  const isNoted = progress?.size === size;
  const cosignedAt = isNoted ? pastOrNull(progress.cosignedAt, run.clock()) : null;
  if (!isNoted) await writeCheckpointProgress(run.table, { index, size, cosignedAt });
  const age = run.clock().getTime() - (cosignedAt?.getTime() ?? 0);
  if (run.witnesses !== null && age >= REFRESH_AFTER_MS) await refreshCheckpoint(run, index, published);
}

/** A time still to come is no run's: the checkpoint would not be cosigned anew before that. */
const pastOrNull = (instant: Date | null, now: Date): Date | null =>
  instant !== null && instant.getTime() - now.getTime() <= MAX_CLOCK_DIFFERENCE_MS ? instant : null;

async function signWaiting(
  run: PublicationRun,
  newest: SealRecord,
  { published: first, remembered }: Known,
): Promise<void> {
  const deadline = performance.now() + CHECKPOINTS_BUDGET_MS;
  const filesSize = await readFilesSize(run.table);
  const locked = remembered?.locked ?? null;
  const waiting = await readWaiting(run.seals, newest, first?.checkpoint.size ?? 0);
  for (const [at, seal] of waiting.entries()) {
    if (performance.now() > deadline) return;
    // Readers of a checkpoint ask for the files of its size at once.
    if (seal.tree.tree_size > filesSize) continue;
    // A seal may have been passed over.
    if (!(await leadToRoot(run.roots, await publishedTree(run.roots, seal)))) continue;
    const published = at === 0 ? first : await run.checkpoints.newest();
    const isOurs = await publishCheckpoint(run, seal, { published, locked });
    // Another run was faster, and has the rest before it.
    if (!isOurs) return;
  }
}

/** The published seals after the newest checkpoint; of too many, the newest. */
async function readWaiting(seals: SealRecords, newest: SealRecord, size: number): Promise<SealRecord[]> {
  const first = await seals.over(size);
  if (first === null || newest.tree.index - first.tree.index >= MAX_SEALS_A_RUN) return [newest];
  const waiting = await seals.from(first.tree.previous_tree_size, MAX_SEALS_A_RUN);
  return waiting.filter(({ isPublished }) => isPublished);
}
