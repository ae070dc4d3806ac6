// The newest spans of chains, as the runs of one process know them: what a run has read or written needs no read again.

import { readNewestSpan, type Span } from "../seals/span.ts";
import type { Table } from "../table/table.ts";

/** Some 200 bytes each. */
const MAX_KNOWN_SPANS = 100_000;

/**
 * A span that is known may be older than the table's newest, where another process sealed the chain since. That is safe:
 * the next span takes the key of the size where the known one ends, which the other has taken then.
 */
export class KnownSpans {
  /** By their chains' ids, those longest known first. */
  readonly #spans = new Map<string, Span>();

  /** The chain's newest span; null before its first seal. */
  async newest(table: Table, chainId: string): Promise<Span | null> {
    const known = this.#spans.get(chainId);
    if (known !== undefined) return known;
    const read = await readNewestSpan(table, chainId);
    if (read !== null) this.remember(chainId, read);
    return read;
  }

  remember(chainId: string, span: Span): void {
    this.#spans.delete(chainId);
    this.#spans.set(chainId, span);
    const [longest] = this.#spans.keys();
    if (this.#spans.size > MAX_KNOWN_SPANS && longest !== undefined) this.#spans.delete(longest);
  }

  /** The table is asked the next time. */
  forget(chainId: string): void {
    this.#spans.delete(chainId);
  }
}
