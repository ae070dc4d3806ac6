// The sealer: appends the heads that have news, seals the tree, gets its root timestamped and publishes it.
// Runs may overlap, be repeated, or die between any two steps: the same function finishes what was begun.
import { parseNode } from "../core/hash.ts";
import { PENDING_TIMESTAMP, type Seal } from "../core/metachain.ts";
import type { PublishedRoots } from "./roots.ts";
import { appendHeads } from "./seal-heads.ts";
import { readNews } from "./seal-news.ts";
import {
  commitSeal,
  type FinalSeal,
  fixSeal,
  markPublished,
  readNewestSeal,
  type SealRecord,
} from "./seal-record.ts";
import type { Stamp } from "./stamp.ts";
import type { Table } from "./table.ts";

/** How long a seal asks the authorities for a token in one run. */
const SEAL_STAMP_BUDGET_MS = 10_000;

export interface SealerServices {
  readonly table: Table;
  readonly roots: PublishedRoots;
  readonly stamp: Stamp;
  readonly clock: () => Date;
}

/** What a run came to, for logs and alarms. */
export interface SealRun {
  readonly outcome: "nothing_new" | "published" | "awaiting_timestamp";
  readonly chains: number;
  readonly seal: Seal | null;
}

/** Throws `ledger_corrupt` for a chain that can't be read, but only after all others are sealed and published. */
export async function runSealer(services: SealerServices): Promise<SealRun> {
  const { table, roots, clock } = services;
  const previous = await readNewestSeal(table);
  if (previous === null) await roots.publishHead(null);
  // A crash after a seal was committed leaves it unpublished: it is finished first, for seals are published in order.
  if (previous !== null && !previous.isPublished && (await finishSeal(services, previous)) === null) {
    return { outcome: "awaiting_timestamp", chains: 0, seal: null };
  }
  const news = await readNews(table, clock());
  const [damage] = await appendHeads(table, news.chainIds);
  // A crash here leaves entries that no seal covers: the next run seals them, news or not. What could not be read is
  // news until it can be.
  if (damage === undefined) await news.done();
  const run = await sealNext(services, previous);
  if (damage !== undefined) throw damage;
  return { ...run, chains: news.chainIds.length };
}

async function sealNext(
  services: SealerServices,
  previous: SealRecord | null,
): Promise<Pick<SealRun, "outcome" | "seal">> {
  const record = await commitSeal(services.table, previous, services.clock());
  if (record === null || record.tree.index === previous?.tree.index) {
    return { outcome: "nothing_new", seal: null };
  }
  const seal = await finishSeal(services, record);
  return { outcome: seal === null ? "awaiting_timestamp" : "published", seal };
}

/** Timestamps and publishes a committed seal; null while no authority answers, to be tried again by the next run. */
async function finishSeal(
  { table, roots, stamp, clock }: SealerServices,
  record: SealRecord,
): Promise<Seal | null> {
  const final = record.final ?? (await stampSeal(table, stamp, record));
  if (final === null) return null;
  // From here on the bytes are fixed, so that a run which repeats these steps publishes the very same.
  const { seal, text } = final;
  await roots.publishSeal(seal.index, text, clock());
  await roots.publishHead(seal);
  await markPublished(table, record.tree);
  return seal;
}

async function stampSeal(table: Table, stamp: Stamp, { tree }: SealRecord): Promise<FinalSeal | null> {
  const tsa_timestamp = await stamp(parseNode(tree.merkle_root), SEAL_STAMP_BUDGET_MS);
  if (tsa_timestamp.status === PENDING_TIMESTAMP.status) return null;
  return fixSeal(table, tree, { ...tree, tsa_timestamp, additional_timestamps: [] });
}
