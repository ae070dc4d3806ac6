// One attestation: policy, ledger, timestamp, answer. The receipt is safe before any authority is asked.
import { type AttestationRequest, hashInput } from "../core/attestation-request.ts";
import type { ComplianceReceipt } from "../core/compliance-receipt.ts";
import { DisclosureError } from "../core/errors.ts";
import { buildInclusionPath, rootAt, type TreeLeaf } from "../core/merkle-tree.ts";
import { PENDING_TIMESTAMP } from "../core/metachain.ts";
import { lookupLayer } from "../core/policy.ts";
import type { PolicyLayer } from "../core/policy-layer.ts";
import type { Appended } from "./appender.ts";
import type { Appenders } from "./appenders.ts";
import { conversationPartition, idempotencyKey } from "./keys.ts";
import type { Macs } from "./macs.ts";
import type { Meter } from "./metric-names.ts";
import { formatPending } from "./report-format.ts";
import type { Stamp } from "./stamp.ts";
import { type Caller, chainOf } from "./tenants.ts";

export interface AttestationServices {
  readonly appenders: Appenders;
  readonly macs: Macs;
  readonly layers: readonly PolicyLayer[];
  /** Null where attestations are not stamped in the call: their token comes with the seal. */
  readonly stamp: Stamp | null;
  readonly stampBudgetMs: number;
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
  // From here on the receipt is safe. Dying below costs the caller an answer, and a retry with the same
  // Idempotency-Key finds the receipt.
  return answer(services, appended);
}

async function answer(
  services: AttestationServices,
  { receipt, writtenWith }: Appended,
): Promise<ComplianceReceipt> {
  const head = writtenWith.at(-1) ?? receipt.leaf;
  const root = rootAt(head);
  const path = buildInclusionPath(receipt.leaf.leafIndex, head.leafIndex + 1, leafAmong(writtenWith));
  const timestamp = (await services.stamp?.(root, services.stampBudgetMs)) ?? PENDING_TIMESTAMP;
  return services.macs.authenticateResponse(
    formatPending(receipt, { leaf: receipt.leaf, path, head, root }, timestamp),
  );
}

/** Leaves that were written together follow each other, and their paths need no other leaf. */
const leafAmong =
  (leaves: readonly TreeLeaf[]) =>
  (leafIndex: number): TreeLeaf => {
    const leaf = leaves[leafIndex - (leaves[0]?.leafIndex ?? 0)];
    if (leaf === undefined)
      throw new DisclosureError("ledger_corrupt", "a leaf was not written with the others");
    return leaf;
  };
