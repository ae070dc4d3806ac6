// Simulated time: what is to happen, in the order of its time.

interface TimelineEvent {
  readonly at: number;
  readonly run: () => void;
}

/** A binary heap of events: each is no later than its two children. */
export class Timeline {
  readonly #events: TimelineEvent[] = [];
  #now = 0;

  /** In milliseconds since the start. */
  get now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): void {
    const event = { at: this.#now + delayMs, run };
    let place = this.#events.push(event) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#at(above);
      if (parent.at <= event.at) break;
      this.#events[place] = parent;
      place = above;
    }
    this.#events[place] = event;
  }

  /** Runs what happens until `end`; later events are left out. */
  run(end: number): void {
    while (this.#events.length > 0) {
      const { at, run } = this.#takeFirst();
      if (at > end) return;
      this.#now = at;
      run();
    }
  }

  #takeFirst(): TimelineEvent {
    const first = this.#at(0);
    const last = this.#events.pop() ?? first;
    if (this.#events.length === 0) return first;
    let place = 0;
    for (;;) {
      const child = this.#earlierChild(place);
      if (child === null || this.#at(child).at >= last.at) break;
      this.#events[place] = this.#at(child);
      place = child;
    }
    this.#events[place] = last;
    return first;
  }

  #earlierChild(place: number): number | null {
    const [left, right] = [2 * place + 1, 2 * place + 2];
    if (left >= this.#events.length) return null;
    return right < this.#events.length && this.#at(right).at < this.#at(left).at ? right : left;
  }

  #at(place: number): TimelineEvent {
    const event = this.#events[place];
    if (event === undefined) throw new Error("the timeline has no such event");
    return event;
  }
}
