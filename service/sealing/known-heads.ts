// The sealed heads of chains, as the runs of one process know them: what a run has proven needs no read again.
import type { Span } from "../seals/span.ts";

/** Some 250 bytes each. */
const MAX_KNOWN_HEADS = 100_000;

/** A head of a chain under a published root. */
export interface KnownHead {
  readonly span: Span;
  /** The chain's root in it; null until its entry was shown to be under the published root. */
  readonly root: string | null;
}

/** A head that the run under way has appended. */
export interface AppendedHead {
  readonly span: Span;
  readonly root: string;
  /** The span of the head that it was shown to extend; null for the first of its chain. */
  readonly after: Span | null;
}

/**
 * A head that is known may be older than the table's newest, where another process sealed the chain since. That is safe:
 * the next span takes the key of the size where the known one ends, which the other has taken then.
 */
export class KnownHeads {
  /** By their chains' ids, those longest known first. */
  readonly #sealed = new Map<string, KnownHead>();
  readonly #appended = new Map<string, AppendedHead[]>();

  /** The newest of the chain; undefined where none is known, and the table has to be asked. */
  newest(chainId: string): KnownHead | undefined {
    return this.#appended.get(chainId)?.at(-1) ?? this.#sealed.get(chainId);
  }

  sealed(chainId: string): KnownHead | undefined {
    return this.#sealed.get(chainId);
  }

  appended(chainId: string): readonly AppendedHead[] {
    return this.#appended.get(chainId) ?? [];
  }

  /** To be called for heads under a published root alone: others may be taken back. */
  rememberSealed(chainId: string, head: KnownHead): void {
    this.#sealed.delete(chainId);
    this.#sealed.set(chainId, head);
    const [longest] = this.#sealed.keys();
    if (this.#sealed.size > MAX_KNOWN_HEADS && longest !== undefined) this.#sealed.delete(longest);
  }

  rememberAppended(chainId: string, head: AppendedHead): void {
    this.#appended.set(chainId, [...this.appended(chainId), head]);
  }

  /** The table is asked the next time. */
  forget(chainId: string): void {
    this.#sealed.delete(chainId);
    this.#appended.delete(chainId);
  }

  /** A run begins. What the one before it has appended and not published may have been set aside since. */
  begin(): void {
    this.#appended.clear();
  }

  /** A root over so many entries of the metachain is public. */
  publish(treeSize: number): void {
    for (const [chainId, heads] of this.#appended) {
      const newest = heads.findLast(({ span }) => span.leafIndex < treeSize);
      if (newest !== undefined) this.rememberSealed(chainId, newest);
    }
    this.#appended.clear();
  }
}
