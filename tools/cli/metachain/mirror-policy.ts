// The published wording policy on its way into a mirror's folder: each layer gets its name there once its bytes were
// hashed, and never changes; then the lists of the jurisdictions and the index are replaced.
import { jurisdictionPath, layerPath, POLICY_PATH } from "../../../contract/policy-paths.ts";
import { isCountryCode } from "../../../evidence/core/formats/iso-3166.ts";
import { inOrder } from "../../../evidence/reader/in-order.ts";
import { policyFileName } from "./folder.ts";
import { type Fetched, invalid, type MirrorFiles } from "./mirror-files.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import type { PolicySource } from "./policy-source.ts";
import {
  faultOfLayer,
  lostLayers,
  type PublishedLayer,
  parseList,
  readPublishedPolicy,
} from "./published-policy.ts";

/** Layers under way at a time. */
const WIDTH = 16;

/** The layers that are listed, and how many of them the folder did not have. */
export interface CopiedLayers {
  readonly listed: number;
  readonly copied: number;
}

/**
 * Null where no policy is published. Throws `proof_invalid` for a layer that is not what its name says, and where the
 * folder knows a layer that is listed no longer.
 */
export async function mirrorPolicy(
  source: PolicySource,
  { files, folder }: { readonly files: MirrorFiles; readonly folder: MirrorFolder },
  compare: boolean,
): Promise<CopiedLayers | null> {
  const known = await knownLayers(folder);
  const published = await readPublishedPolicy(source, known);
  if (published === null) return null;
  const { layers, moving } = published;
  const [lost] = lostLayers(known, layers);
  if (lost !== undefined) throw invalid(lost);
  const fetch = async (listed: PublishedLayer) => {
    const read = () => source.layer(listed.digest);
    return { listed, layer: await files.fetch(layerPath(listed.digest), compare, read) };
  };
  let copied = 0;
  for await (const { listed, layer } of inOrder(layers, WIDTH, fetch)) {
    await publishLayer(listed, layer, files);
    copied += layer?.staged == null ? 0 : 1;
  }
  // A run that is killed here leaves layers that no list has yet. The next one finds them and lists them.
  for (const { path, bytes } of moving) await folder.replace(policyFileName(path), bytes);
  return { listed: layers.length, copied };
}

async function publishLayer(
  listed: PublishedLayer,
  layer: Fetched | null,
  files: MirrorFiles,
): Promise<void> {
  const fault = faultOfLayer(listed, layer?.bytes ?? null);
  if (fault !== null) throw invalid(fault);
  if (layer !== null) await files.publish(layer);
}

/** The layers in the lists that the folder has. */
async function knownLayers(folder: MirrorFolder): Promise<PublishedLayer[]> {
  const codes = (await folder.names(POLICY_PATH)).filter(isCountryCode);
  const lists = await Promise.all(
    codes.map(async (code) => {
      const bytes = await folder.held(jurisdictionPath(code));
      return bytes === null ? [] : parseList(bytes, code);
    }),
  );
  return lists.flat();
}
