// How many independent authorities timestamped a root: whoever doubts one of them asks for a second.
import { isDisclosureError } from "../errors.ts";
import { type Seal, timestampsOf } from "../formats/metachain.ts";
import { type TokenKnowledge, verifyTimestamp } from "./proven-time.ts";

/**
 * The most tokens of which no two lead to one trust anchor, and no two were signed with one key: one token may be in a
 * list many times, in other bytes too, and where its issuer is cross-signed, or two certified one key, those may lead to
 * two anchors. A token that does not hold counts for none.
 */
export async function countAuthorities(seal: Seal, knowledge: TokenKnowledge): Promise<number> {
  const signersOf = new Map<string, Set<string>>();
  for (const timestamp of timestampsOf(seal)) {
    try {
      const time = await verifyTimestamp(seal.merkle_root, timestamp, seal.sealed_at, knowledge);
      if (time === null) continue;
      const signers = signersOf.get(time.trustAnchor) ?? new Set();
      signersOf.set(time.trustAnchor, signers.add(time.signer));
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
    }
  }
  return countPairs(signersOf);
}

/** The size of the largest matching of anchors and signers, by augmenting paths: each anchor and signer in one pair. */
function countPairs(signersOf: ReadonlyMap<string, ReadonlySet<string>>): number {
  const anchorOf = new Map<string, string>();
  const findSigner = (anchor: string, tried: Set<string>): boolean => {
    for (const signer of signersOf.get(anchor) ?? []) {
      if (tried.has(signer)) continue;
      tried.add(signer);
      const holder = anchorOf.get(signer);
      if (holder !== undefined && !findSigner(holder, tried)) continue;
      anchorOf.set(signer, anchor);
      return true;
    }
    return false;
  };
  for (const anchor of signersOf.keys()) findSigner(anchor, new Set());
  return anchorOf.size;
}
