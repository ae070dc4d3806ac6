// The comments of a Python source: those behind `#`, and the texts that open a module, a class or a function.
import { readSource } from "./sources.ts";

const BEHIND_A_SIGN = /^[ \t]*#[ \t]*(.*)$/;
const IN_QUOTES = /^[ \t]*"""(.+?)(?:""")?$/;

export interface CommentedFile {
  readonly file: string;
  /** The first line of each comment, with its number. */
  readonly comments: readonly { readonly text: string; readonly line: number }[];
}

export function readPython(file: string, source: string = readSource(file)): CommentedFile {
  const lines = source.split("\n");
  const comments = lines.flatMap((text, index) => {
    const begins = !BEHIND_A_SIGN.test(lines[index - 1] ?? "");
    const [, opening] = IN_QUOTES.exec(text) ?? (begins ? BEHIND_A_SIGN.exec(text) : null) ?? [];
    return opening === undefined ? [] : [{ text: opening, line: index + 1 }];
  });
  return { file, comments };
}
