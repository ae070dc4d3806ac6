// A process's knowledge of a chain's growth in a month. `issued_at` never goes back in a chain, so its leaves of the
// month are its last ones: each leaf that is seen narrows down where they begin.

export class ChainGrowth {
  #size = 0;
  /** This many leaves at the chain's beginning are known to be older than the month. */
  #older = 0;
  /** The lowest index of a leaf that is known to be of the month. */
  #ofMonth = Number.POSITIVE_INFINITY;

  /** Takes in a leaf that was read, or that this process wrote. */
  learn(leafIndex: number, isOfMonth: boolean): void {
    this.#size = Math.max(this.#size, leafIndex + 1);
    if (isOfMonth) this.#ofMonth = Math.min(this.#ofMonth, leafIndex);
    else this.#older = Math.max(this.#older, leafIndex + 1);
  }

  /** At most this many of the leaves that are known to exist are of the month. */
  get atMost(): number {
    return this.#size - this.#older;
  }

  /** At least this many leaves are of the month. */
  get atLeast(): number {
    return this.#size - Math.min(this.#ofMonth, this.#size);
  }

  /** The leaf in the middle of those that may be of the month or older; null where all are known. */
  get undecided(): number | null {
    const end = Math.min(this.#ofMonth, this.#size);
    return this.#older < end ? Math.floor((this.#older + end) / 2) : null;
  }
}
