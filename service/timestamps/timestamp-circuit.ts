// The circuit before one authority: after a failure it is left alone, longer each time, then tried by one call alone.

/** The first rest: a dead authority costs one call its wait, not every call. */
const FIRST_REST_MS = 5_000;
/** Nobody waits longer than this, and half as long again, for an authority that has come back. */
const LONGEST_REST_MS = 2 * 60 * 1000;
/** A rest is drawn from this much around its length: processes that saw one failure must not come back in one moment. */
const JITTER = 0.5;

/** In milliseconds of one clock that never goes back. */
export class Circuit {
  readonly #now: () => number;
  readonly #random: () => number;
  #failures = 0;
  #restUntil = 0;
  #isTried = false;

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  /** Whether the authority may be asked now. */
  get isAvailable(): boolean {
    return this.#failures === 0 || (!this.#isTried && this.#now() >= this.#restUntil);
  }

  /** To be called before the authority is asked, and told of the outcome. After a rest, one call finds out for all. */
  enter(): boolean {
    const { isAvailable } = this;
    if (isAvailable && this.#failures > 0) this.#isTried = true;
    return isAvailable;
  }

  succeed(): void {
    this.#failures = 0;
    this.#isTried = false;
  }

  fail(): void {
    // Calls that were under way together fail for one reason, which is no reason for several rests.
    const isKnown = this.#failures > 0 && !this.#isTried;
    this.#isTried = false;
    if (isKnown) return;
    const rest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#restUntil = this.#now() + rest * (1 + JITTER * (2 * this.#random() - 1));
  }
}
