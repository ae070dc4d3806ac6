// The parts of a source's syntax that are measured. Vite's parser reads it: TypeScript 7 has no stable interface for that.
import { type ESTree, type ParseResult, parseSync, Visitor } from "vite";

/** Offsets count UTF-16 units. */
interface SourceRange {
  readonly start: number;
  readonly end: number;
}

export interface NamedFunction {
  readonly name: string;
  readonly lines: number;
}

/** A block comment, or the line comments that follow each other without code between them. */
export interface Comment {
  readonly text: string;
  /** The number of its first line. */
  readonly line: number;
  /** The number of lines that hold nothing else. */
  readonly ownLines: number;
}

export interface Syntax {
  /** Functions, methods, constructors and accessors, and function expressions bound to a variable or a field. */
  readonly functions: readonly NamedFunction[];
  /** The names of declared types, interfaces, classes and enums. */
  readonly types: readonly string[];
  readonly exportCount: number;
  readonly comments: readonly Comment[];
}

export function readSyntax(file: string, source: string): Syntax {
  const { program, module, comments, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} can't be parsed: ${error.message}`);
  return {
    functions: functionsOf(program, source),
    types: typesOf(program),
    exportCount: module.staticExports.flatMap(({ entries }) => entries).length,
    comments: commentsOf(comments, source),
  };
}

function functionsOf(program: ESTree.Program, source: string): NamedFunction[] {
  const functions: NamedFunction[] = [];
  const add = (name: SourceRange, node: SourceRange): void => {
    functions.push({ name: identifierAt(name, source), lines: linesOf(node, source) });
  };
  new Visitor({
    FunctionDeclaration: (node) => add(node.id ?? node, node),
    MethodDefinition: (node) => node.value.body !== null && add(node.key, node),
    PropertyDefinition: (node) => isFunction(node.value) && add(node.key, node),
    VariableDeclarator: (node) => isFunction(node.init) && add(node.id, node),
    Property: (node) => (node.method || node.kind !== "init") && add(node.key, node),
  }).visit(program);
  return functions;
}

const isFunction = (node: ESTree.Expression | null): boolean =>
  node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";

function typesOf(program: ESTree.Program): string[] {
  const types: string[] = [];
  const add = ({ id }: { readonly id: { readonly name: string } | null }): void => {
    if (id !== null) types.push(id.name);
  };
  new Visitor({
    TSTypeAliasDeclaration: add,
    TSInterfaceDeclaration: add,
    TSEnumDeclaration: add,
    ClassDeclaration: add,
  }).visit(program);
  return types;
}

/** Without a type that the syntax tree counts to it. */
const identifierAt = ({ start, end }: SourceRange, source: string): string =>
  /^[#\w$]+/.exec(source.slice(start, end))?.[0] ?? source.slice(start, end);

const linesOf = ({ start, end }: SourceRange, source: string): number =>
  source.slice(start, end).split("\n").length;

function commentsOf(found: ParseResult["comments"], source: string): Comment[] {
  const groups: SourceRange[] = [];
  for (const { start, end } of found) {
    const last = groups.at(-1);
    const follows =
      last !== undefined && beginsLine(last, source) && isOneBreak(source.slice(last.end, start));
    if (follows) groups[groups.length - 1] = { start: last.start, end };
    else groups.push({ start, end });
  }
  return groups.map((group) => ({
    text: wordsOf(source.slice(group.start, group.end)),
    line: linesOf({ start: 0, end: group.start }, source),
    ownLines: beginsLine(group, source) ? linesOf(group, source) : 0,
  }));
}

const isOneBreak = (between: string): boolean => /^\n[ \t]*$/.test(between);

const beginsLine = ({ start }: SourceRange, source: string): boolean =>
  /(?:^|\n)[ \t]*$/.test(source.slice(0, start));

/** The text of a comment, without the signs that make it one. */
const wordsOf = (comment: string): string =>
  comment
    .replace(/\*\/$/, "")
    .replaceAll(/^[ \t]*(?:\/\/|\/?\*+)[ \t]?/gm, "")
    .trim();
