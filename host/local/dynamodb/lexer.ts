// The words of DynamoDB's expressions.
import { invalid } from "./errors.ts";

const MAX_EXPRESSION_BYTES = 4 * 1024;
/** A word, a `#name`, a `:value`, or a sign; spaces between them. */
const TOKEN = /\s*([#:]?\w+|<>|<=|>=|[=<>(),.[\]+-])|\s*$/y;

/** Reads an expression word by word. */
export class Lexer {
  readonly #expression: string;
  readonly #tokens: readonly string[];
  #next = 0;

  /** Throws ValidationException for what is no expression. */
  constructor(expression: unknown, member: string) {
    if (typeof expression !== "string") throw invalid(`${member} must be a string`);
    if (Buffer.byteLength(expression) > MAX_EXPRESSION_BYTES) {
      throw invalid(`Invalid ${member}: Expression size has exceeded the maximum allowed size`);
    }
    this.#expression = expression;
    this.#tokens = tokensOf(expression, member);
    if (this.#tokens.length === 0) throw invalid(`Invalid ${member}: The expression can not be empty;`);
  }

  /** The next word, which stays; empty at the end. */
  peek(ahead = 0): string {
    return this.#tokens[this.#next + ahead] ?? "";
  }

  take(): string {
    const token = this.peek();
    this.#next++;
    return token;
  }

  /** Takes the next word if it is this keyword or sign, in any case. */
  takeIf(word: string): boolean {
    const isThis = this.peek().toUpperCase() === word;
    if (isThis) this.#next++;
    return isThis;
  }

  expect(word: string): void {
    if (!this.takeIf(word)) throw this.unexpected();
  }

  expectEnd(): void {
    if (this.peek() !== "") throw this.unexpected();
  }

  /** The error for a word that can't stand here. */
  unexpected(): Error {
    return invalid(
      `Invalid expression: Syntax error; token: ${this.peek() || "<EOF>"}, in: ${this.#expression}`,
    );
  }
}

function tokensOf(expression: string, member: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const at = TOKEN.lastIndex;
    const [match, token] = TOKEN.exec(expression) ?? [];
    if (match === undefined) throw invalid(`Invalid ${member}: Syntax error; at: ${expression.slice(at)}`);
    if (token === undefined) break;
    tokens.push(token);
  }
  return tokens;
}
