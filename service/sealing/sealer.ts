// The sealer: appends the heads that have news, seals the tree, gets its root timestamped and publishes it.
// Runs may overlap, be repeated, or die between any two steps: the same function finishes what was begun.
import { MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { PENDING_TIMESTAMP, type Seal } from "../../evidence/core/formats/metachain.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import type { Macs } from "../ledger/macs.ts";
import { type CheckpointServices, publishCheckpoints } from "../log/checkpoint-publication.ts";
import { type OnDisbelief, publishLog } from "../log/log-publication.ts";
import type { PolicyPublication } from "../policy/policy-publication.ts";
import type { FinalSeal, SealRecord } from "../seals/seal-item.ts";
import type { Table } from "../table/table.ts";
import type { VerifySealToken } from "../timestamps/ports.ts";
import type { ChainWatch, Look } from "./chain-watch.ts";
import { type Damage, updateSetAside } from "./damaged-chains.ts";
import { findNews } from "./find-news.ts";
import type { KnownHeads } from "./known-heads.ts";
import { type PublishedEntries, readPast } from "./published-entries.ts";
import { type PublishedTip, readTip } from "./published-tip.ts";
import { requireFollows, requireTokens } from "./seal-check.ts";
import { type CompletionServices, completeSeals } from "./seal-completion.ts";
import { appendHeads } from "./seal-heads.ts";
import { type News, setBackNews } from "./seal-news.ts";

/** How long a run appends heads. It has to seal and publish what it appended before it is cut off itself. */
const HEADS_BUDGET_MS = 20_000;
/** How long a seal asks the authorities for its tokens in one run. */
const SEAL_STAMP_BUDGET_MS = 10_000;
/** How long a seal waits for its first token. After that it is published without: roots don't wait for authorities. */
const TOKENLESS_GRACE_MS = 2 * MINUTE_MS;

export interface SealerServices extends CompletionServices, CheckpointServices {
  readonly verifySealToken: VerifySealToken;
  /** The runs of this process remember them. */
  readonly heads: KnownHeads;
  readonly publishedEntries: PublishedEntries;
  readonly watch: Pick<ChainWatch, "look" | "sealed" | "oldestWaiting">;
  /** Checks the code of the newest receipt under each head. */
  readonly macs: Macs;
  readonly policy: Pick<PolicyPublication, "publishDeployed" | "publishWaiting">;
  /** Tells others that a seal is public. It never throws, and takes some seconds at most. */
  readonly announce: (seal: Seal) => Promise<void>;
  /** Called where an item that says how far the work has come was not believed, with its name. It is mended then. */
  readonly onDisbelief: OnDisbelief;
}

/** The result of a run, for logs and alarms. */
export interface SealRun {
  readonly outcome: "nothing_new" | "published" | "awaiting_timestamp";
  readonly chains: number;
  /** True where chains that had news when it began, or earlier, wait for the next run. */
  readonly isCutOff: boolean;
  /** In the order of their indices. */
  readonly published: readonly Seal[];
}

interface DamagedRun extends SealRun {
  readonly damage: DisclosureError | undefined;
}

/**
 * Seals all news. Where one run has no time for it, others follow while `mayGoOn` says so: each publishes what it has
 * appended, so no chain waits for more than those before it, and a crash leaves what a crash of the last run leaves.
 * Throws `ledger_corrupt` for a chain that can't be read, but only after all others are sealed and published; and
 * `publication_conflict`, before anything is published, where the table does not follow from what is public, or has an entry
 * that no chain claims (claims.ts).
 */
export async function runSealer(
  services: SealerServices,
  mayGoOn: () => boolean = () => false,
): Promise<SealRun> {
  let { damage, ...run } = await runOnce(services);
  while (run.isCutOff && mayGoOn()) {
    const next = await runOnce(services);
    damage ??= next.damage;
    run = inSequence(run, next);
  }
  if (damage !== undefined) throw damage;
  return run;
}

const inSequence = (run: SealRun, { outcome, isCutOff, published }: SealRun): SealRun => ({
  outcome: run.outcome === "published" ? "published" : outcome,
  chains: run.chains,
  isCutOff,
  published: [...run.published, ...published],
});

async function runOnce(services: SealerServices): Promise<DamagedRun> {
  const { table, seals, roots, heads, clock, watch } = services;
  heads.begin();
  // First, so that a run which fails knows what waits.
  const look = await watch.look();
  const tip = await readTip(seals, roots);
  await requireTime(table, tip.published, clock());
  if (tip.published === null) await roots.publishHead(null);
  await services.policy.publishDeployed();
  const damage = await readPast(services.publishedEntries, tip.published?.tree ?? null);
  // A crash after a seal was committed leaves it unpublished: it is finished first, for seals are published in order.
  const finished = await finishBegun(services, tip);
  if (tip.waiting !== null && finished === null) return { ...WAITING, damage };
  const run = await sealNews(services, finished ?? tip.published, look);
  // The log comes last, and holds up nothing: its files, also where a seal could not be completed, then its checkpoints.
  await completeSeals(services).finally(() => publishLog(services).then(() => publishCheckpoints(services)));
  const published = [...sealsOf(finished), ...run.published];
  const outcome = published.length > 0 ? "published" : run.outcome;
  return { ...run, published, outcome, damage: run.damage ?? damage };
}

const WAITING: DamagedRun = {
  outcome: "awaiting_timestamp",
  chains: 0,
  isCutOff: false,
  published: [],
  damage: undefined,
};

/** No seal may be dated before the one before it: after one of a time still to come, all would be of such a time. */
async function requireTime(table: Table, published: SealRecord | null, now: Date): Promise<void> {
  const sealedAt = published?.tree.sealed_at;
  if (sealedAt === undefined || Date.parse(sealedAt) - now.getTime() <= MAX_CLOCK_DIFFERENCE_MS) return;
  await setBackNews(table, now);
  const evidence = { sealedAt, clock: now.toISOString() };
  throw new DisclosureError("ledger_unavailable", "the newest seal is of a time still to come", evidence);
}

const sealsOf = (record: SealRecord | null): Seal[] =>
  record === null || record.final === null ? [] : [record.final.seal];

/** Finishes what a run that died has left. Null where nothing was left, or where it waits for its first token. */
async function finishBegun(services: SealerServices, tip: PublishedTip): Promise<SealRecord | null> {
  const { published, waiting, unmarked } = tip;
  // A run died between publishing the head and saying so in the table, or somebody took the mark away.
  for (const record of unmarked) await markPublished(services, record);
  if (waiting !== null) return finishSeal(services, waiting, published);
  return published === null || published.isPublished ? null : published;
}

async function sealNews(
  services: SealerServices,
  published: SealRecord | null,
  look: Look,
): Promise<DamagedRun> {
  const { table, meter, watch } = services;
  const { news, setAside } = await findNews(services, published, look);
  const { visited, damages } = await appendNews(services, news, published);
  const allDamages = [...damages, ...look.damages];
  meter("chainsWithNews", news.chainIds.length);
  meter("damagedChains", await updateSetAside(table, setAside, visited, allDamages));
  // A crash here leaves entries that no seal covers: the next run seals them, news or not.
  const sealed = await sealNext(services, published);
  // Only now: what no seal covers stays news, and counts as lag.
  await news.sealed(visited.size);
  watch.sealed(visited);
  const chains = news.chainIds.length;
  return { ...sealed, chains, isCutOff: news.isCutOffAt(visited.size), damage: allDamages[0]?.error };
}

/** Appends as many heads as there is time for. Those of the other chains follow in the next run, which begins there. */
async function appendNews(
  { table, heads, publishedEntries, macs, clock, meter }: SealerServices,
  news: News,
  published: SealRecord | null,
): Promise<{ visited: ReadonlySet<string>; damages: readonly Damage[] }> {
  const deadline = performance.now() + HEADS_BUDGET_MS;
  const visited = new Set<string>();
  const damages: Damage[] = [];
  for await (const chunk of appendHeads(
    { table, heads, publishedEntries, macs },
    news.chainIds,
    published?.tree ?? null,
  )) {
    if (chunk.isWhole) for (const chainId of chunk.chainIds) visited.add(chainId);
    damages.push(...chunk.damages);
    // A receipt that came after a run had visited its minute counts as lag too.
    for (const issuedAt of chunk.issuedAt.filter(news.isLate))
      meter("sealLag", (clock().getTime() - Date.parse(issuedAt)) / SECOND_MS);
    if (visited.size === news.chainIds.length) break;
    if (chunk.isWhole) await news.reached(visited.size);
    if (performance.now() > deadline) break;
  }
  return { visited, damages };
}

async function sealNext(
  services: SealerServices,
  published: SealRecord | null,
): Promise<Pick<SealRun, "outcome" | "published">> {
  const record = await services.seals.commit(published);
  if (record === null || record.tree.index === published?.tree.index) {
    return { outcome: "nothing_new", published: [] };
  }
  const finished = await finishSeal(services, record, published);
  if (finished === null) return { outcome: "awaiting_timestamp", published: [] };
  return { outcome: "published", published: sealsOf(finished) };
}

/**
 * Timestamps and publishes the committed seal that follows `published`, once it was shown to. Null while it waits for a
 * first token; the next run tries again. A crash before it is published has changed nothing that a repetition minds.
 */
async function finishSeal(
  services: SealerServices,
  record: SealRecord,
  published: SealRecord | null,
): Promise<SealRecord | null> {
  const { roots, clock, verifySealToken, policy, heads } = services;
  await requireFollows(services, record, published, clock());
  // The heads under the seal were read before it was committed, and each receipt was written after its layer: so every
  // layer that they name is found here, and is public before the seal is.
  await policy.publishWaiting();
  const final = record.final ?? (await stampSeal(services, record));
  if (final === null) return null;
  // From here on the bytes are frozen, so that a run which repeats these steps publishes the very same. They came from
  // the table, maybe by another run: its tokens are judged as readers will.
  await requireTokens(final.seal, verifySealToken);
  await roots.publishSeal(final.seal.index, final.text, clock());
  await roots.publishHead(final.seal);
  heads.publish(record.tree.tree_size);
  const finished = { ...record, final, isPublished: true };
  await markPublished(services, finished);
  return finished;
}

async function markPublished({ seals, meter, announce }: SealerServices, record: SealRecord): Promise<void> {
  const { tree } = record;
  // A crash behind this line leaves a seal that is not marked: the next run announces it again, and none is left out.
  for (const seal of sealsOf(record)) await announce(seal);
  await seals.markPublished(tree);
  meter("sealedReceipts", tree.receipt_count);
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
