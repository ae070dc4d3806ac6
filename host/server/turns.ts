// Work that anyone may ask for, and that takes the processor's time: one piece is done at a time, so that a call with a key,
// which shares the process, is behind one of them at most.
import { setImmediate } from "node:timers/promises";

/** They wait a fraction of a second, and are few of all the calls that a server answers at once. */
export const MAX_WAITING = 16;

export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #open = 0;

  /** Does the work after all that came before. Null where one is done and `MAX_WAITING` wait: nothing of it was begun. */
  take<T>(work: () => Promise<T>): Promise<T> | null {
    if (this.#open > MAX_WAITING) return null;
    this.#open++;
    const done = this.#last.then(work).finally(() => this.#open--);
    // Whatever came meanwhile goes before the next one.
    const pause = () => setImmediate();
    this.#last = done.then(pause, pause);
    return done;
  }
}
