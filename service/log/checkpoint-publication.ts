// Publishes a signed checkpoint for each published seal, behind its files. It holds up nothing and fails nothing, may
// overlap with itself, and goes on from where any run has died.
import type { Meter } from "../../contract/metric-names.ts";
import { METACHAIN_ID } from "../../contract/table.ts";
import { HOUR_MS } from "../../contract/time.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { edgeTiles, entriesPath, tilePath } from "../../evidence/core/log/tiles.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { Log } from "../ledger/log.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { SealRecords } from "../seals/seal-records.ts";
import {
  type CheckpointProgress,
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
import { readFilesSize } from "./log-publication.ts";
import {
  type OwnCheckpoint,
  type PublishedCheckpoint,
  PublishedCheckpoints,
} from "./published-checkpoints.ts";

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
}

/** The log before a run: the checkpoint that the public sees, and the one that the table remembers. */
interface Known {
  readonly published: PublishedCheckpoint | null;
  readonly progress: CheckpointProgress | null;
}

async function publishWaiting(run: PublicationRun): Promise<void> {
  const { table, seals, roots, checkpoints, key } = run;
  // In this order, the reverse of the one in which a run writes them: what an overlapping run moves meanwhile can make
  // the later ones larger, never smaller.
  const progress = await readCheckpointProgress(table);
  const known = { progress, published: await checkpoints.newest() };
  const newest = await seals.newestPublished();
  requireNotSetBack(known, newest);
  const size = known.published?.checkpoint.size ?? 0;
  if (newest !== null && known.published !== null && size === newest.tree.tree_size)
    return keepNewest(run, newest, known.published, progress);
  await roots.nameLog(logName(key));
  if (newest !== null) await signWaiting(run, newest, known);
}

/** The public checkpoint is never behind what the table remembers of it, nor ahead of the table's seals. */
function requireNotSetBack({ published, progress }: Known, newest: SealRecord | null): void {
  const size = published?.checkpoint.size ?? 0;
  const evidence = { published: size, noted: progress?.size ?? 0, sealed: newest?.tree.tree_size ?? 0 };
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
  const cosignedAt = isNoted ? progress.cosignedAt : null;
  if (!isNoted) await writeCheckpointProgress(run.table, { index, size, cosignedAt });
  const age = run.clock().getTime() - (cosignedAt?.getTime() ?? 0);
  if (run.witnesses !== null && age >= REFRESH_AFTER_MS) await refreshCheckpoint(run, index, published);
}

async function signWaiting(
  run: PublicationRun,
  newest: SealRecord,
  { published: first, progress }: Known,
): Promise<void> {
  const deadline = performance.now() + CHECKPOINTS_BUDGET_MS;
  const filesSize = await readFilesSize(run.table);
  const locked = progress === null ? null : await readLocked(run, progress);
  const waiting = await readWaiting(run.seals, newest, first?.checkpoint.size ?? 0);
  for (const [at, seal] of waiting.entries()) {
    if (performance.now() > deadline) return;
    // Readers of a checkpoint ask for the files of its size at once.
    const { tree_size: size } = seal.tree;
    if (size > filesSize || !(await hasFiles(run.roots, size))) continue;
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

/** The checkpoint that the table remembers, as it was locked. Throws `publication_conflict` where it is not there. */
async function readLocked(
  { checkpoints }: PublicationRun,
  { index, size }: CheckpointProgress,
): Promise<OwnCheckpoint> {
  const locked = await checkpoints.ofSeal(index);
  if (locked?.checkpoint.size === size) return locked;
  const message = "the checkpoint of a seal is missing, or of another tree than the one that was signed";
  throw new DisclosureError("publication_conflict", message, { index });
}

/** The last tile of each level and the last bundle are published: a seal may have been passed over. */
async function hasFiles(roots: PublishedRoots, size: number): Promise<boolean> {
  const tiles = edgeTiles(size);
  const paths = [...tiles.slice(0, 1).map(entriesPath), ...tiles.map(tilePath)];
  const files = await Promise.all(paths.map((path) => roots.logFile(path)));
  return !files.includes(null);
}
