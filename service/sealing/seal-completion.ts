// Tokens that a seal lacked when it was published are gathered later and published next to it: the seal itself never
// changes. Safe to repeat and to overlap.
import { HOUR_MS } from "../../contract/time.ts";
import { type TsaTimestamp, timestampsOf } from "../../evidence/core/formats/metachain.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { FinalSeal, SealRecord } from "../seals/seal-item.ts";
import type { MissingTokens, SealRecords } from "../seals/seal-records.ts";
import type { GatherTokens } from "../timestamps/ports.ts";

/** How long one run may spend on completing seals, and how many it may look at. */
const COMPLETION_BUDGET_MS = 15_000;
const MAX_VISITS = 20;
/**
 * After this the seal is left as it is: newer ones with tokens cover it, and reports carry the path to one. It also
 * bounds the list, should an authority never come back.
 */
const GIVE_UP_AFTER_MS: Record<MissingTokens, number> = {
  tokenless: 7 * 24 * HOUR_MS,
  incomplete: 24 * HOUR_MS,
};

/** The newest seals, which are visited whether it is noted that they lack tokens or not: the note may be gone. */
const NEWEST_SEALS = 2;

export interface CompletionServices {
  readonly seals: SealRecords;
  readonly roots: PublishedRoots;
  readonly gather: GatherTokens;
  readonly clock: () => Date;
}

/** Throws the first seal's error, but only after the others were visited. */
export async function completeSeals(services: CompletionServices): Promise<void> {
  const deadline = performance.now() + COMPLETION_BUDGET_MS;
  const { tokenless, incomplete } = await services.seals.incomplete();
  const newest = (await services.seals.newestFirst(NEWEST_SEALS)).map(({ tree }) => tree.previous_tree_size);
  const noted = new Set([...tokenless, ...incomplete]);
  // Those without any token first: the others can wait behind an authority that never comes back.
  const visits = [
    ...newest.filter((size) => !noted.has(size)).map((size) => ({ size, missing: null })),
    ...tokenless.map((size) => ({ size, missing: "tokenless" as const })),
    ...incomplete.map((size) => ({ size, missing: "incomplete" as const })),
  ];
  const failures: unknown[] = [];
  for (const { size, missing } of visits.slice(0, MAX_VISITS)) {
    const budgetMs = deadline - performance.now();
    if (budgetMs <= 0) break;
    await completeSeal(services, size, missing, budgetMs).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function completeSeal(
  services: CompletionServices,
  fromSize: number,
  recorded: MissingTokens | null,
  budgetMs: number,
): Promise<void> {
  const { seals, gather, clock } = services;
  const record = await seals.at(fromSize);
  // A note of no seal would take the place of one for ever.
  if (record === null) return seals.recordMissing(fromSize, null);
  // Recorded by a run that died before it published: the seal is finished first, and visited after that.
  if (!record.isPublished || record.final === null) return;
  const age = clock().getTime() - Date.parse(record.tree.sealed_at);
  const held = tokensOf(record.final, record.later);
  // By the seal itself and not by the list: of two runs that overlapped, one recorded what the other then published.
  if (age > GIVE_UP_AFTER_MS[missingFrom(held)])
    return recorded === null ? undefined : seals.recordMissing(fromSize, null);
  const { tokens, missing } = await gather(
    parseNode(record.tree.merkle_root),
    held,
    budgetMs,
    record.tree.sealed_at,
  );
  const isOurs = await publishTokens(services, record, tokens);
  // Another run's tokens were not counted: the next visit does that.
  if (!isOurs) return;
  const left = missing === 0 ? null : missingFrom([...held, ...tokens]);
  if (left !== recorded) await seals.recordMissing(fromSize, left);
}

const missingFrom = (tokens: readonly TsaTimestamp[]): MissingTokens =>
  tokens.length === 0 ? "tokenless" : "incomplete";

/** False where another run was faster with one of them. */
async function publishTokens(
  { seals, roots, clock }: CompletionServices,
  sealed: SealRecord,
  tokens: readonly TsaTimestamp[],
): Promise<boolean> {
  let record = sealed;
  for (const token of tokens) {
    const published = await roots.publishTimestamp(record.tree.index, record.later.length, token, clock());
    // A crash here leaves a token that is published and that no report shows: the next run gets a 412 and adopts it.
    await seals.addLaterToken(record, published);
    record = { ...record, later: [...record.later, published] };
    if (published.timestamp_token !== token.timestamp_token) return false;
  }
  return true;
}

const tokensOf = ({ seal }: FinalSeal, later: readonly TsaTimestamp[]): TsaTimestamp[] =>
  timestampsOf(seal, later).filter(({ status }) => status === "included");
