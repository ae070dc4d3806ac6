// What a digest in a receipt stands for, by the wording policy layers that this program brings along.
import type { Wording } from "../../core/policy/policy-layer.ts";
import { policyLayers } from "../../policy/index.ts";

/** The approved wording with this digest; null where no layer here has it. */
export function findWording(digest: string): Wording | null {
  const wordings = policyLayers.flatMap((layer) => layer.wordings);
  return wordings.find((wording) => wording.digest === digest) ?? null;
}

const FINDINGS: Readonly<Record<string, string>> = {
  method_not_for_modality: "the method is not one for this modality",
  method_unknown: "the policy layer does not list the method",
  wording_for_other_method: "the wording is approved for another method",
  wording_for_other_modality: "the wording is approved for another modality",
  wording_not_yet_approved: "the wording was not yet approved on that day",
  wording_retired: "the wording was retired before that day",
  wording_unknown: "the policy layer has no wording with this digest",
};

/** A finding in words; one that a later service may bring stays as it is. */
export const describeFinding = (finding: string): string =>
  Object.hasOwn(FINDINGS, finding) ? `${FINDINGS[finding]} (${finding})` : finding;

const VERDICTS: Readonly<Record<string, string>> = {
  ALLOW: "the wording is approved for this modality and method",
  MODIFY: "recorded, and the policy layer asks for a change",
  BLOCK: "recorded, and the policy layer forbids the wording",
};

export const describeVerdict = (verdict: string): string =>
  Object.hasOwn(VERDICTS, verdict) ? `${verdict}: ${VERDICTS[verdict]}` : verdict;
