// What is told of the backlog after every sealer run, whatever became of the run.

import type { Meter } from "../../contract/metric-names.ts";
import { isDisclosureError } from "../../core/errors.ts";
import type { Table } from "../table/table.ts";
import { readIncomplete } from "./seal-incomplete.ts";
import { readOldestUnvisitedMinute } from "./seal-news.ts";
import { readNewestSeal } from "./seal-record.ts";
import type { SealRun } from "./sealer.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export interface SealMetering {
  readonly table: Table;
  readonly clock: () => Date;
  readonly meter: Meter;
}

/**
 * Carries out `run` and throws what it throws. Where even the lag can't be read, none is told: an alarm takes that for
 * the worst.
 */
export async function meterSealer(services: SealMetering, run: () => Promise<SealRun>): Promise<SealRun> {
  try {
    return await run();
  } catch (error) {
    if (isDisclosureError(error, "publication_conflict")) services.meter("publicationConflicts", 1);
    throw error;
  } finally {
    await meterBacklog(services).catch(() => undefined);
  }
}

async function meterBacklog(services: SealMetering): Promise<void> {
  const [lag, { tokenless, incomplete }] = await Promise.all([
    readSealLag(services),
    readIncomplete(services.table),
  ]);
  services.meter("sealLag", lag);
  services.meter("incompleteSeals", tokenless.length + incomplete.length);
}

/** How long, in seconds, the oldest thing has waited that is to be published: a committed seal, or news of a chain. */
async function readSealLag({ table, clock }: SealMetering): Promise<number> {
  const [newest, minute] = await Promise.all([readNewestSeal(table), readOldestUnvisitedMinute(table)]);
  const now = clock().getTime();
  // Seals are published in order, so only the newest can be waiting.
  const sealedAt = newest === null || newest.isPublished ? now : Date.parse(newest.tree.sealed_at);
  const wroteAt = minute === null ? now : minute * MINUTE_MS;
  return Math.max(0, now - sealedAt, now - wroteAt) / SECOND_MS;
}
