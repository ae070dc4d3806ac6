// Durations in buckets whose widths grow with them, so that a run of any length takes little memory: a quantile is off by
// some four percent at most, and the largest value is exact.

const FIRST_MS = 0.05;
const GROWTH = 1.04;

export class Histogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;
  #max = 0;

  add(ms: number): void {
    const bucket = ms <= FIRST_MS ? 0 : Math.ceil(Math.log(ms / FIRST_MS) / Math.log(GROWTH));
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count++;
    this.#max = Math.max(this.#max, ms);
  }

  get count(): number {
    return this.#count;
  }

  get max(): number {
    return this.#max;
  }

  /** The value that `share` of the values, from 0 to 1, are not above; null where there is none. */
  quantile(share: number): number | null {
    let left = share * this.#count;
    for (const bucket of [...this.#buckets.keys()].sort((a, b) => a - b)) {
      left -= this.#buckets.get(bucket) ?? 0;
      if (left <= 0) return Math.min(this.#max, FIRST_MS * GROWTH ** bucket);
    }
    return null;
  }
}
