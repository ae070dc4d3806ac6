// A plugin of StrykerJS: it leaves out what is written for people. That a message, the facts beside it or a description
// has other words is nothing that a test should find.

/** As much of a path of Babel's syntax tree as is looked at. */
interface NodePath {
  readonly node: Node;
  readonly parent?: Node;
}

interface Node {
  readonly type: string;
  readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } };
  readonly arguments?: readonly Node[];
}

/** The arguments from this one on say it to people: what a check found, and why something was refused. */
const FIRST_MESSAGE: ReadonlyMap<string, number> = new Map([
  ...(["fail", "holds", "unchecked", "refuse", "malformed", "describe", "meta"] as const).map(
    (name) => [name, 0] as const,
  ),
  ...(["DisclosureError", "mismatched", "unreadable", "readAs", "regex", "refine", "literal"] as const).map(
    (name) => [name, 1] as const,
  ),
  ["check", 2],
]);
const TEXTS: ReadonlySet<string> = new Set(["StringLiteral", "TemplateLiteral", "ObjectExpression"]);
const CALLS: ReadonlySet<string> = new Set(["CallExpression", "NewExpression"]);

function shouldIgnore({ node, parent }: NodePath): string | undefined {
  if (!TEXTS.has(node.type) || parent === undefined || !CALLS.has(parent.type)) return undefined;
  const { callee, arguments: given = [] } = parent;
  const first = FIRST_MESSAGE.get(callee?.name ?? callee?.property?.name ?? "");
  return first !== undefined && given.indexOf(node) >= first ? "a text for people" : undefined;
}

export const strykerPlugins = [{ kind: "Ignore", name: "messages", value: { shouldIgnore } }];
