// A word of a command line that somebody pastes into a shell.

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** The word as a POSIX shell reads it back: in single quotes where it has anything but plain characters. */
export const shellWord = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
