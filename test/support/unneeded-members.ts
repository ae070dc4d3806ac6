// The members that a schema can do without: one that takes anything, or makes a member optional, is found by them.
import type * as z from "zod";
import type { JsonValue } from "../../evidence/core/canonical-json.ts";

type Way = readonly string[];

/** JSON pointers of the members of `whole`, inner ones too, without which the schema still reads it. */
export const unneededMembers = (schema: z.ZodType, whole: JsonValue): string[] =>
  membersOf(whole)
    .filter((way) => schema.safeParse(without(whole, way)).success)
    .map((way) => `/${way.join("/")}`);

function membersOf(value: JsonValue): Way[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    membersOf(member).map((way) => [name, ...way]),
  );
  return Array.isArray(value) ? inner : [...Object.keys(value).map((name) => [name]), ...inner];
}

/** A copy that lacks the member at the end of the way. */
function without(value: unknown, [name, ...rest]: Way): unknown {
  if (Array.isArray(value)) return value.map((each, i) => (String(i) === name ? without(each, rest) : each));
  const members = Object.entries(value as object);
  if (rest.length === 0) return Object.fromEntries(members.filter(([each]) => each !== name));
  return Object.fromEntries(
    members.map(([each, member]) => [each, each === name ? without(member, rest) : member]),
  );
}
