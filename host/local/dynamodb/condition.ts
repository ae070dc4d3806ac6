// Conditions on the item that a write finds, as service/table/condition.ts writes them.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
import { invalid, unsupported } from "./errors.ts";
import { Lexer } from "./lexer.ts";
import type { Placeholders } from "./placeholders.ts";
import {
  type AttributeValue,
  attributeOf,
  compareValues,
  type ItemAttributes,
  isEqualValue,
  typeOf,
} from "./values.ts";

/** True if the condition holds for an item. One that is not there has no attributes. */
export type ItemTest = (item: ItemAttributes) => boolean;

/** A condition, and whether it is one in parentheses: DynamoDB refuses two pairs around one thing. */
interface Clause {
  readonly holds: ItemTest;
  readonly isWrapped: boolean;
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};
const ORDERED_TYPES = ["S", "N", "B"];
const LEFT_OUT = ["NOT", "IN", "BETWEEN", "ATTRIBUTE_TYPE", "BEGINS_WITH", "CONTAINS", "SIZE"];
const EXISTS = "attribute_exists";
const NOT_EXISTS = "attribute_not_exists";

/** Throws ValidationException for one that this engine does not know, or DynamoDB would refuse. */
export function parseCondition(
  expression: unknown,
  placeholders: Placeholders,
  member = "ConditionExpression",
): ItemTest {
  const lexer = new Lexer(expression, member);
  const { holds } = parseAny(lexer, placeholders);
  lexer.expectEnd();
  return holds;
}

const parseAny = (lexer: Lexer, placeholders: Placeholders): Clause =>
  parseJoined(
    lexer,
    "OR",
    () =>
      parseJoined(
        lexer,
        "AND",
        () => parseClause(lexer, placeholders),
        (clauses, item) => clauses.every(({ holds }) => holds(item)),
      ),
    (clauses, item) => clauses.some(({ holds }) => holds(item)),
  );

function parseJoined(
  lexer: Lexer,
  operator: string,
  parseMember: () => Clause,
  join: (clauses: readonly Clause[], item: ItemAttributes) => boolean,
): Clause {
  const first = parseMember();
  const clauses = [first];
  while (lexer.takeIf(operator)) clauses.push(parseMember());
  return clauses.length === 1 ? first : { holds: (item) => join(clauses, item), isWrapped: false };
}

function parseClause(lexer: Lexer, placeholders: Placeholders): Clause {
  if (lexer.takeIf("(")) return parseWrapped(lexer, placeholders);
  const isFunction = lexer.peek(1) === "(";
  return {
    holds: isFunction ? parseFunction(lexer, placeholders) : parseComparison(lexer, placeholders),
    isWrapped: false,
  };
}

function parseWrapped(lexer: Lexer, placeholders: Placeholders): Clause {
  const { holds, isWrapped } = parseAny(lexer, placeholders);
  lexer.expect(")");
  if (isWrapped) {
    throw invalid("Invalid ConditionExpression: The expression has redundant parentheses;");
  }
  return { holds, isWrapped: true };
}

function parseFunction(lexer: Lexer, placeholders: Placeholders): ItemTest {
  const called = lexer.take();
  refuseLeftOut(called);
  if (![EXISTS, NOT_EXISTS].includes(called)) {
    throw invalid(`Invalid ConditionExpression: Invalid function name; function: ${called}`);
  }
  lexer.expect("(");
  const name = parseAttribute(lexer, placeholders);
  lexer.expect(")");
  return (item) => (attributeOf(item, name) !== undefined) === (called === EXISTS);
}

function parseComparison(lexer: Lexer, placeholders: Placeholders): ItemTest {
  refuseLeftOut(lexer.peek());
  const name = parseAttribute(lexer, placeholders);
  refuseLeftOut(lexer.peek());
  const operator = lexer.take();
  const value = parseOperand(lexer, placeholders);
  if (operator === "=") return (item) => hasValue(item, name, value);
  if (operator === "<>") return (item) => !hasValue(item, name, value);
  const isWithin = ORDERS[operator];
  if (isWithin === undefined) throw lexer.unexpected();
  if (!ORDERED_TYPES.includes(typeOf(value))) {
    throw invalid(`Invalid ConditionExpression: Incorrect operand type for operator ${operator}`);
  }
  return (item) => {
    const held = attributeOf(item, name);
    const order = held === undefined ? null : compareValues(held, value);
    return order !== null && isWithin(order);
  };
}

function hasValue(item: ItemAttributes, name: string, value: AttributeValue): boolean {
  const held = attributeOf(item, name);
  return held !== undefined && isEqualValue(held, value);
}

function refuseLeftOut(word: string): void {
  if (LEFT_OUT.includes(word.toUpperCase())) throw unsupported(`${word} in a condition`);
}

/** The attribute that a `#name` stands for. A bare name may be a reserved word, and a path leads into a value. */
export function parseAttribute(lexer: Lexer, placeholders: Placeholders): string {
  if (!lexer.peek().startsWith("#")) {
    if (/^[a-z_]\w*$/i.test(lexer.peek())) throw unsupported(`the attribute ${lexer.peek()} without a #`);
    throw lexer.unexpected();
  }
  const name = placeholders.attribute(lexer.take());
  if ([".", "["].includes(lexer.peek())) throw unsupported("a path into a value");
  return name;
}

/** The value that a `:value` stands for. */
export function parseOperand(lexer: Lexer, placeholders: Placeholders): AttributeValue {
  if (lexer.peek().startsWith("#")) throw unsupported("an attribute on the right");
  if (!lexer.peek().startsWith(":")) throw lexer.unexpected();
  return placeholders.value(lexer.take());
}
