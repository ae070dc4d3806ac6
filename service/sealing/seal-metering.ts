// Emits the backlog metrics after every sealer run, failed or not.
import type { Meter } from "../../contract/metric-names.ts";
import { MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { readPublicSize } from "../log/published-checkpoints.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecords } from "../seals/seal-records.ts";
import type { Table } from "../table/table.ts";
import type { ChainWatch } from "./chain-watch.ts";
import { readOldestUnvisitedMinute } from "./seal-news.ts";
import type { SealRun } from "./sealer.ts";

export interface SealMetering {
  readonly table: Table;
  readonly seals: SealRecords;
  readonly roots: PublishedRoots;
  readonly watch: Pick<ChainWatch, "oldestWaiting">;
  readonly clock: () => Date;
  readonly meter: Meter;
}

/**
 * Carries out `run` and throws what it throws. Where even the lag can't be read, no value is emitted: the alarm treats
 * missing data as breaching.
 */
export async function meterSealer(services: SealMetering, run: () => Promise<SealRun>): Promise<SealRun> {
  try {
    return await run();
  } catch (error) {
    if (isDisclosureError(error, "publication_conflict")) services.meter("publicationConflicts", 1);
    throw error;
  } finally {
    await Promise.allSettled([meterBacklog(services), meterCheckpointAge(services)]);
  }
}

async function meterBacklog(services: SealMetering): Promise<void> {
  const [lag, { tokenless, incomplete }] = await Promise.all([
    readSealLag(services),
    services.seals.incomplete(),
  ]);
  services.meter("sealLag", lag);
  services.meter("incompleteSeals", tokenless.length + incomplete.length);
}

/**
 * For how many seconds the oldest published seal has waited that no checkpoint covers, by the one that the public sees:
 * whether it is ours and holds is what the run itself judges.
 */
async function meterCheckpointAge({ roots, seals, clock, meter }: SealMetering): Promise<void> {
  const oldest = await seals.over(await readPublicSize(roots.files));
  const sealedAt = oldest?.isPublished ? Date.parse(oldest.tree.sealed_at) : Number.POSITIVE_INFINITY;
  meter("checkpointAge", Math.max(0, clock().getTime() - sealedAt) / SECOND_MS);
}

/**
 * For how many seconds the oldest unpublished thing has waited: a committed seal, the news of a chain, or a receipt that
 * has no marker and that the run has found by its leaf.
 */
async function readSealLag({ table, seals, watch, clock }: SealMetering): Promise<number> {
  const newest = await seals.newest();
  const shown = {
    now: clock(),
    sealedSize: newest?.tree.tree_size ?? 0,
    sealedAt: newest?.tree.sealed_at ?? null,
  };
  const [minute, waiting] = await Promise.all([
    readOldestUnvisitedMinute(table, shown),
    watch.oldestWaiting(),
  ]);
  const now = shown.now.getTime();
  // Seals are published in order, so only the newest can be waiting.
  const sealedAt = newest === null || newest.isPublished ? now : Date.parse(newest.tree.sealed_at);
  const wroteAt = minute === null ? now : minute * MINUTE_MS;
  return Math.max(0, now - sealedAt, now - wroteAt, now - (waiting?.getTime() ?? now)) / SECOND_MS;
}
