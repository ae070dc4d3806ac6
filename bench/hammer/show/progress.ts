// The progress of a run: one line that is written anew on a terminal, and a line every ten seconds elsewhere.
import type { OutputStream } from "../../../tools/cli/output/progress.ts";

const CLEAR_LINE = "\r\u001b[2K";
const TERMINAL_MS = 500;
const PLAIN_MS = 10_000;
const DEFAULT_COLUMNS = 80;

export class LiveLine {
  readonly #out: OutputStream;
  readonly #line: () => string;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(out: OutputStream, line: () => string) {
    this.#out = out;
    this.#line = line;
    this.#timer = setInterval(() => this.#write(), out.isTTY === true ? TERMINAL_MS : PLAIN_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#write();
    if (this.#out.isTTY === true) this.#out.write("\n");
  }

  #write(): void {
    if (this.#out.isTTY !== true) this.#out.write(`${this.#line()}\n`);
    else this.#out.write(`${CLEAR_LINE}${this.#line().slice(0, (this.#out.columns || DEFAULT_COLUMNS) - 1)}`);
  }
}
