// The renewal of a report whose token has expired, soon will, or never came: a seal with a valid token, and the path to
// it. Slow to load, as everything that parses ASN.1 is.
import { METACHAIN_ID } from "../../contract/table.ts";
import { DAY_MS } from "../../contract/time.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { type Seal, type TsaTimestamp, timestampsOf } from "../../evidence/core/formats/metachain.ts";
import type { Renewal } from "../../evidence/core/formats/renewal.ts";
import { formatNode, parseNode } from "../../evidence/core/merkle/hash.ts";
import { type ProvenTime, verifyTimestamp } from "../../evidence/core/timestamps/proven-time.ts";
import { TimestampVerifier } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import { findFirstValid } from "../../evidence/core/verify/find-renewal.ts";
import { verifyRenewal } from "../../evidence/core/verify/verify-renewal.ts";
import { Log } from "../ledger/log.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import { SealRecords } from "../seals/seal-records.ts";
import type { Table } from "../table/table.ts";
import type { FindRenewal } from "./reports.ts";

/** A report is kept for years, so a token that soon expires is renewed already. */
const RENEW_BEFORE_MS = 90 * DAY_MS;
/** The search ends at one of this many newest seals: an outage may have left some of them without a token. */
const LOOK_BACK = 8;

export interface RenewalServices {
  readonly table: Table;
  /** DER certificates. */
  readonly trustAnchors: readonly Uint8Array[];
  readonly clock: () => Date;
}

/** Finds renewals, and remembers the tokens that it verified. */
export function findRenewals({ table, trustAnchors, clock }: RenewalServices): FindRenewal {
  const verifier = new TimestampVerifier(trustAnchors);
  return async (seal, timestamp) => {
    const now = clock().getTime();
    const validUntil = await readEnd(verifier, seal, timestamp);
    if (validUntil > now + RENEW_BEFORE_MS) return null;
    const isRenewing = async (record: SealRecord): Promise<boolean> => {
      const candidate = withTokens(record);
      return candidate !== null && (await readLastEnd(verifier, candidate)) > Math.max(now, validUntil);
    };
    const renewing = await findSeal(new SealRecords(table), seal, isRenewing);
    return renewing === null ? null : buildRenewal(table, verifier, seal, renewing);
  };
}

type IsRenewing = (candidate: SealRecord) => Promise<boolean>;

/** The nearer to the receipt, the earlier the time that is proved; the receipt's own seal may have another token. */
async function findSeal(seals: SealRecords, seal: Seal, isRenewing: IsRenewing): Promise<Seal | null> {
  const own = await readSealOver(seals, seal.previous_tree_size);
  if (await isRenewing(own)) return withTokens(own);
  for (const record of await seals.newestFirst(LOOK_BACK)) {
    if (record.tree.index <= seal.index) return null;
    if (await isRenewing(record)) return findNearest(seals, seal, record, isRenewing);
  }
  return null;
}

/** Searches among the metachain's entries, for which the table has an order, for the first one under such a seal. */
async function findNearest(
  seals: SealRecords,
  seal: Seal,
  late: SealRecord,
  isRenewing: IsRenewing,
): Promise<Seal | null> {
  const [first, last] = [seal.tree_size, late.tree.previous_tree_size];
  let nearest = late;
  await findFirstValid(first, last, async (leafIndex) => {
    const record = await readSealOver(seals, leafIndex);
    if (!(await isRenewing(record))) return false;
    nearest = record;
    return true;
  });
  return withTokens(nearest);
}

async function readSealOver(seals: SealRecords, leafIndex: number): Promise<SealRecord> {
  const record = await seals.over(leafIndex);
  if (record !== null) return record;
  throw new DisclosureError("ledger_corrupt", "a seal is missing from the table", { leafIndex });
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

/** When the first certificate of a token expires; 0 for a pending one, and one that today's anchors don't know. */
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

/** Verified as its readers will verify it. Throws `ledger_corrupt` where the table gives no valid path. */
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
