// The leaf of a receipt core in its chain's tree, written a second time from docs/receipt-format.md.
import { jcs, sha256 } from "./plain-json.ts";

/** 64 bytes: the label of the turn, and the hash of the core. */
export function plainLeaf(core: object): Buffer {
  const coreHash = sha256(jcs(core));
  const { previous_turn_hash: previous } = core as { readonly previous_turn_hash: string | null };
  const named = previous === null ? coreHash : Buffer.from(previous.replace("sha256:", ""), "hex");
  const words = previous === null ? "first-turn" : "turn-after";
  return Buffer.concat([
    sha256(Buffer.concat([Buffer.from(`disclosure-receipt/1/${words}\n`), named])),
    coreHash,
  ]);
}
