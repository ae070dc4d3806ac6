// All output to the terminal passes through here: control characters in a text are escaped first, then colour is added.
import { styleText } from "node:util";
import { printable, printableJson } from "../../../evidence/core/printable.ts";
import { type OutputStream, Progress } from "./progress.ts";

type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** Text in a style, or a plain string. Both may come from strangers. */
export type StyledText = string | { readonly style: Style; readonly text: string };

const paint =
  (style: Style) =>
  (text: string): StyledText => ({ style, text });

export const bold = paint("bold");
export const dim = paint("dim");
export const red = paint("red");
export const green = paint("green");
export const yellow = paint("yellow");

export interface TerminalOptions {
  readonly out: OutputStream;
  readonly err: OutputStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export class Terminal {
  readonly #out: OutputStream;
  readonly #err: OutputStream;
  readonly #environment: TerminalOptions["environment"];
  #progress: Progress | null = null;

  constructor({ out, err, environment }: TerminalOptions) {
    this.#out = out;
    this.#err = err;
    this.#environment = environment;
  }

  /** The width of the result's lines; without end where no terminal breaks them. */
  get columns(): number {
    return (this.#out.isTTY === true && this.#out.columns) || Number.POSITIVE_INFINITY;
  }

  /** One line of the result. */
  print(...parts: readonly StyledText[]): void {
    this.#write(this.#out, parts);
  }

  /** One line about the run, which is not part of the result. */
  note(...parts: readonly StyledText[]): void {
    this.#write(this.#err, parts);
  }

  /** Text of this program's own, such as a help page, as it is. */
  printOwn(text: string): void {
    this.#writeLine(this.#out, text);
  }

  printJson(value: unknown): void {
    this.#writeLine(this.#out, printableJson(value));
  }

  /** A bar on standard error where that is a terminal, until the next line is printed; elsewhere nothing is shown. */
  progress(total: number, what: string): Progress {
    const output = this.#err.isTTY === true && !this.#isDumb() ? this.#err : null;
    this.#progress = new Progress(output, total, what);
    return this.#progress;
  }

  #write(output: OutputStream, parts: readonly StyledText[]): void {
    const hasColours = output.isTTY === true && !this.#environment.NO_COLOR && !this.#isDumb();
    this.#writeLine(output, parts.map((part) => render(part, hasColours)).join(""));
  }

  /** A line must not begin behind a progress bar. */
  #writeLine(output: OutputStream, line: string): void {
    this.#progress?.clear();
    output.write(`${line}\n`);
  }

  #isDumb(): boolean {
    return this.#environment.TERM === "dumb";
  }
}

function render(part: StyledText, hasColours: boolean): string {
  if (typeof part === "string") return printable(part);
  const text = printable(part.text);
  return hasColours ? styleText(part.style, text, { validateStream: false }) : text;
}
