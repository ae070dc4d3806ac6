// A piece of work that callers share: those that meet get one run, which begins after they asked.

export class SharedRun {
  readonly #work: () => Promise<void>;
  #underWay: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Settles with a run that begins after this call; the one under way may have passed by what the caller looks for. */
  join(): Promise<void> {
    // One that waits for its beginning comes first: the run before it may have ended just now.
    if (this.#next !== null) return this.#next;
    if (this.#underWay === null) return this.#start();
    this.#next = this.#underWay
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.#start();
      });
    return this.#next;
  }

  #start(): Promise<void> {
    const run = this.#work().finally(() => {
      this.#underWay = null;
    });
    this.#underWay = run;
    return run;
  }
}
