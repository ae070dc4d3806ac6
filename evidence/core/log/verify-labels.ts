// One history: every sealed head of a chain stands once under its label in the public log, and no other head does.
import { equalBytes, formatHex } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { chainHeadEntry, chainHeadLabel } from "../formats/metachain.ts";
import type { ChainHistory } from "./chain-history.ts";
import type { LabelSearch } from "./label-search.ts";

/** The label as a search takes it. */
export const labelOf = (chainId: string, headIndex: number): string =>
  formatHex(chainHeadLabel(chainId, headIndex));

/** The labels of all heads of a chain, and that of the next one, which must not be in the log. */
export function* labelsOf({ chainId, heads }: ChainHistory): Generator<string> {
  for (let index = 0; index <= heads.length; index++) yield labelOf(chainId, index);
}

/**
 * Checks the part of the log that a search walked, from entry `from` on: each head that lies there is found once, in its
 * place, with the commitment to its size and root, and nothing else is found. Returns how many heads were found. Throws
 * `proof_invalid`.
 */
export function verifyLabels(history: ChainHistory, search: LabelSearch, from: number): number {
  const { chainId, heads } = history;
  let found = 0;
  for (const { leaf_index, seal_index: _seal, ...head } of heads) {
    const isWalked = from <= leaf_index && leaf_index < search.size;
    const [only, ...others] = search.entriesUnder(labelOf(chainId, head.head_index));
    const isRight = isWalked
      ? only?.leafIndex === leaf_index &&
        equalBytes(only.entry, chainHeadEntry({ chain_id: chainId, ...head }))
      : only === undefined;
    if (!isRight || others.length > 0)
      refuse(`the public log has not head ${head.head_index} of chain ${chainId} once and in its place`);
    if (isWalked) found++;
  }
  verifyUnused(chainId, heads.length, search);
  return found;
}

/** Throws `proof_invalid` where the log has a head of this number: the history does not tell it. */
export function verifyUnused(chainId: string, headIndex: number, search: LabelSearch): void {
  if (search.entriesUnder(labelOf(chainId, headIndex)).length === 0) return;
  refuse(`the public log has head ${headIndex} of chain ${chainId}, which the history does not tell`);
}

function refuse(sentence: string): never {
  throw new DisclosureError("proof_invalid", sentence);
}
