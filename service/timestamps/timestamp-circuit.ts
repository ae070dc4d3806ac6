// The circuit breaker of one authority: after a failure it is left alone, longer each time, then one call tries it.
import { MINUTE_MS } from "../../contract/time.ts";

/** The first rest: a dead authority costs one call its wait, not every call. */
const FIRST_REST_MS = 5_000;
/** The longest rest, give or take the jitter, so that an authority that has come back is soon asked again. */
const LONGEST_REST_MS = 2 * MINUTE_MS;
/** A rest is drawn from this much around its length: processes that saw one failure must not all come back at once. */
const JITTER = 0.5;

/** All times are milliseconds of a clock that never goes back. */
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

  /** True if the authority may be asked now. */
  get isAvailable(): boolean {
    return this.#failures === 0 || (!this.#isTried && this.#now() >= this.#restUntil);
  }

  /** Call this before asking the authority, then `succeed` or `fail`. After a rest, one call finds out for all. */
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
    // Calls that were under way together fail for one reason, so they count as one failure.
    const isKnown = this.#failures > 0 && !this.#isTried;
    this.#isTried = false;
    if (isKnown) return;
    const rest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#restUntil = this.#now() + rest * (1 + JITTER * (2 * this.#random() - 1));
  }
}
