// The attributes of items that a ProjectionExpression asks for.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html
import { invalid, unsupported } from "./errors.ts";
import { Lexer } from "./lexer.ts";
import type { Placeholders } from "./placeholders.ts";
import type { StoredItem } from "./store.ts";
import type { ItemAttributes } from "./values.ts";

const MEMBER = "ProjectionExpression";

/** `#name, #name, …`: attributes by their placeholders, each once. */
export function parseProjection(expression: unknown, placeholders: Placeholders): readonly string[] {
  const lexer = new Lexer(expression, MEMBER);
  const names: string[] = [];
  do {
    if (!lexer.peek().startsWith("#")) throw unsupported(`a ${MEMBER} other than #name, #name, …`);
    names.push(placeholders.attribute(lexer.take()));
  } while (lexer.takeIf(","));
  lexer.expectEnd();
  if (new Set(names).size === names.length) return names;
  throw invalid(`Invalid ${MEMBER}: Two document paths overlap with each other`);
}

/** The item with these attributes alone. Its size stays that of what was read, for so DynamoDB counts it. */
export function project({ json, bytes }: StoredItem, names: readonly string[]): StoredItem {
  const item = JSON.parse(json) as ItemAttributes;
  const kept = names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]]);
  return { json: JSON.stringify(Object.fromEntries(kept)), bytes };
}
