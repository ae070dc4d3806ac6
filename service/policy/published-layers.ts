// The layer of a jurisdiction as the deployment publishes it: what its attestations are judged by.
import { jurisdictionPath, layerPath } from "../../contract/policy-paths.ts";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { jurisdictionPolicySchema } from "../../evidence/core/formats/policy-index.ts";
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";
import { type PolicyLayer, parsePolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import type { PublicFiles } from "../seals/public-files.ts";

/** Throws `not_found` for a jurisdiction without a published layer, and `ledger_corrupt` for one that does not hold. */
export async function readCurrentLayer(files: PublicFiles, jurisdiction: string): Promise<PolicyLayer> {
  const index = await files.text(jurisdictionPath(jurisdiction));
  if (index === null)
    throw new DisclosureError("not_found", `the deployment publishes no wording policy for ${jurisdiction}`);
  try {
    const { current } = jurisdictionPolicySchema.parse(parseJson(index.text));
    const bytes = (await files.bytes(layerPath(current))) ?? new Uint8Array();
    if (formatDigest(hashBytes(bytes)) === current) return parsePolicyLayer(parseJson(bytes));
  } catch (cause) {
    throw damaged(jurisdiction, cause);
  }
  throw damaged(jurisdiction);
}

const damaged = (jurisdiction: string, cause?: unknown): DisclosureError =>
  new DisclosureError("ledger_corrupt", `the published layer of ${jurisdiction} is damaged`, {}, cause);
