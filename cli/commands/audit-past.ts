// The state that an audit has of the metachain before it walks on, and the roots that it must find at the end.
import { canonicalize } from "../../core/canonical-json.ts";
import { isDisclosureError } from "../../core/errors.ts";
import type { Metachain, Seal } from "../../core/formats/metachain.ts";
import { type MetachainSource, parseRoot } from "../../reader/metachain.ts";
import { type AuditState, isHeadLast } from "./audit-state.ts";
import { addFault } from "./audit-tally.ts";

/** The roots that an earlier audit saw must still be there, unchanged. */
export async function checkPast(
  { next, last, tally }: AuditState,
  head: Metachain,
  source: MetachainSource,
): Promise<void> {
  if (head.size < next) {
    addFault(tally, {
      index: null,
      check: "head",
      detail: `${next} roots were published, now there are ${head.size}`,
    });
  }
  if (last === null || isSameRoot(await source.root(last.index), last)) return;
  addFault(tally, {
    index: last.index,
    check: "history",
    detail: "this root was another at the last audit",
  });
}

function isSameRoot(bytes: Uint8Array | null, known: Seal): boolean {
  try {
    return bytes !== null && canonicalize(parseRoot(bytes, known.index)) === canonicalize(known);
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return false;
  }
}

/** If not all roots up to the head were visited, another fault says why. */
export function checkHead(state: AuditState, head: Metachain): void {
  if (state.next !== head.size || isHeadLast(state, head)) return;
  addFault(state.tally, { index: null, check: "head", detail: "the head is not the last root" });
}
