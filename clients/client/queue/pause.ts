// The pause of a sender after a failure: it grows with each failure, is cut by chance, and ends with a success.

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export class QueuePause {
  readonly #resume: () => void;
  #failures = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(resume: () => void) {
    this.#resume = resume;
  }

  get isOn(): boolean {
    return this.#timer !== null;
  }

  /** True while the last try failed: the next is made alone. */
  get isTroubled(): boolean {
    return this.#failures > 0;
  }

  /** Tries that failed at the same time share one pause. */
  start(atLeastMs: number): void {
    if (this.#timer !== null) return;
    this.#failures++;
    const delayMs = Math.random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** this.#failures);
    this.#timer = setTimeout(() => this.#end(), Math.max(delayMs, atLeastMs));
    // The waiting disclosures are on disk; no program has to stay alive for them.
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
