// The published wording behind a digest, from the policy layers that this page was built with.
import type { PolicyLayer, Wording } from "../core/policy/policy-layer.ts";
import { policyLayers } from "../policy/index.ts";

export interface FoundWording {
  readonly wording: Wording;
  readonly layer: PolicyLayer;
}

/** Null for a digest that no layer has: a wording of one's own, or one that was published later. */
export function findWording(digest: string): FoundWording | null {
  for (const layer of policyLayers) {
    const wording = layer.wordings.find((candidate) => candidate.digest === digest);
    if (wording !== undefined) return { wording, layer };
  }
  return null;
}

/** Whether the wording rules had no remark on what was disclosed. */
export const isInOrder = (receipt: { readonly verdict?: unknown }): boolean => receipt.verdict === "ALLOW";
