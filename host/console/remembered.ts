// An answer that is remembered for a while: a page that asks every few seconds must not read a whole table each time.

export class Remembered<T> {
  readonly #read: () => Promise<T>;
  readonly #maxAgeMs: number;
  readonly #clock: () => Date;
  #known: { readonly at: number; readonly answer: Promise<T> } | null = null;

  constructor(read: () => Promise<T>, maxAgeMs: number, clock: () => Date) {
    this.#read = read;
    this.#maxAgeMs = maxAgeMs;
    this.#clock = clock;
  }

  /** Callers that ask while it is read wait for the same reading. A failure is not remembered. */
  get(): Promise<T> {
    const now = this.#clock().getTime();
    const known = this.#known;
    if (known !== null && now >= known.at && now - known.at < this.#maxAgeMs) return known.answer;
    const answer = this.#read();
    this.#known = { at: now, answer };
    answer.catch(() => {
      if (this.#known?.answer === answer) this.#known = null;
    });
    return answer;
  }
}
