// What a report carries beside a token that has run out, soon will, or never came: a seal with a token that stands, and
// the path to it. Slow to load, as all that parses ASN.1.
import { METACHAIN_ID } from "../../contract/table.ts";
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import { type Seal, type TsaTimestamp, timestampsOf } from "../../core/formats/metachain.ts";
import type { Renewal } from "../../core/formats/renewal.ts";
import { formatNode, parseNode } from "../../core/merkle/hash.ts";
import { type ProvenTime, verifyTimestamp } from "../../core/timestamps/proven-time.ts";
import { TimestampVerifier } from "../../core/timestamps/timestamp-verifier.ts";
import { verifyRenewal } from "../../core/verify/verify-renewal.ts";
import { Log } from "../ledger/log.ts";
import { readNewestSeals, readSealOver, type SealRecord } from "../seals/seal-record.ts";
import type { Table } from "../table/table.ts";
import type { FindRenewal } from "./reports.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A report is kept for years, so a token that soon runs out is renewed already. */
const RENEW_BEFORE_MS = 90 * DAY_MS;
/** How many of the newest seals are looked at for one to begin with: an outage may have left some without a token. */
const LOOK_BACK = 8;

export interface RenewalServices {
  readonly table: Table;
  /** DER certificates. */
  readonly trustAnchors: readonly Uint8Array[];
  readonly clock: () => Date;
}

/** What looks for them; tokens that it verified are remembered. */
export function findRenewals({ table, trustAnchors, clock }: RenewalServices): FindRenewal {
  const verifier = new TimestampVerifier(trustAnchors);
  return async (seal, timestamp) => {
    const now = clock().getTime();
    const standsUntil = await readEnd(verifier, seal, timestamp);
    if (standsUntil > now + RENEW_BEFORE_MS) return null;
    const stands = async (candidate: Seal): Promise<boolean> =>
      (await readLastEnd(verifier, candidate)) > Math.max(now, standsUntil);
    const renewing = await findSeal(table, seal, stands);
    return renewing === null ? null : buildRenewal(table, verifier, seal, renewing);
  };
}

type Stands = (candidate: Seal) => Promise<boolean>;

/** The nearer to the receipt, the earlier the time that is proved; the receipt's own seal may have another token. */
async function findSeal(table: Table, seal: Seal, stands: Stands): Promise<Seal | null> {
  const own = await sealOver(table, seal.previous_tree_size);
  if (await isStanding(own, stands)) return withTokens(own);
  for (const record of await readNewestSeals(table, LOOK_BACK)) {
    if (record.tree.index <= seal.index) return null;
    if (await isStanding(record, stands)) return findNearest(table, seal, record, stands);
  }
  return null;
}

/**
 * Certificates are replaced by ones that last longer, so halving what lies between the two finds the first seal that
 * stands. One without a token on the way costs nearness, not soundness.
 */
async function findNearest(table: Table, seal: Seal, late: SealRecord, stands: Stands): Promise<Seal | null> {
  let [low, nearest] = [seal.tree_size, late];
  while (low < nearest.tree.previous_tree_size) {
    const middle = low + Math.floor((nearest.tree.previous_tree_size - low) / 2);
    const record = await sealOver(table, middle);
    if (await isStanding(record, stands)) nearest = record;
    else low = record.tree.tree_size;
  }
  return withTokens(nearest);
}

async function sealOver(table: Table, leafIndex: number): Promise<SealRecord> {
  const record = await readSealOver(table, leafIndex);
  if (record !== null) return record;
  throw new DisclosureError("ledger_corrupt", "a seal is missing from the table", { leafIndex });
}

async function isStanding(record: SealRecord, stands: Stands): Promise<boolean> {
  const seal = withTokens(record);
  return seal !== null && (await stands(seal));
}

/** A published seal with every token that there is over its root; null for one that is not published. */
function withTokens({ final, later, isPublished }: SealRecord): Seal | null {
  if (final === null || !isPublished) return null;
  const additional_timestamps = [...final.seal.additional_timestamps, ...later];
  return { ...final.seal, additional_timestamps };
}

async function readLastEnd(verifier: TimestampVerifier, seal: Seal): Promise<number> {
  return Math.max(...(await Promise.all(timestampsOf(seal).map((token) => readEnd(verifier, seal, token)))));
}

/** When the first certificate behind a token ends; 0 for one that is pending, or that today's anchors don't know. */
async function readEnd(
  trustAnchors: TimestampVerifier,
  { merkle_root, sealed_at }: Seal,
  timestamp: TsaTimestamp,
): Promise<number> {
  const time = await verifyTimestamp(merkle_root, timestamp, sealed_at, { trustAnchors }).catch(refused);
  return time === null ? 0 : Date.parse(time.validUntil);
}

function refused(error: unknown): ProvenTime | null {
  if (isDisclosureError(error)) return null;
  throw error;
}

/** Verified as its readers will verify it. Throws `ledger_corrupt` where the table gives no path that holds. */
async function buildRenewal(
  table: Table,
  trustAnchors: TimestampVerifier,
  renewed: Seal,
  seal: Seal,
): Promise<Renewal> {
  const from = { size: renewed.tree_size, root: parseNode(renewed.merkle_root) };
  const path = await new Log(table, METACHAIN_ID).consistencyPath(from, seal.tree_size);
  const renewal = { renews: renewed.index, between: [], consistency_path: path.map(formatNode), seal };
  await verifyRenewal(renewed, renewal, { trustAnchors }).catch((cause: unknown) => {
    throw new DisclosureError("ledger_corrupt", "a renewal from the table does not verify", {}, cause);
  });
  return renewal;
}
