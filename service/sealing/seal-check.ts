// The demands on a seal before it is published, which can't be undone: it follows from the published one, its tree is
// recomputed from the metachain's leaves, and each of these is a head that a chain claims.
import type { Meter } from "../../contract/metric-names.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { PENDING_TIMESTAMP, type Seal, timestampsOf } from "../../evidence/core/formats/metachain.ts";
import { formatNode, parseNode } from "../../evidence/core/merkle/hash.ts";
import { rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import { verifySeal } from "../../evidence/core/verify/verify-seal.ts";
import { checkFollows, type LogEntry } from "../ledger/log.ts";
import { metachainEntries, readChainHead } from "../seals/metachain-entry.ts";
import type { SealedTree, SealRecord } from "../seals/seal-item.ts";
import { integerOf } from "../table/attributes.ts";
import type { Table } from "../table/table.ts";
import type { VerifySealToken } from "../timestamps/ports.ts";
import { type ClaimServices, EntryUnclaimed, findUnclaimed, type PlacedHead } from "./claims.ts";

/** The steps of `verifySeal` that say how a seal follows from the one before. */
const LINKS: ReadonlySet<string> = new Set(["previous_seal", "consistency"]);

/**
 * Throws `publication_conflict` unless the committed tree follows from the published seal and the metachain's leaves, and
 * chains claim those: their spans are read after the tree is fixed, so none that was taken back in between helps.
 */
export async function requireFollows(
  services: ClaimServices & { readonly meter: Meter },
  record: SealRecord,
  published: SealRecord | null,
  now: Date,
): Promise<void> {
  const { tree } = record;
  await asConflict(tree, async () => {
    await requireLink(tree, published);
    requirePast(tree, now);
    const entries = await requireTree(services.table, record, published);
    const unclaimed = await findUnclaimed(services, published?.tree ?? null, entries);
    if (unclaimed === null) return;
    services.meter("unclaimedEntries", 1);
    throw new EntryUnclaimed(unclaimed);
  });
}

/** Throws `publication_conflict` where readers would refuse a token of the seal. One without tokens passes. */
export async function requireTokens(seal: Seal, verify: VerifySealToken): Promise<void> {
  const { tsa_timestamp, additional_timestamps, merkle_root, sealed_at } = seal;
  await asConflict(seal, async () => {
    if (tsa_timestamp.status === "pending" && additional_timestamps.length > 0)
      refuse("a token has no first one");
    for (const timestamp of timestampsOf(seal)) await verify(merkle_root, timestamp, sealed_at);
  });
}

/** The link to the published seal, checked by the steps that readers take. Between two roots only one path holds. */
async function requireLink(tree: SealedTree, published: SealRecord | null): Promise<void> {
  const seal = { ...tree, tsa_timestamp: PENDING_TIMESTAMP, additional_timestamps: [] };
  const previous = published?.final?.seal;
  const { checks } = await verifySeal(seal, previous === undefined ? {} : { previous });
  const failed = checks.find(({ name, ok }) => LINKS.has(name) && ok !== true);
  if (failed !== undefined) refuse(failed.detail);
}

/** No later seal may be dated before this one, so a time to come would hold for all of them. */
function requirePast({ sealed_at }: SealedTree, now: Date): void {
  if (Date.parse(sealed_at) - now.getTime() > MAX_CLOCK_DIFFERENCE_MS)
    refuse("it is of a time still to come");
}

/** Returns the entries after the published tree. */
async function requireTree(
  table: Table,
  record: SealRecord,
  published: SealRecord | null,
): Promise<readonly PlacedHead[]> {
  const { tree, receiptsTotal } = record;
  const before = published?.tree ?? null;
  const { head, receipts, entries } = await recompute(table, before, tree.tree_size);
  if (formatNode(rootAt(head.leaf)) !== tree.merkle_root)
    refuse("its root is not that of the metachain's leaves");
  if (receipts !== tree.receipt_count || integerOf(head.item, "receipts_total") !== receiptsTotal)
    refuse("its number of receipts is not that of the metachain's entries");
  return entries;
}

interface RecomputedTree {
  /** The tree's newest entry; its left path follows from all leaves since the published root. */
  readonly head: LogEntry;
  readonly receipts: number;
  readonly entries: readonly PlacedHead[];
}

/** Walks the entries after the published tree; each follows from the one before it and is its chain head's. */
async function recompute(table: Table, before: SealedTree | null, treeSize: number): Promise<RecomputedTree> {
  const start = before === null ? 0 : before.tree_size - 1;
  let head: LogEntry | null = null;
  let [sealed, total] = [0, 0];
  const entries: PlacedHead[] = [];
  for await (const entry of metachainEntries(table, start, treeSize)) {
    if (head === null && before !== null) {
      if (!equalBytes(rootAt(entry.leaf), parseNode(before.merkle_root)))
        refuse("the published root is not the metachain's");
      sealed = integerOf(entry.item, "receipts_total");
      total = sealed;
      readChainHead(entry);
    } else {
      checkFollows(entry.leaf, head?.leaf);
      const receipts = integerOf(entry.item, "receipts_total") - total;
      entries.push({ leafIndex: entry.leaf.leafIndex, head: readChainHead(entry), receipts });
      total += receipts;
    }
    head = entry;
  }
  if (head === null || head.leaf.leafIndex !== treeSize - 1)
    return refuse("the metachain does not have its entries");
  return { head, receipts: total - sealed, entries };
}

/** Damage is a conflict here: what can't be shown to follow must not be published, and somebody must look. */
async function asConflict({ index }: Pick<Seal, "index">, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isDisclosureError(error) || !EVIDENCE_FAULTS.has(error.code)) throw error;
    throw new DisclosureError(
      "publication_conflict",
      `a seal must not be published: ${error.message}`,
      { index },
      error,
    );
  }
}

/** Faults of what was checked; all others say that it could not be checked now. */
const EVIDENCE_FAULTS: ReadonlySet<string> = new Set([
  "ledger_corrupt",
  "proof_invalid",
  "token_invalid",
  "token_open",
  "malformed",
]);

function refuse(message: string): never {
  throw new DisclosureError("proof_invalid", message);
}
