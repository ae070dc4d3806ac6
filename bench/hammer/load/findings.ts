// Callers and readers note here what they found wrong while the run went on. Each is a failure of the run.

const MAX_KEPT = 1_000;
const MAX_LENGTH = 1_000;

export interface RunFinding {
  /** RFC 3339. */
  readonly at: string;
  readonly by: string;
  readonly what: string;
}

export class Findings {
  readonly kept: RunFinding[] = [];
  count = 0;

  add(by: string, what: string): void {
    this.count++;
    if (this.kept.length < MAX_KEPT)
      this.kept.push({ at: new Date().toISOString(), by, what: what.slice(0, MAX_LENGTH) });
  }
}
