// The measurements of the house: the imports, circles, functions, types and comments that it finds in a source.
import { describe, expect, test } from "vitest";
import { circlesOf } from "../bench/house/circles.ts";
import { importGraphOf, importsOf } from "../bench/house/imports.ts";
import { listsOf } from "../bench/house/lists.ts";
import { measureFile } from "../bench/house/measured-file.ts";
import { readPython } from "../bench/house/python-comments.ts";
import { readSyntax } from "../bench/house/syntax.ts";
import { sizeTable } from "../bench/house/table.ts";

describe("the imports of a source", () => {
  test.each([
    ['import { a } from "x";', "x"],
    ['import a from "x";', "x"],
    ['import * as a from "x";', "x"],
    ['import type { A } from "x";', "x"],
    ['import { a, type B } from "x";', "x"],
    ['import {\n  a,\n  b,\n} from "x";', "x"],
    ['import "x";', "x"],
    ['import a from "./x.json" with { type: "json" };', "./x.json"],
    ['export { a } from "x";', "x"],
    ['export * from "x";', "x"],
    ['export type { A } from "x";', "x"],
    ['const a = await import("x");', "x"],
    ['type A = import("x").A;', "x"],
    [`const a = await import(\`./x/\${name}.ts\`);`, "./x/"],
    [`const a = await import(\`./x\${name}.ts\`);`, "(computed)"],
    ["const a = await import(name);", "(computed)"],
    ['const a = await import("x" + name);', "(computed)"],
  ])("hold the one in %j", (source, imported) => {
    expect(importsOf(`// first\n${source}\nconst b = "y";\n`)).toEqual([imported]);
  });

  test("hold neither comments, strings nor other words", () => {
    const source =
      '// import "x";\n/* export * from "x"; */\nexport const a = "from";\nimport.meta.dirname;\n';
    expect(importsOf(source)).toEqual([]);
  });
});

describe("import circles", () => {
  const circles = (sources: Readonly<Record<string, string>>): string[][] =>
    circlesOf(importGraphOf(new Map(Object.entries(sources))));

  test("are found though one side imports a type alone", () => {
    const a = 'import type { B } from "./inner/b.ts";';
    expect(circles({ "x/a.ts": a, "x/inner/b.ts": 'export * from "../a.ts";' })).toEqual([
      ["x/a.ts", "x/inner/b.ts"],
    ]);
  });

  test("are found over several files, each once, and apart from each other", () => {
    expect(
      circles({
        "c.ts": 'import "./a.ts";',
        "b.ts": 'import "./c.ts"; ',
        "a.ts": 'import "./b.ts";\nimport "./d.ts";',
        "d.ts": 'import "./e.ts";',
        "e.ts": 'import "./d.ts";',
        "f.ts": 'import "./a.ts";',
      }),
    ).toEqual([
      ["a.ts", "b.ts", "c.ts"],
      ["d.ts", "e.ts"],
    ]);
  });

  test("are found where a file imports itself", () => {
    expect(circles({ "a.ts": 'import "./a.ts";' })).toEqual([["a.ts"]]);
  });

  test("are not seen where two ways lead to one file, or a package has a file's name", () => {
    const sources = {
      "a.ts": 'import "./b.ts";\nimport "./c.ts";',
      "b.ts": 'import "./c.ts";',
      "c.ts": 'import "a.ts";',
    };
    expect(circles(sources)).toEqual([]);
  });
});

describe("the syntax of a source", () => {
  const SOURCE = `// The first line
// and the second.

/** Adds. */
export function add(a: number, b: number): number {
  return a + b; // not a line of its own
}
const half: (n: number) => number = (n) => n / 2;
export const callbacks = [() => 1, function unseen() {}];
abstract class Box {
  #open = (): void => {
  };
  constructor() {}
  abstract close(): void;
  get size(): number { return 1; }
  *[Symbol.iterator]() {}
}
const box = {
  lift() {
    // one
    // two
  },
};
export type Size = number; export interface Shape {} enum Side { Left }
export { half, box };
`;
  const syntax = readSyntax("source.ts", SOURCE);

  test("has the functions that have a name, with the lines from their first to their last", () => {
    expect(syntax.functions.map(({ name, lines }) => `${name} ${lines}`).sort()).toEqual(
      ["add 3", "half 1", "#open 2", "constructor 1", "size 1", "Symbol 1", "lift 4"].sort(),
    );
  });

  test("has the types that it declares", () => {
    expect([...syntax.types].sort()).toEqual(["Box", "Shape", "Side", "Size"]);
  });

  test("counts every name that is exported", () => {
    expect(syntax.exportCount).toBe(6);
  });

  test("joins comments that follow each other, and knows the lines that hold nothing else", () => {
    expect(syntax.comments).toEqual([
      { text: "The first line\nand the second.", line: 1, ownLines: 2 },
      { text: "Adds.", line: 4, ownLines: 1 },
      { text: "not a line of its own", line: 6, ownLines: 0 },
      { text: "one\ntwo", line: 20, ownLines: 2 },
    ]);
  });

  test("is refused where the source does not parse", () => {
    expect(() => readSyntax("broken.ts", "const = ;")).toThrow("broken.ts can't be parsed");
  });
});

describe("the house", () => {
  const long = `function long() {\n${"//\n".repeat(39)}}\n`;
  const files = [
    measureFile("x/proof.ts", 'import "./tree.ts";\nexport type Size = number;\n'),
    measureFile("x/proofs.ts", '// What is short.\nimport "./proof.ts";\nfunction short() {}\n'),
    measureFile("x/tree.ts", `// A clause.\n// What follows.\nimport "./proof.ts";\n${long}`),
    measureFile("y/authority.ts", "export interface Size {}\n"),
    measureFile("y/authorities.ts", 'import "./authority.ts";\n'),
    measureFile("z/proofs.ts", "type Twice = 1;\ntype Twice = 2;\n"),
  ];

  test("lists what breaks the rules of style, by file", () => {
    expect(listsOf(files).map(({ entries }) => entries)).toEqual([
      ["x/tree.ts: long, 41 lines"],
      ["Size: x/proof.ts, y/authority.ts"],
      ["x/proof.ts, x/tree.ts"],
      ["x/proof.ts, x/proofs.ts", "y/authority.ts, y/authorities.ts"],
      ["x/proofs.ts:1: What is short."],
      ["y/authority.ts, imported by y/authorities.ts"],
    ]);
  });

  test("lists the comments of Python too", () => {
    const source = `"""What is short."""

# Of one thing
# Whose rest follows.
class Box:
    """Whether it opens.

    What follows is the rest of it.
    """
    size = 1  # What is no line of its own
    # A clause.
`;
    const [, , , , headless] = listsOf([], [readPython("z/box.py", source)]);
    expect(headless?.entries).toEqual([
      "z/box.py:1: What is short.",
      "z/box.py:3: Of one thing",
      "z/box.py:6: Whether it opens.",
    ]);
  });

  test("must leave the first three lists empty", () => {
    expect(listsOf(files).map(({ mustBeEmpty }) => mustBeEmpty)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("gives the sizes of each group of files in a row", () => {
    const [headings, row] = sizeTable(new Map([["x/", files.slice(0, 3)]])).split("\n");
    expect(headings?.split(/ {2,}/)).toHaveLength(8);
    expect(row?.split(/ {2,}/)).toEqual([
      "x/",
      "3",
      "49",
      "3 / 44 / 44",
      "2",
      "41 / 41 / 41",
      "1 (0.3)",
      "86 %",
    ]);
  });
});
