// A progress bar on one line of a terminal, redrawn at a pace that costs nothing.
import { printable } from "../../../evidence/core/printable.ts";

const REDRAW_MS = 100;
const BAR_WIDTH = 24;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = "\r\u001b[2K";

/** The members of a process stream that are used here; `columns` is there only on a terminal. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

export class Progress {
  readonly #output: OutputStream | null;
  readonly #total: number;
  readonly #what: string;
  #done = 0;
  #drawnAt = 0;

  /** Without an output it counts and shows nothing. */
  constructor(output: OutputStream | null, total: number, what: string) {
    this.#output = output;
    this.#total = total;
    this.#what = what;
  }

  step(by = 1): void {
    this.#done += by;
    const now = performance.now();
    if (this.#output === null || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    const line = ` ${bar(this.#done, this.#total)} ${this.#done}/${this.#total} ${printable(this.#what)}`;
    this.#output.write(`${CLEAR_LINE}${line.slice(0, (this.#output.columns || DEFAULT_COLUMNS) - 1)}`);
  }

  /** Removes the bar, so that a line can be printed in its place. */
  clear(): void {
    if (this.#drawnAt > 0) this.#output?.write(CLEAR_LINE);
    this.#drawnAt = 0;
  }
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.floor((done / total) * BAR_WIDTH));
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}
