// One attestation: policy, ledger, timestamp, answer. The receipt is safe before any authority is asked.
import type { PlanMeter } from "../../contract/metric-names.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import { DisclosureError, type ErrorCode, isDisclosureError } from "../../evidence/core/errors.ts";
import { type AttestationRequest, hashInput } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import type { Submission } from "../ledger/append-plan.ts";
import type { Appended } from "../ledger/appended.ts";
import type { Appenders } from "../ledger/appender-pool.ts";
import { findEarlier } from "../ledger/find-earlier.ts";
import type { Macs } from "../ledger/macs.ts";
import type { MonthQuota } from "../limits/month-quota.ts";
import type { EffectiveLayers } from "../policy/effective-layers.ts";
import { formatPending } from "../reports/report-format.ts";
import { conversationPartition, idempotencyKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Caller } from "../tenants/tenants.ts";
import { type ChainStamps, unstamped } from "./chain-stamps.ts";

export interface AttestationServices {
  readonly table: Table;
  readonly appenders: Appenders;
  readonly quota: MonthQuota;
  readonly macs: Macs;
  readonly layers: Pick<EffectiveLayers, "rulesFor">;
  /** Null where attestations are not stamped in the call: their token comes with the seal. */
  readonly stamps: ChainStamps | null;
  readonly meter: PlanMeter;
  readonly clock: () => Date;
}

/** How far ahead of our clock a caller's `disclosed_at` may be: as far as two honest clocks may be apart. */
export const MAX_AHEAD_MS = 5 * MINUTE_MS;

/**
 * Records one disclosure:
 *
 * 1. Its time and the layer of its jurisdiction are checked.
 * 2. The quota of the tenant's month has room for it, and keeps it until 3 is over.
 * 3. It goes with the others of its Idempotency-Key, as one, to the chain of its conversation (ledger/appender-pool.ts), whose
 *    appender writes it: ledger/appender.ts goes on with the steps and their crashes. From here on the receipt is safe.
 *    After a refusal in 1 to 3, an earlier receipt of the same key is found and answered.
 * 4. An authority stamps it within a budget, where the tenant's rate has it stamped in the call.
 * 5. Its codes are added, and it is answered. A crash in 4 or 5 costs the caller an answer, and a retry with the same key
 *    finds the receipt.
 *
 * Throws `invalid_request` for a disclosure that is still to come, what
 * `EffectiveLayers.rulesFor`, `MonthQuota.hold` and `Appender.append` throw, and `mac_unavailable`.
 */
export async function attest(
  services: AttestationServices,
  caller: Caller,
  request: AttestationRequest,
  idempotencyHeader: string | null,
): Promise<ComplianceReceipt> {
  const submission = {
    request,
    inputHash: hashInput(request),
    conversation: conversationPartition(caller.tenantId, request.interaction_id),
    idempotency: idempotencyHeader === null ? null : idempotencyKey(caller.tenantId, idempotencyHeader),
  };
  const appended = await writeOrFindEarlier(services, caller, submission);
  if (!appended.isReplay) {
    services.meter("attestations", caller.plan, 1);
    services.meter("lostRaces", caller.plan, appended.lostRaces);
  }
  const { stamps, macs } = services;
  const isStamped = stamps !== null && isStampDue(caller, appended);
  const { proof, timestamp } = isStamped ? await stamps.stamp(appended) : unstamped(appended);
  return macs.authenticateResponse(formatPending(appended.receipt, proof, timestamp));
}

/**
 * The refusals of a new receipt. A clock, a deployment and a quota may change between a call and its repeat, and its
 * conversation may be closed, or its chain busy, by then.
 */
const REFUSALS: readonly ErrorCode[] = [
  "invalid_request",
  "jurisdiction_not_active",
  "quota_exceeded",
  "ledger_contended",
];

/** Writes the receipt, or finds the earlier one of the same Idempotency-Key: no refusal is a reason to withhold that. */
async function writeOrFindEarlier(
  services: AttestationServices,
  caller: Caller,
  submission: Omit<Submission, "rules">,
): Promise<Appended> {
  const { request } = submission;
  try {
    requireDisclosed(request, services.clock());
    const rules = await services.layers.rulesFor(caller, request.jurisdiction);
    return await services.quota.hold(caller, () =>
      services.appenders.append(caller, { ...submission, rules }),
    );
  } catch (error) {
    if (!isDisclosureError(error) || !REFUSALS.includes(error.code)) throw error;
    const earlier = await findEarlier(services, submission);
    if (earlier === null) throw error;
    return earlier;
  }
}

/** A disclosure that is still to come can't be attested. */
function requireDisclosed({ disclosed_at }: AttestationRequest, now: Date): void {
  if (disclosed_at === undefined || Date.parse(disclosed_at) - now.getTime() <= MAX_AHEAD_MS) return;
  const detail = "must not be more than 5 minutes ahead of the service's clock";
  const errors = [{ pointer: "#/disclosed_at", detail }];
  throw new DisclosureError("invalid_request", "the request is not as it must be; see errors", { errors });
}

/**
 * True if a receipt is stamped in the call, by the tenant's rate. The chain itself decides, so the rate holds across
 * processes without a read or a write: the chain's time is cut into slots, and only the first batch of a slot, which
 * shares one stamp, is stamped.
 */
export function isStampDue({ inlineStampsPerMinute: rate, chains }: Caller, appended: Appended): boolean {
  if (rate === null) return true;
  // A replay returns an older receipt, whose slot was used by the call that wrote it.
  if (rate === 0 || appended.isReplay) return false;
  const { previousIssuedAt, receipt } = appended;
  // The tenant's chains share the rate. Where their number grows, each gets longer slots: for the seconds in which some
  // processes know the old number the tenant has somewhat more stamps than its rate, and each new chain's first one.
  const slotMs = (MINUTE_MS * chains) / rate;
  const slotOf = (issuedAt: string): number => Math.floor(Date.parse(issuedAt) / slotMs);
  return previousIssuedAt === null || slotOf(previousIssuedAt) < slotOf(receipt.core.issued_at);
}
