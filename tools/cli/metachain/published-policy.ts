// The published wording policy as mirror and audit read it: which layers are listed, whether all that were listed before
// still are, and whether a file is the layer that its name says. A layer is believed by its hash alone.
import * as z from "zod";
import { jurisdictionPath, layerPath, POLICY_PATH } from "../../../contract/policy-paths.ts";
import { parseJson } from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { isCountryCode } from "../../../evidence/core/formats/iso-3166.ts";
import { jurisdictionPolicySchema, policyIndexSchema } from "../../../evidence/core/formats/policy-index.ts";
import { digestSchema, instantSchema } from "../../../evidence/core/formats/shapes.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { parseAs } from "../../../evidence/reader/metachain.ts";
import { invalid } from "./mirror-files.ts";
import type { PolicySource } from "./policy-source.ts";

/** A layer as the list of its jurisdiction has it; `published_at` is null for one that the index alone names. */
export const publishedLayerSchema = z.object({
  jurisdiction: z.string().refine(isCountryCode),
  digest: digestSchema,
  version: z.string(),
  published_at: instantSchema.nullable(),
});
export type PublishedLayer = z.infer<typeof publishedLayerSchema>;

export interface PublishedPolicy {
  /** The lists of the jurisdictions and then the index, which move. */
  readonly moving: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  readonly layers: readonly PublishedLayer[];
}

/**
 * The lists of all jurisdictions in the index, and of those of `known` layers: a jurisdiction may leave the index, its
 * layers stay. Null where no policy is published. Throws `proof_invalid`, `malformed` or `not_json` for wrong lists.
 */
export async function readPublishedPolicy(
  source: PolicySource,
  known: readonly PublishedLayer[],
): Promise<PublishedPolicy | null> {
  const index = await source.policyList(POLICY_PATH);
  if (index === null && known.length === 0) return null;
  if (index === null) throw invalid(`${POLICY_PATH} was published before, and is not any more`);
  const { jurisdictions } = parseAs(policyIndexSchema, index, POLICY_PATH);
  const codes = new Set([...jurisdictions, ...known].map(({ jurisdiction }) => jurisdiction));
  const lists = await Promise.all([...codes].sort().map((code) => readList(source, code)));
  const listed = lists.flatMap(({ layers }) => layers);
  // A cache may show the list of a moment before, without the newest layer.
  const ahead = jurisdictions.filter((entry) => find(listed, entry) === undefined);
  const layers = [...listed, ...ahead.map((entry) => ({ ...entry, published_at: null }))];
  return { moving: [...lists, { path: POLICY_PATH, bytes: index }], layers };
}

/** A sentence on each of the `known` layers that is listed no longer, or in another way. */
export const lostLayers = (known: readonly PublishedLayer[], listed: readonly PublishedLayer[]): string[] =>
  known.flatMap((before) => {
    const now = find(listed, before);
    const name = `${before.digest}, version ${before.version} of ${before.jurisdiction},`;
    if (now === undefined) return [`the layer ${name} was listed before, and is not any more`];
    const isKept = before.published_at === null || before.published_at === now.published_at;
    return isKept ? [] : [`the layer ${name} was published at another time before`];
  });

/** Null for the bytes of this very layer; else a sentence on what is wrong. */
export function faultOfLayer(
  { jurisdiction, digest, version }: PublishedLayer,
  bytes: Uint8Array | null,
): string | null {
  const path = layerPath(digest);
  if (bytes === null) return `${path} is listed, and not published`;
  if (formatDigest(hashBytes(bytes)) !== digest) return `${path} holds other bytes than those of its name`;
  const layer = readLabel(bytes);
  if (layer?.jurisdiction === jurisdiction && layer.version === version) return null;
  return `${path} is not version ${version} of ${jurisdiction}, as the list says`;
}

/** The layers in the list of one jurisdiction. Throws as `readPublishedPolicy` does. */
export function parseList(bytes: Uint8Array, code: string): PublishedLayer[] {
  const path = jurisdictionPath(code);
  const { jurisdiction, current, layers } = parseAs(jurisdictionPolicySchema, bytes, path);
  if (jurisdiction !== code) throw invalid(`${path} is the list of ${jurisdiction}`);
  const listed = layers.map((layer) => ({ jurisdiction, ...layer }));
  if (find(listed, { jurisdiction, digest: current }) !== undefined) return listed;
  throw invalid(`${path} does not list the current layer ${current}`);
}

/** The code comes from the publisher and becomes a file's name: nothing but a country's is asked for. */
async function readList(source: PolicySource, code: string) {
  if (!isCountryCode(code))
    throw invalid(`${POLICY_PATH} names ${JSON.stringify(code)}, which is no country`);
  const path = jurisdictionPath(code);
  const bytes = await source.policyList(path);
  if (bytes === null) throw invalid(`${path} is not published: the layers of ${code} are not listed`);
  return { path, bytes, layers: parseList(bytes, code) };
}

const find = (
  layers: readonly PublishedLayer[],
  { jurisdiction, digest }: Pick<PublishedLayer, "jurisdiction" | "digest">,
): PublishedLayer | undefined =>
  layers.find((layer) => layer.jurisdiction === jurisdiction && layer.digest === digest);

const labelSchema = z.object({ jurisdiction: z.string(), version: z.string() });

/** A layer may have more members than this program knows. */
function readLabel(bytes: Uint8Array): z.infer<typeof labelSchema> | null {
  try {
    return labelSchema.safeParse(parseJson(bytes)).data ?? null;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}
