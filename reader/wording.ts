// The published wording behind a digest, from the policy layers that this program was built with.
import { formatDigest } from "../core/merkle/hash.ts";
import { hashWording, type PolicyLayer, type Wording } from "../core/policy/policy-layer.ts";
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

/** Whether the wording rules had no remark on the disclosure. */
export const isInOrder = (receipt: { readonly verdict?: unknown }): boolean => receipt.verdict === "ALLOW";

/** Whether a text that the reader has is the one that was attested. Throws `malformed` for a lone surrogate. */
export const isTextOf = (text: string, digest: string): boolean => formatDigest(hashWording(text)) === digest;
