// The rule for a whole number within limits, in settings that an operator writes.
import * as z from "zod";

export function wholeNumber(min: number, max: number) {
  const expected = `must be a whole number from ${min} to ${max}`;
  return z.int(expected).min(min, expected).max(max, expected);
}
