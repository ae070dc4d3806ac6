// Tokens that a seal lacked when it was published are gathered later and published beside it: the seal itself never
// changes. Safe to repeat and to overlap.

import { type TsaTimestamp, timestampsOf } from "../../core/formats/metachain.ts";
import { parseNode } from "../../core/merkle/hash.ts";
import type { Table } from "../table/table.ts";
import type { PublishedRoots } from "./published-roots.ts";
import { type Lack, noteLack, readIncomplete } from "./seal-incomplete.ts";
import { type FinalSeal, keepLater, readSealFrom, type SealRecord } from "./seal-record.ts";
import type { GatherTokens } from "./seal-tokens.ts";

/** How long all that a run does here may take, and how many seals it may look at. */
const COMPLETION_BUDGET_MS = 15_000;
const MAX_VISITS = 20;
const HOUR_MS = 60 * 60 * 1000;
/**
 * After this the seal is left as it is: newer ones with tokens cover it, and reports carry the path to one. It also
 * bounds the list, should an authority never come back.
 */
const GIVE_UP_AFTER_MS: Record<Lack, number> = { tokenless: 7 * 24 * HOUR_MS, incomplete: 24 * HOUR_MS };

export interface CompletionServices {
  readonly table: Table;
  readonly roots: PublishedRoots;
  readonly gather: GatherTokens;
  readonly clock: () => Date;
}

/** Throws what was wrong with a seal, but only after it has visited the others. */
export async function completeSeals(services: CompletionServices): Promise<void> {
  const deadline = performance.now() + COMPLETION_BUDGET_MS;
  const { tokenless, incomplete } = await readIncomplete(services.table);
  // Those without any token first: the others can wait behind an authority that never comes back.
  const visits = [
    ...tokenless.map((size) => ({ size, lack: "tokenless" as const })),
    ...incomplete.map((size) => ({ size, lack: "incomplete" as const })),
  ];
  const failures: unknown[] = [];
  for (const { size, lack } of visits.slice(0, MAX_VISITS)) {
    const budgetMs = deadline - performance.now();
    if (budgetMs <= 0) break;
    await completeSeal(services, size, lack, budgetMs).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function completeSeal(
  services: CompletionServices,
  fromSize: number,
  noted: Lack,
  budgetMs: number,
): Promise<void> {
  const { table, gather, clock } = services;
  const record = await readSealFrom(table, fromSize);
  // Noted by a run that died before it published: the seal is finished first, and looked at then.
  if (!record?.isPublished || record.final === null) return;
  const age = clock().getTime() - Date.parse(record.tree.sealed_at);
  const held = tokensOf(record.final, record.later);
  // The seal's own word and not the note's: of two runs that overlapped, one noted what the other then published.
  if (age > GIVE_UP_AFTER_MS[lackOf(held)]) return noteLack(table, fromSize, null);
  const { tokens, missing } = await gather(parseNode(record.tree.merkle_root), held, budgetMs);
  const isOurs = await publishTokens(services, record, tokens);
  // What another run published was not counted: the next visit does that.
  if (!isOurs) return;
  const left = missing === 0 ? null : lackOf([...held, ...tokens]);
  if (left !== noted) await noteLack(table, fromSize, left);
}

const lackOf = (tokens: readonly TsaTimestamp[]): Lack => (tokens.length === 0 ? "tokenless" : "incomplete");

/** False where another run was faster with one of them. */
async function publishTokens(
  { table, roots, clock }: CompletionServices,
  sealed: SealRecord,
  tokens: readonly TsaTimestamp[],
): Promise<boolean> {
  let record = sealed;
  for (const token of tokens) {
    const published = await roots.publishTimestamp(record.tree.index, record.later.length, token, clock());
    // A crash here leaves a token that is published, and that no report shows: the next run meets it in its way.
    await keepLater(table, record, published);
    record = { ...record, later: [...record.later, published] };
    if (published.timestamp_token !== token.timestamp_token) return false;
  }
  return true;
}

const tokensOf = ({ seal }: FinalSeal, later: readonly TsaTimestamp[]): TsaTimestamp[] =>
  timestampsOf(seal, later).filter(({ status }) => status === "included");
