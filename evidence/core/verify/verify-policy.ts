// Verification of a receipt's verdict: it is computed again from the wording policy layer that the receipt names. A layer
// is believed by its hash alone, so it does not matter who hands it over.
import { canonicalBytes, canonicalize } from "../canonical-json.ts";
import { isDisclosureError } from "../errors.ts";
import type { ShownReceipt } from "../formats/receipt.ts";
import { digestSchema } from "../formats/shapes.ts";
import { formatDigest, hashBytes } from "../merkle/hash.ts";
import { evaluatePolicy } from "../policy/policy.ts";
import { type PolicyRules, readRules } from "../policy/policy-rules.ts";
import { type Finding, fail, holds, unchecked } from "./check.ts";

/** A layer as it came, with its rules (null where the document of this digest is no layer); or why it is missing. */
export type FoundLayer =
  | { readonly layer: unknown; readonly rules: PolicyRules | null }
  | { readonly missing: string };

/** By the digest that receipts name, `sha256:` and hex. */
export type KnownLayers = ReadonlyMap<string, FoundLayer>;

/** Layers as they came, by their digests. What has no canonical form has no digest, and no receipt can name it. */
export function layersByDigest(layers: readonly unknown[]): Map<string, FoundLayer> {
  const known = new Map<string, FoundLayer>();
  for (const layer of layers) {
    const rules = orNull(() => readRules(layer));
    const digest = rules?.digest ?? orNull(() => formatDigest(hashBytes(canonicalBytes(layer))));
    if (digest !== null && !known.has(digest)) known.set(digest, { layer, rules });
  }
  return known;
}

/** The digest of the layer that a receipt names, as it came; null where it names none. */
export function namedLayer(receipt: object): string | null {
  const { policy } = receipt as { policy?: { digest?: unknown } | null };
  return digestSchema.safeParse(policy?.digest).data ?? null;
}

/** Checks that jurisdiction, version, wording, findings and verdict are those that the layer gives. */
export function checkPolicy(receipt: ShownReceipt, layers: KnownLayers): Finding {
  const { policy, disclosure, verdict, issued_at } = receipt;
  const found = layers.get(policy.digest) ?? { missing: "the layer that the receipt names was not given" };
  if ("missing" in found) return unchecked("not_given", found.missing);
  const { rules } = found;
  if (rules === null) return fail("what the receipt names is no wording policy layer");
  if (rules.status === "planned") fail("the layer is only planned, and accepts no attestation");
  if (disclosure.jurisdiction !== rules.jurisdiction) fail(`the layer is that of ${rules.jurisdiction}`);
  const given = evaluatePolicy(rules, disclosure, issued_at);
  for (const name of ["jurisdiction", "version", "wording_id", "findings"] as const)
    compare(`policy.${name}`, policy[name], given.policy[name]);
  compare("verdict", verdict, given.verdict);
  return holds(`the layer ${rules.jurisdiction} ${rules.version} gives ${verdict}`);
}

function compare(name: string, stated: unknown, given: unknown): void {
  if (stated === given || canonicalize(stated) === canonicalize(given)) return;
  fail(`${name} is ${shown(stated)} in the receipt, but the layer gives ${shown(given)}`);
}

/** A stranger's text may have any length: a message shows no more than its beginning. Characters. */
const MAX_SHOWN = 100;
function shown(value: unknown): string {
  const text = canonicalize(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** Null for what can't be read. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}
