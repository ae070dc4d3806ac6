// The layers of one deployment: those that ship with the service, and the deployment's own in their place or beside them.
import type * as z from "zod";
import { canonicalBytes } from "../canonical-json.ts";
import { DisclosureError, isDisclosureError } from "../errors.ts";
import { type PolicyLayer, parsePolicyLayer } from "./policy-layer.ts";

/** The longest canonical form of a layer: with a tenant's own wordings it is still one item of the table. */
const MAX_LAYER_BYTES = 200_000;

/** A layer as a deployment's operator gave it: parsed JSON, and the name of its file for messages. */
export interface LayerFile {
  readonly name: string;
  readonly data: unknown;
}

/**
 * The layers, in alphabetical order of jurisdiction. A file takes the place of the shipped layer of its jurisdiction; one
 * of another jurisdiction is added. Throws `misconfigured` with one line that names the file and its first fault.
 */
export function deployedLayers(shipped: readonly PolicyLayer[], files: readonly LayerFile[]): PolicyLayer[] {
  const layers = new Map(shipped.map((layer) => [layer.jurisdiction, layer]));
  const given = new Map<string, string>();
  for (const file of files) {
    const layer = readLayer(file);
    const other = given.get(layer.jurisdiction);
    if (other !== undefined)
      throw new DisclosureError(
        "misconfigured",
        `${file.name} and ${other} are both layers of ${layer.jurisdiction}; one jurisdiction has one layer`,
      );
    given.set(layer.jurisdiction, file.name);
    layers.set(layer.jurisdiction, layer);
  }
  return [...layers.values()].sort((a, b) => (a.jurisdiction < b.jurisdiction ? -1 : 1));
}

function readLayer({ name, data }: LayerFile): PolicyLayer {
  try {
    const layer = parsePolicyLayer(data);
    if (canonicalBytes(layer).length <= MAX_LAYER_BYTES) return layer;
    throw new DisclosureError("misconfigured", `it is longer than ${MAX_LAYER_BYTES} bytes`);
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    const { issues: [issue] = [] } = error.evidence as { issues?: readonly z.core.$ZodIssue[] };
    const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    const fault = `${place}${issue?.message ?? error.message}`;
    throw new DisclosureError("misconfigured", `${name} is no wording policy layer: ${fault}`, {}, error);
  }
}
