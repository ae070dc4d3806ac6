// How many authorities vouch for a root: whoever doubts one of them asks for a second.
import { isDisclosureError } from "../errors.ts";
import { type Seal, timestampsOf } from "../formats/metachain.ts";
import { type TokenKnowledge, verifyTimestamp } from "./proven-time.ts";

/**
 * Told apart by the trust anchors that the tokens lead to, and by the keys that signed them: one token may stand in a
 * list many times, in other bytes too, and where its issuer is cross-signed, or two certified one key, those may lead to
 * two anchors. A token that does not hold counts for none.
 */
export async function countAuthorities(seal: Seal, knowledge: TokenKnowledge): Promise<number> {
  const [anchors, signers] = [new Set<string>(), new Set<string>()];
  for (const timestamp of timestampsOf(seal)) {
    try {
      const time = await verifyTimestamp(seal.merkle_root, timestamp, seal.sealed_at, knowledge);
      if (time === null) continue;
      anchors.add(time.trustAnchor);
      signers.add(time.signer);
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
    }
  }
  return Math.min(anchors.size, signers.size);
}
