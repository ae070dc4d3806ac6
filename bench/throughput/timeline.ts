// Simulated time: what is to happen, in the order of its time.

interface TimelineEvent {
  readonly at: number;
  readonly run: () => void;
}

export class Timeline {
  /** The earliest first. */
  readonly #events: TimelineEvent[] = [];
  #now = 0;

  /** In milliseconds since the start. */
  get now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): void {
    const at = this.#now + delayMs;
    this.#events.splice(this.#events.findLastIndex((event) => event.at <= at) + 1, 0, { at, run });
  }

  /** Runs what happens until `end`; later events are left out. */
  run(end: number): void {
    for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
      if (next.at > end) return;
      this.#now = next.at;
      next.run();
    }
  }
}
