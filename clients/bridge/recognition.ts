// Finds the registered texts in what a platform says was spoken. What it finds is the platform's word: see
// docs/adapters/bridge.md.
import { wordsOf } from "../adapters/words.ts";
import type { AgentTurn, SpokenPiece } from "./call-report.ts";
import type { KnownText } from "./known-texts.ts";

/** A registered text that was spoken to its end. */
export interface SpokenStatement {
  readonly text: KnownText;
  readonly agent: string;
  readonly endedAt: Date;
}

export interface Recognised {
  /** In the order in which they were spoken. */
  readonly statements: readonly SpokenStatement[];
  /** The number of registered texts that were begun, and not heard to their end. */
  readonly missed: number;
}

/** A voice says two or three words a second. A text that would have been said faster was not said to its end. */
const MAX_WORDS_PER_SECOND = 5;
/** A text was begun where this many of its first words end what was said. Fewer may be any greeting. */
const MIN_BEGUN_WORDS = 4;

interface SpokenWord {
  readonly word: string;
  readonly endedAt: Date;
}

interface FoundText {
  readonly text: KnownText;
  /** The place after its last word. */
  readonly to: number;
}

export function recognise(turns: readonly AgentTurn[], texts: readonly KnownText[]): Recognised {
  const all = turns.map((turn) => recogniseTurn(turn, texts));
  return {
    statements: all.flatMap(({ statements }) => statements),
    missed: all.reduce((sum, { missed }) => sum + missed, 0),
  };
}

function recogniseTurn(
  { pieces, agent, isCutOff, seconds }: AgentTurn,
  texts: readonly KnownText[],
): Recognised {
  const words = pieces.flatMap(wordsOfPiece);
  const found = findAll(words, texts);
  const isHeard = ({ to }: FoundText): boolean =>
    !isCutOff && (seconds === null || to <= seconds * MAX_WORDS_PER_SECOND);
  const statements = found
    .filter(isHeard)
    .map(
      ({ text, to }): SpokenStatement => ({ text, agent, endedAt: (words[to - 1] as SpokenWord).endedAt }),
    );
  const after = words.slice(found.at(-1)?.to ?? 0);
  const minimum = isCutOff ? 1 : MIN_BEGUN_WORDS;
  const isBegun = texts.some((text) => endsWithBeginningOf(after, text, minimum));
  return { statements, missed: found.length - statements.length + (isBegun ? 1 : 0) };
}

const wordsOfPiece = ({ text, endedAt }: SpokenPiece): SpokenWord[] =>
  wordsOf(text)
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => ({ word, endedAt }));

/** The longest text at each place, from left to right, none within another. */
function findAll(words: readonly SpokenWord[], texts: readonly KnownText[]): FoundText[] {
  const found: FoundText[] = [];
  for (let at = 0; at < words.length; ) {
    const first = texts.flatMap((text) => {
      const { to, rest } = follow(words, at, text);
      return rest === "" ? [{ text, to }] : [];
    })[0];
    if (first !== undefined) found.push(first);
    at = first?.to ?? at + 1;
  }
  return found;
}

/** The place up to which the words from `from` on are those of the text, and the letters of the text that are left. */
function follow(
  words: readonly Pick<SpokenWord, "word">[],
  from: number,
  { letters }: KnownText,
): { readonly to: number; readonly rest: string } {
  let to = from;
  let at = 0;
  for (; to < words.length; to++) {
    const { word } = words[to] as SpokenWord;
    if (at === letters.length || !letters.startsWith(word, at)) break;
    at += word.length;
  }
  return { to, rest: letters.slice(at) };
}

/** True if what was said ends in the first words of the text, and not in all of them. */
function endsWithBeginningOf(said: readonly SpokenWord[], text: KnownText, minimum: number): boolean {
  return said.some((_, from) => {
    const { to, rest } = follow(said, from, text);
    return to === said.length && to - from >= minimum && rest !== "";
  });
}
