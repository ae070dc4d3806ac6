// A map of bounded size: a process that lives for weeks must not remember more and more.

/** Keeps its entries in the order in which they were set last, and drops the oldest beyond its capacity. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #capacity: number;

  /** `capacity` is at least 1. */
  constructor(capacity: number) {
    super();
    this.#capacity = capacity;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#capacity) return this;
    const [oldest] = this.keys();
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }
}
