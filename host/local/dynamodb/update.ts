// Updates of one item, as service/table/write.ts writes them: SET, REMOVE, and members of sets by ADD and DELETE.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html
import { parseAttribute, parseOperand } from "./condition.ts";
import { invalid, unsupported } from "./errors.ts";
import { Lexer } from "./lexer.ts";
import type { Placeholders } from "./placeholders.ts";
import { type AttributeValue, attributeOf, type ItemAttributes, typeOf } from "./values.ts";

/** The new value of one attribute, by the item as it was; null where it is removed. */
type Change = (old: AttributeValue | undefined) => AttributeValue | null;
/** By attribute. */
export type Changes = ReadonlyMap<string, Change>;

type SetType = "SS" | "NS" | "BS";
const SET_TYPES: readonly string[] = ["SS", "NS", "BS"];

type ParseChange = (lexer: Lexer, placeholders: Placeholders) => [name: string, change: Change];
const SECTIONS: Readonly<Record<string, ParseChange>> = {
  SET: parseAssignment,
  REMOVE: (lexer, placeholders) => [parseAttribute(lexer, placeholders), () => null],
  ADD: (lexer, placeholders) => parseMembers(lexer, placeholders, added),
  DELETE: (lexer, placeholders) => parseMembers(lexer, placeholders, deleted),
};

/** Throws ValidationException for one that this engine does not know, or DynamoDB would refuse. */
export function parseUpdate(expression: unknown, placeholders: Placeholders): Changes {
  const lexer = new Lexer(expression, "UpdateExpression");
  const update = new Map<string, Change>();
  const seen = new Set<string>();
  while (lexer.peek() !== "") {
    const keyword = lexer.peek().toUpperCase();
    const parseChange = SECTIONS[keyword];
    if (parseChange === undefined) throw lexer.unexpected();
    if (seen.has(keyword)) {
      throw invalid(
        `Invalid UpdateExpression: The "${keyword}" section can only be used once in an update expression;`,
      );
    }
    seen.add(keyword);
    lexer.take();
    parseSection(lexer, placeholders, parseChange, update);
  }
  return update;
}

function parseSection(
  lexer: Lexer,
  placeholders: Placeholders,
  parseChange: ParseChange,
  update: Map<string, Change>,
): void {
  do {
    const [name, change] = parseChange(lexer, placeholders);
    if (update.has(name)) {
      throw invalid("Invalid UpdateExpression: Two document paths overlap with each other;");
    }
    update.set(name, change);
  } while (lexer.takeIf(","));
}

/** The item as the update leaves it. Throws ValidationException where an attribute has another type than the update. */
export function applyUpdate(update: Changes, old: ItemAttributes): ItemAttributes {
  const item = new Map(Object.entries(old));
  for (const [name, change] of update) {
    const value = change(attributeOf(old, name));
    if (value === null) item.delete(name);
    else item.set(name, value);
  }
  return Object.fromEntries(item);
}

/** `#a = :a`, or `#a = if_not_exists(#a, :a)`. */
function parseAssignment(lexer: Lexer, placeholders: Placeholders): [string, Change] {
  const name = parseAttribute(lexer, placeholders);
  lexer.expect("=");
  if (lexer.peek(1) !== "(") {
    const value = parseOperand(lexer, placeholders);
    if (["+", "-"].includes(lexer.peek())) throw unsupported(`${lexer.peek()} in an update`);
    return [name, () => value];
  }
  const called = lexer.take();
  if (called === "list_append") throw unsupported(called);
  if (called !== "if_not_exists") {
    throw invalid(`Invalid UpdateExpression: Invalid function name; function: ${called}`);
  }
  lexer.expect("(");
  if (parseAttribute(lexer, placeholders) !== name) throw unsupported("if_not_exists of another attribute");
  lexer.expect(",");
  const value = parseOperand(lexer, placeholders);
  lexer.expect(")");
  return [name, (old) => old ?? value];
}

function parseMembers(
  lexer: Lexer,
  placeholders: Placeholders,
  change: (old: readonly string[], members: readonly string[]) => readonly string[],
): [string, Change] {
  const name = parseAttribute(lexer, placeholders);
  const value = parseOperand(lexer, placeholders);
  const type = typeOf(value);
  if (type === "N") throw unsupported("ADD of a number");
  if (!isSetType(type)) {
    throw invalid("Invalid UpdateExpression: Incorrect operand type for operator or function;");
  }
  return [name, (old) => setOf(type, change(membersOf(old, type), membersOf(value, type)))];
}

const added = (old: readonly string[], members: readonly string[]): readonly string[] => [
  ...new Set([...old, ...members]),
];
const deleted = (old: readonly string[], members: readonly string[]): readonly string[] =>
  old.filter((member) => !members.includes(member));

const isSetType = (type: string): type is SetType => SET_TYPES.includes(type);

function membersOf(value: AttributeValue | undefined, type: SetType): readonly string[] {
  if (value === undefined) return [];
  if (typeOf(value) !== type) throw invalid("An operand in the update expression has an incorrect data type");
  return (value as Readonly<Record<SetType, readonly string[]>>)[type];
}

/** An empty set is none: DynamoDB removes the attribute. */
const setOf = (type: SetType, members: readonly string[]): AttributeValue | null =>
  members.length === 0 ? null : ({ [type]: members } as AttributeValue);
