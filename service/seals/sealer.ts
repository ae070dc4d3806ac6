// The sealer: appends the heads that have news, seals the tree, gets its root timestamped and publishes it.
// Runs may overlap, be repeated, or die between any two steps: the same function finishes what was begun.

import type { Meter } from "../../contract/metric-names.ts";
import type { DisclosureError } from "../../core/errors.ts";
import { PENDING_TIMESTAMP, type Seal } from "../../core/formats/metachain.ts";
import { parseNode } from "../../core/merkle/hash.ts";
import type { Table } from "../table/table.ts";
import { type CompletionServices, completeSeals } from "./seal-completion.ts";
import { appendHeads } from "./seal-heads.ts";
import type { FinalSeal, SealRecord } from "./seal-item.ts";
import { readNews } from "./seal-news.ts";

/** How long a seal asks the authorities for its tokens in one run. */
const SEAL_STAMP_BUDGET_MS = 10_000;
/** How long a seal waits for its first token. After that it is published without: roots don't wait for authorities. */
const TOKENLESS_GRACE_MS = 2 * 60 * 1000;

export interface SealerServices extends CompletionServices {
  readonly table: Table;
  readonly meter: Meter;
}

/** The result of a run, for logs and alarms. */
export interface SealRun {
  readonly outcome: "nothing_new" | "published" | "awaiting_timestamp";
  readonly chains: number;
  /** In the order of their indices. */
  readonly published: readonly Seal[];
}

/** Throws `ledger_corrupt` for a chain that can't be read, but only after all others are sealed and published. */
export async function runSealer(services: SealerServices): Promise<SealRun> {
  const { seals, roots } = services;
  const previous = await seals.newest();
  if (previous === null) await roots.publishHead(null);
  // A crash after a seal was committed leaves it unpublished: it is finished first, for seals are published in order.
  const isWaiting = previous !== null && !previous.isPublished;
  const finished = isWaiting ? await finishSeal(services, previous) : null;
  if (isWaiting && finished === null) return { outcome: "awaiting_timestamp", chains: 0, published: [] };
  const { run, damage } = await sealNews(services, previous);
  await completeSeals(services);
  if (damage !== undefined) throw damage;
  const published = [...(finished === null ? [] : [finished]), ...run.published];
  return { ...run, published, outcome: published.length > 0 ? "published" : run.outcome };
}

async function sealNews(
  services: SealerServices,
  previous: SealRecord | null,
): Promise<{ run: SealRun; damage: DisclosureError | undefined }> {
  const { table, clock, meter } = services;
  const news = await readNews(table, clock());
  const [damage] = await appendHeads(table, news.chainIds, previous?.tree ?? null);
  meter("chainsWithNews", news.chainIds.length);
  // A crash here leaves entries that no seal covers: the next run seals them, news or not. A chain that could not be
  // read stays news until it can be.
  if (damage === undefined) await news.done();
  const run = { ...(await sealNext(services, previous)), chains: news.chainIds.length };
  return { run, damage };
}

async function sealNext(
  services: SealerServices,
  previous: SealRecord | null,
): Promise<Pick<SealRun, "outcome" | "published">> {
  const record = await services.seals.commit(previous, services.clock());
  if (record === null || record.tree.index === previous?.tree.index) {
    return { outcome: "nothing_new", published: [] };
  }
  const seal = await finishSeal(services, record);
  if (seal === null) return { outcome: "awaiting_timestamp", published: [] };
  return { outcome: "published", published: [seal] };
}

/** Timestamps and publishes a committed seal. Null while it waits for a first token; the next run tries again. */
async function finishSeal(services: SealerServices, record: SealRecord): Promise<Seal | null> {
  const { seals, roots, clock, meter } = services;
  const final = record.final ?? (await stampSeal(services, record));
  if (final === null) return null;
  // From here on the bytes are frozen, so that a run which repeats these steps publishes the very same.
  const { seal, text } = final;
  await roots.publishSeal(seal.index, text, clock());
  await roots.publishHead(seal);
  await seals.markPublished(record.tree);
  meter("sealedReceipts", seal.receipt_count);
  return seal;
}

async function stampSeal(
  { seals, gather, clock }: SealerServices,
  { tree }: SealRecord,
): Promise<FinalSeal | null> {
  const { tokens, missing } = await gather(
    parseNode(tree.merkle_root),
    [],
    SEAL_STAMP_BUDGET_MS,
    tree.sealed_at,
  );
  const [first, ...additional_timestamps] = tokens;
  const age = clock().getTime() - Date.parse(tree.sealed_at);
  if (first === undefined && age < TOKENLESS_GRACE_MS) return null;
  // Recorded before the bytes are frozen: a crash between the two leaves a record too many, which a visit clears, and
  // never a seal that nobody completes.
  if (missing > 0)
    await seals.recordMissing(tree.previous_tree_size, first === undefined ? "tokenless" : "incomplete");
  return seals.freeze(tree, { ...tree, tsa_timestamp: first ?? PENDING_TIMESTAMP, additional_timestamps });
}
