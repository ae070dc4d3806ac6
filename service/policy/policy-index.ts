// The published index of the wording policy: what each jurisdiction has, as GET /v1/policy and GET /v1/policy/{jurisdiction}
// answer it. It names the layers of the deployment alone, never one with a tenant's own wordings.
import { INTERFACE_STATUS } from "../../contract/interface-status.ts";
import { LAYER_ROUTE } from "../../contract/policy-paths.ts";
import type { JurisdictionPolicy, PolicyIndex } from "../../evidence/core/formats/policy-index.ts";
import { digestOfLayer, type PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";

const countryNames = new Intl.DisplayNames("en", { type: "region" });

/** The state of each jurisdiction by the layers of the deployment. */
export const listJurisdictions = (layers: readonly PolicyLayer[]): PolicyIndex["jurisdictions"] =>
  layers.map((layer) => ({
    jurisdiction: layer.jurisdiction,
    name: countryNames.of(layer.jurisdiction) ?? layer.jurisdiction,
    status: layer.status,
    version: layer.version,
    digest: digestOfLayer(layer),
  }));

export const buildPolicyIndex = (layers: readonly PolicyLayer[]): PolicyIndex => ({
  checked_on: INTERFACE_STATUS.checked_on,
  jurisdictions: listJurisdictions(layers),
  capabilities: INTERFACE_STATUS.capabilities.map(({ title: _title, ...capability }) => capability),
  layers: LAYER_ROUTE,
});

/** The layers of a jurisdiction with `layer` as the current one. Those that were published before stay for ever. */
export function buildJurisdictionPolicy(
  published: JurisdictionPolicy | null,
  layer: PolicyLayer,
  now: Date,
): JurisdictionPolicy {
  const { jurisdiction, status, version } = layer;
  const digest = digestOfLayer(layer);
  const former = published?.layers ?? [];
  const isListed = former.some((listed) => listed.digest === digest);
  const added = isListed ? [] : [{ digest, version, published_at: now.toISOString() }];
  return { jurisdiction, status, current: digest, layers: [...former, ...added] };
}
