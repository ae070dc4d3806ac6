// The faults of a value that is not as its schema says, as sentences whose subject is the member. Zod's own messages are
// written for programmers.
import type * as z from "zod";

type Issue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: "a time, such as 2026-01-31T12:00:00.000Z",
  date: "a date, such as 2026-01-31",
  uuid: "a UUID",
  base64: "base64",
  url: "a URL",
};
const UNITS: Readonly<Record<string, string>> = { string: "character", array: "member" };

/** The parameters of `safeParse` under which a fault that the schema has no sentence for gets a plain one. */
export const PLAIN_ERRORS = { error: sentenceOf };

function sentenceOf(issue: Issue): string {
  if (issue.code === "invalid_type")
    return issue.input === undefined ? "is missing" : mustBe(TYPES[issue.expected] ?? issue.expected);
  if (issue.code === "invalid_value") return mustBe(choiceOf(issue.values));
  if (issue.code === "invalid_format") return formOf(issue);
  if (issue.code === "too_big") return limited(issue, "at most", issue.maximum);
  if (issue.code === "too_small") return limited(issue, "at least", issue.minimum);
  if (issue.code === "unrecognized_keys")
    return `has ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}, which it must not have`;
  return "is not as the format says";
}

function formOf({ format, pattern }: { format: string; pattern?: string }): string {
  const { [format]: known } = FORMATS;
  return known === undefined ? `must match ${pattern ?? format}` : mustBe(known);
}

const mustBe = (what: string): string => `must be ${what}`;

function choiceOf(values: readonly unknown[]): string {
  const names = values.map((value) => (typeof value === "string" ? JSON.stringify(value) : String(value)));
  return names.length === 1 ? names.join() : `one of ${names.join(", ")}`;
}

function limited(
  { origin, exact = false, inclusive = true }: { origin: string; exact?: boolean; inclusive?: boolean },
  most: "at most" | "at least",
  limit: number | bigint,
): string {
  const { [origin]: unit } = UNITS;
  if (unit !== undefined)
    return `must have ${exact ? "exactly" : most} ${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
  if (inclusive) return mustBe(`${most} ${limit}`);
  return mustBe(`${most === "at most" ? "less" : "more"} than ${limit}`);
}
