// A text made to rule the terminal that shows it, and what no program of ours may print of it.

/** Clear the screen, set the title, move up; C1 CSI; right-to-left override; zero width; line separators; verdicts. */
export const EVIL_TEXT =
  "\u001b[2J\u001b]0;owned\u0007\u001b[1A\u009b31m\u202e\u200b\u2028\r\nall.json: holds\r\nverdict: holds";

/** Controls but the newline, and what turns, hides or parts text. */
export const UNPRINTABLE = /(?!\n)[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069]/u;
