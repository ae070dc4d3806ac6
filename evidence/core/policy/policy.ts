// The verdict on a disclosure: a pure function of a layer, what was disclosed, and the day. No clock, no I/O, so
// that anyone with the layer file and a receipt gets the same answer. See docs/policy-layer.md.
import { DisclosureError } from "../errors.ts";
import type { PolicyVerdict } from "../formats/receipt.ts";
import type { EffectiveLayer } from "./effective-layer.ts";
import { digestOfLayer, type LayerStatus, type Modality, type PolicyLayer } from "./policy-layer.ts";
import type { PolicyRules } from "./policy-rules.ts";

/** Changes that the layer asks for; each is independent of the others. Meanings in docs/policy-layer.md. */
export type PolicyFinding =
  | "layer_in_development"
  | "method_not_for_modality"
  | "method_reported"
  | "method_unknown"
  | "wording_for_other_method"
  | "wording_for_other_modality"
  | "wording_not_yet_approved"
  | "wording_retired"
  | "wording_unknown";

/** The fields of an attestation request that the layer looks at. */
export type DisclosureFacts = {
  readonly modality: Modality;
  readonly disclosure_method: string;
  readonly subject_hash: string;
};

/** The receipt's `policy` (findings sorted, without repeats) and `verdict`. */
export type PolicyEvaluation = {
  readonly policy: {
    readonly jurisdiction: string;
    readonly version: string;
    readonly digest: string;
    readonly wording_id: string | null;
    readonly findings: PolicyFinding[];
  };
  readonly verdict: PolicyVerdict;
};

const UTC_DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/**
 * `at` is the receipt's `issued_at`: RFC 3339 in UTC with a `Z`. Throws `malformed` on any other form, since an
 * offset would move the day. `wording_id` is the wording that `subject_hash` names, even where it may not be used so.
 */
export function evaluatePolicy(rules: PolicyRules, facts: DisclosureFacts, at: string): PolicyEvaluation {
  const wording = rules.wordings.find(({ digest }) => digest === facts.subject_hash);
  const findings = [
    ...findStatus(rules),
    ...findMethod(rules, facts),
    ...findWording(wording, facts, utcDay(at)),
  ].sort();
  const { jurisdiction, version, digest } = rules;
  return {
    policy: { jurisdiction, version, digest, wording_id: wording?.id ?? null, findings },
    verdict: verdictOf(findings),
  };
}

/** The rules of a layer that was parsed. */
export const rulesOf = (layer: EffectiveLayer): PolicyRules => ({ ...layer, digest: digestOfLayer(layer) });

/**
 * The layer of `jurisdiction`, where it accepts attestations: an active one, and for a preview one in development, too.
 * Throws `jurisdiction_not_active` with `{ jurisdiction, status }`; `status` is `not_covered` where there is no layer.
 */
export function lookupLayer(
  layers: readonly PolicyLayer[],
  jurisdiction: string,
  isPreview = false,
): PolicyLayer {
  const layer = layers.find((candidate) => candidate.jurisdiction === jurisdiction);
  if (layer?.status === "active" || (isPreview && layer?.status === "in_development")) return layer;
  const status: LayerStatus | "not_covered" = layer?.status ?? "not_covered";
  throw new DisclosureError("jurisdiction_not_active", "jurisdiction has no active policy layer", {
    jurisdiction,
    status,
  });
}

const findStatus = ({ status }: PolicyRules): PolicyFinding[] =>
  status === "in_development" ? ["layer_in_development"] : [];

function findMethod(rules: PolicyRules, facts: DisclosureFacts): PolicyFinding[] {
  const method = rules.disclosure_methods.find(({ id }) => id === facts.disclosure_method);
  if (method === undefined) return ["method_unknown"];
  const findings: PolicyFinding[] = [];
  if (!method.modalities.includes(facts.modality)) findings.push("method_not_for_modality");
  if (method.reported === true) findings.push("method_reported");
  return findings;
}

function findWording(
  wording: PolicyRules["wordings"][number] | undefined,
  facts: DisclosureFacts,
  day: string,
): PolicyFinding[] {
  if (wording === undefined) return ["wording_unknown"];
  const findings: PolicyFinding[] = [];
  if (wording.modality !== facts.modality) findings.push("wording_for_other_modality");
  else if (!wording.methods.includes(facts.disclosure_method)) findings.push("wording_for_other_method");
  // Dates as YYYY-MM-DD order as text. Both ends are inclusive: the last day still counts as in use.
  if (day < wording.approved_on) findings.push("wording_not_yet_approved");
  if (wording.retired_on !== null && day > wording.retired_on) findings.push("wording_retired");
  return findings;
}

function verdictOf(findings: readonly PolicyFinding[]): PolicyVerdict {
  if (findings.includes("wording_retired")) return "BLOCK";
  return findings.length === 0 ? "ALLOW" : "MODIFY";
}

function utcDay(at: string): string {
  const day = UTC_DATE_TIME.exec(at)?.[1];
  if (day === undefined) throw new DisclosureError("malformed", "expected an RFC 3339 time in UTC");
  return day;
}
