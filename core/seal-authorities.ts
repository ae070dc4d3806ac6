// How many authorities vouch for a root: whoever doubts one of them asks for a second.
import { isDisclosureError } from "./errors.ts";
import { type Seal, timestampsOf } from "./metachain.ts";
import { type TokenKnowledge, verifyTimestamp } from "./proven-time.ts";

/**
 * Told apart by the trust anchors that the tokens lead to: one token may stand in a list many times, in other bytes
 * too. A token that does not hold counts for none.
 */
export async function countAuthorities(seal: Seal, knowledge: TokenKnowledge): Promise<number> {
  const found = new Set<string>();
  for (const timestamp of timestampsOf(seal)) {
    try {
      const time = await verifyTimestamp(seal.merkle_root, timestamp, seal.sealed_at, knowledge);
      if (time !== null) found.add(time.trustAnchor);
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
    }
  }
  return found.size;
}
