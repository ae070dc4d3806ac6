// The rest that a sender takes after a failure: longer with each, shorter by chance, and over with a success.

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export class Pause {
  readonly #resume: () => void;
  #failures = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(resume: () => void) {
    this.#resume = resume;
  }

  get isOn(): boolean {
    return this.#timer !== null;
  }

  /** Whether the last try failed: the next is made alone. */
  get isTroubled(): boolean {
    return this.#failures > 0;
  }

  /** Those that failed side by side share one pause. */
  start(atLeastMs: number): void {
    if (this.#timer !== null) return;
    this.#failures++;
    const delayMs = Math.random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** this.#failures);
    this.#timer = setTimeout(() => this.#end(), Math.max(delayMs, atLeastMs));
    // What waits is on disk; no program has to stay for it.
    this.#timer.unref();
  }

  succeed(): void {
    this.#failures = 0;
  }

  #end(): void {
    this.#timer = null;
    this.#resume();
  }
}
