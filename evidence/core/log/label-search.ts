// Looks for labels in the public log while its entries are walked in order. The entries are believed only as far as their
// root is: whoever searches compares it with the published one.
import { equalBytes, formatHex } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { parseNode } from "../merkle/hash.ts";
import { rootAt, sizeAt, type TreeLeaf } from "../merkle/merkle-tree.ts";
import { appendEntry, entryLabel } from "./entry.ts";

/** An entry under one of the labels that were searched for. */
export interface FoundEntry {
  readonly leafIndex: number;
  readonly entry: Uint8Array;
}

export class LabelSearch {
  #last: TreeLeaf | null;
  readonly #labels: ReadonlySet<string>;
  readonly #found = new Map<string, FoundEntry[]>();

  /** `labels` as hex; `last` is the entry at which an earlier walk ended. */
  constructor(labels: ReadonlySet<string>, last: TreeLeaf | null = null) {
    this.#labels = labels;
    this.#last = last;
  }

  /** How many entries the walk has passed, those of earlier walks too. */
  get size(): number {
    return sizeAt(this.#last);
  }

  /** The last entry that the walk passed, from where a later one goes on; null before the first. */
  get last(): TreeLeaf | null {
    return this.#last;
  }

  /** The next entry of the log. Throws `proof_invalid` for one of another length. */
  add(entry: Uint8Array): void {
    const last = appendEntry(this.#last, entry);
    const label = formatHex(entryLabel(entry));
    if (this.#labels.has(label)) {
      const known = this.#found.get(label) ?? [];
      this.#found.set(label, [...known, { leafIndex: last.leafIndex, entry }]);
    }
    this.#last = last;
  }

  /** Throws `proof_invalid` unless the entries so far are those under this root. */
  checkRoot(root: string): void {
    if (this.#last !== null && equalBytes(rootAt(this.#last), parseNode(root))) return;
    throw new DisclosureError("proof_invalid", `the first ${this.size} entries are not those under ${root}`);
  }

  /** The entries under a label that this walk passed: in an honest log one at most. */
  entriesUnder(label: string): readonly FoundEntry[] {
    return this.#found.get(label) ?? [];
  }
}
