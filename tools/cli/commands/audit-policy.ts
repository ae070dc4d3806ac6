// The wording policy as an audit reads it: every listed layer is there under its hash, and none that an earlier audit saw
// has left its list.
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { inOrder } from "../../../evidence/reader/in-order.ts";
import type { PolicySource } from "../metachain/policy-source.ts";
import {
  faultOfLayer,
  lostLayers,
  type PublishedLayer,
  readPublishedPolicy,
} from "../metachain/published-policy.ts";
import type { AuditState } from "./audit-state.ts";
import { addFaultOnce } from "./audit-tally.ts";

export const LAYERS_CHECK = "layers";
/** Layers under way at a time. */
const WIDTH = 16;

/** Notes in `state` the layers that are listed, and the faults. Throws `publication_unavailable`. */
export async function auditPolicy(source: PolicySource, state: AuditState): Promise<void> {
  const addFault = (detail: string) =>
    addFaultOnce(state.tally, { index: null, check: LAYERS_CHECK, detail });
  const listed = await readListed(source, state.layers, addFault);
  for (const sentence of lostLayers(state.layers, listed)) addFault(sentence);
  const fetch = async (layer: PublishedLayer) => faultOfLayer(layer, await source.layer(layer.digest));
  let published = 0;
  for await (const fault of inOrder(listed, WIDTH, fetch)) {
    if (fault === null) published++;
    else addFault(fault);
  }
  state.tally.layers = published;
  // A layer that left its list is remembered as it was, and so it is missed by every later audit.
  const isListed = ({ jurisdiction, digest }: PublishedLayer) =>
    listed.some((layer) => layer.jurisdiction === jurisdiction && layer.digest === digest);
  state.layers = [...listed, ...state.layers.filter((layer) => !isListed(layer))];
}

/** The listed layers. Where the lists are wrong, they say nothing of the layers that were known before. */
async function readListed(
  source: PolicySource,
  known: readonly PublishedLayer[],
  addFault: (detail: string) => void,
): Promise<readonly PublishedLayer[]> {
  try {
    return (await readPublishedPolicy(source, known))?.layers ?? [];
  } catch (error) {
    if (!isDisclosureError(error) || error.code === "publication_unavailable") throw error;
    addFault(error.message);
    return known;
  }
}
