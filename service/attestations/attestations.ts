// One attestation: policy, ledger, timestamp, answer. The receipt is safe before any authority is asked.

import type { Meter } from "../../contract/metric-names.ts";
import { type AttestationRequest, hashInput } from "../../core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../core/formats/compliance-receipt.ts";
import { lookupLayer } from "../../core/policy/policy.ts";
import type { PolicyLayer } from "../../core/policy/policy-layer.ts";
import type { Appended } from "../ledger/appender.ts";
import type { Appenders } from "../ledger/appender-pool.ts";
import type { Macs } from "../ledger/macs.ts";
import { formatPending } from "../reports/report-format.ts";
import { conversationPartition, idempotencyKey } from "../table/keys.ts";
import { type Caller, chainOf } from "../tenants/tenants.ts";
import { type ChainStamps, unstamped } from "./chain-stamps.ts";

const MINUTE_MS = 60_000;

export interface AttestationServices {
  readonly appenders: Appenders;
  readonly macs: Macs;
  readonly layers: readonly PolicyLayer[];
  /** Null where attestations are not stamped in the call: their token comes with the seal. */
  readonly stamps: ChainStamps | null;
  readonly meter: Meter;
}

/** Records one disclosure. Throws what `lookupLayer` and `Appender.append` throw, and `mac_unavailable`. */
export async function attest(
  services: AttestationServices,
  caller: Caller,
  request: AttestationRequest,
  idempotencyHeader: string | null,
): Promise<ComplianceReceipt> {
  const rules = lookupLayer(services.layers, request.jurisdiction);
  const appended = await services.appenders.of(chainOf(caller, request.interaction_id)).append({
    request,
    inputHash: hashInput(request),
    rules,
    conversation: conversationPartition(caller.tenantId, request.interaction_id),
    idempotency: idempotencyHeader === null ? null : idempotencyKey(caller.tenantId, idempotencyHeader),
  });
  if (!appended.isReplay) services.meter("attestations", 1);
  // From here on the receipt is safe. A crash below costs the caller an answer, and a retry with the same
  // Idempotency-Key finds the receipt.
  const { stamps, macs } = services;
  const isStamped = stamps !== null && isStampDue(caller, appended);
  const { proof, timestamp } = isStamped ? await stamps.stamp(appended) : unstamped(appended);
  return macs.authenticateResponse(formatPending(appended.receipt, proof, timestamp));
}

/**
 * Whether a receipt is stamped in the call, by the tenant's rate. The chain itself decides, so the rate holds across
 * processes without a read or a write: the chain's time is cut into slots, and only the first batch of a slot, which
 * shares one stamp, is stamped.
 */
export function isStampDue({ inlineStampsPerMinute: rate, chainIds }: Caller, appended: Appended): boolean {
  if (rate === null) return true;
  // A replay returns an older receipt, whose slot was used by the call that wrote it.
  if (rate === 0 || appended.isReplay) return false;
  const { previousIssuedAt, receipt } = appended;
  // The tenant's chains share the rate.
  const slotMs = (MINUTE_MS * chainIds.length) / rate;
  const slotOf = (issuedAt: string): number => Math.floor(Date.parse(issuedAt) / slotMs);
  return previousIssuedAt === null || slotOf(previousIssuedAt) < slotOf(receipt.core.issued_at);
}
