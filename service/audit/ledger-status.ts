// The state of sealing: the newest seal, the backlog and its age, and whether the newest tokens are valid.
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { type TsaTimestamp, timestampsOf } from "../../evidence/core/formats/metachain.ts";
import { isValidAt, verifyTimestamp } from "../../evidence/core/timestamps/proven-time.ts";
import type { TimestampVerifier } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { Log } from "../ledger/log.ts";
import type { Macs } from "../ledger/macs.ts";
import type { UnclaimedEntry } from "../sealing/claims.ts";
import { readSetAside } from "../sealing/damaged-chains.ts";
import { findFirstUnclaimed } from "../sealing/unpublished-entries.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { mapInGroups } from "../table/in-groups.ts";
import type { Table } from "../table/table.ts";
import { readExtent } from "./chain-extent.ts";
import { type LogStatus, readLogStatus } from "./log-status.ts";

/** Chains that are looked at at the same time. */
const READ_CONCURRENCY = 16;
/** The newest seal may still wait for a token; the one before it is published. */
const NEWEST = 2;

export interface TokenHealth {
  readonly url: string | null;
  /** Null where it can't be checked: no token yet, or no certificate of its authority was given. */
  readonly holds: boolean | null;
  readonly detail: string;
  /** When the first of its certificates expires, RFC 3339; null where that is not known. */
  readonly validUntil: string | null;
}

export interface Backlog {
  /** Chains that grew since they were sealed last, and by how many receipts in all. */
  readonly chains: number;
  readonly receipts: number;
  /** When the oldest of these receipts was issued, RFC 3339; null where there is none. */
  readonly oldest: string | null;
  /** Chains that could not be read, and why. */
  readonly damaged: readonly { readonly chainId: string; readonly detail: string }[];
}

export interface LedgerStatus {
  /** The newest seal, or null before the first. */
  readonly seal: {
    readonly index: number;
    readonly sealedAt: string;
    readonly treeSize: number;
    readonly isPublished: boolean;
  } | null;
  /** Seals that were committed and that the public head does not have. */
  readonly unpublished: number;
  /** Published seals that lack their token, or some of those that were wanted. */
  readonly lacking: { readonly tokenless: number; readonly incomplete: number };
  readonly backlog: Backlog;
  /** Chains that the sealer set aside because it could not seal them; they are tried again at every run. */
  readonly setAside: readonly string[];
  /** The first entry of the metachain that no chain claims, for which nothing is published; null where there is none. */
  readonly unclaimed: UnclaimedEntry | null;
  /** The tokens of the newest seal that has any. */
  readonly tokens: readonly TokenHealth[];
  /** The signed log; null before its first checkpoint. */
  readonly log: LogStatus | null;
}

export interface LedgerStatusServices {
  readonly table: Table;
  readonly roots: PublishedRoots;
  readonly verifier: TimestampVerifier;
  /** Without the right to its key, codes are not checked. */
  readonly macs: Macs;
  readonly clock: () => Date;
  /** The text of the deployment's tlog-policy; null where it asks no witness. */
  readonly witnessPolicy: string | null;
}

/** `onChain` is called for each chain that was looked at. */
export async function readLedgerStatus(
  services: LedgerStatusServices,
  chainIds: readonly string[],
  onChain: () => void,
): Promise<LedgerStatus> {
  const { table, roots, witnessPolicy, clock } = services;
  const seals = new SealRecords(table);
  const records = await seals.newestFirst(NEWEST);
  // The head is read last: a seal that is published in between must not count as unpublished.
  const head = await roots.head();
  const [newest] = records;
  const { tokenless, incomplete } = await seals.incomplete();
  return {
    seal: newest === undefined ? null : describeSeal(newest),
    unpublished: newest === undefined ? 0 : Math.max(0, newest.tree.index + 1 - head.size),
    lacking: { tokenless: tokenless.length, incomplete: incomplete.length },
    backlog: await readBacklog(table, chainIds, onChain),
    setAside: await readSetAside(table),
    unclaimed: await readUnclaimed(services, records, head.size),
    tokens: await readTokens(services, records),
    log: await readLogStatus({ roots, seals, witnessPolicy, clock }, head.log),
  };
}

const describeSeal = ({ tree, isPublished }: SealRecord) => ({
  index: tree.index,
  sealedAt: tree.sealed_at,
  treeSize: tree.tree_size,
  isPublished,
});

/** Judged against the public head, as the sealer does. */
async function readUnclaimed(
  { table, macs, roots }: LedgerStatusServices,
  records: readonly SealRecord[],
  publishedSeals: number,
): Promise<UnclaimedEntry | null> {
  const published = records.find(({ tree }) => tree.index === publishedSeals - 1) ?? null;
  const waiting = records.find(({ tree }) => tree.index === publishedSeals) ?? null;
  // The table does not go with the head: no entry is to blame for that.
  if (published === null && publishedSeals > 0) return null;
  try {
    return await findFirstUnclaimed({ table, macs, roots }, published, waiting);
  } catch (error) {
    if (!isDisclosureError(error, "mac_unavailable")) throw error;
    return findFirstUnclaimed({ table, macs: null, roots }, published, waiting);
  }
}

async function readBacklog(table: Table, chainIds: readonly string[], onChain: () => void): Promise<Backlog> {
  const found = await mapInGroups(chainIds, READ_CONCURRENCY, async (chainId) => {
    const state = await readWaiting(table, chainId).catch((error: unknown) => asDamage(chainId, error));
    onChain();
    return state;
  });
  const waiting = found.filter((state) => state !== null && "count" in state);
  const damaged = found.filter((state) => state !== null && "detail" in state);
  const [oldest = null] = waiting.map(({ issuedAt }) => issuedAt).sort();
  const receipts = waiting.reduce((sum, { count }) => sum + count, 0);
  return { chains: waiting.length, receipts, oldest, damaged };
}

interface WaitingChains {
  readonly count: number;
  readonly issuedAt: string;
}

/** Null where the metachain has all of the chain. */
async function readWaiting(table: Table, chainId: string): Promise<WaitingChains | null> {
  const { size, sealedSize } = await readExtent(table, chainId);
  if (size === sealedSize) return null;
  const first = size > sealedSize ? await new Log(table, chainId).entry(sealedSize) : null;
  if (first === null) throw new DisclosureError("ledger_corrupt", "receipts that were sealed are missing");
  return { count: size - sealedSize, issuedAt: readChainLeaf(first).core.issued_at };
}

function asDamage(chainId: string, error: unknown): { chainId: string; detail: string } {
  if (isDisclosureError(error, "ledger_corrupt")) return { chainId, detail: error.message };
  throw error;
}

async function readTokens(
  services: LedgerStatusServices,
  records: readonly SealRecord[],
): Promise<TokenHealth[]> {
  const newest = records.find(({ final }) => final !== null);
  if (!newest?.final) return [];
  const timestamps = timestampsOf(newest.final.seal, newest.later);
  return Promise.all(timestamps.map((timestamp) => readToken(services, newest, timestamp)));
}

async function readToken(
  { verifier, clock }: LedgerStatusServices,
  { tree }: SealRecord,
  timestamp: TsaTimestamp,
): Promise<TokenHealth> {
  const unchecked = { url: timestamp.tsa_url, holds: null, validUntil: null };
  if (timestamp.status === "pending") return { ...unchecked, detail: "no token yet" };
  if (!verifier.hasTrustAnchors)
    return { ...unchecked, detail: "no certificate of its authority was given; see --tsa-ca" };
  try {
    const now = clock().toISOString();
    const knowledge = { trustAnchors: verifier, now };
    const time = await verifyTimestamp(tree.merkle_root, timestamp, tree.sealed_at, knowledge);
    if (time === null) return { ...unchecked, detail: "no token yet" };
    const detail = `${time.authority.subject} at ${time.genTime}`;
    return { ...unchecked, holds: isValidAt(time, now), detail, validUntil: time.validUntil };
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return { ...unchecked, holds: false, detail: error.message };
  }
}
