// The docs say what is so: links and anchors lead somewhere, and what is named exists.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../tools/cli/command-list.ts";
import { receipts } from "../tools/cli/command-line.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const PAGES = [
  "README.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "examples/README.md",
  ...pagesIn("docs"),
  ...pagesIn("docs/adapters"),
  ...pagesIn("docs/decisions"),
  ...readdirSync(join(ROOT, "service")).flatMap((room) =>
    room.includes(".") ? [] : pagesIn(`service/${room}`),
  ),
];

const FENCED = /^( *)```[\s\S]*?^\1```$/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#{1,6} +(.+)$/gm;
const CODE = /`([^`\n]+)`/g;
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["node_modules", "dist", "cdk.out"].includes(entry.name))
  .map(({ name }) => name);

const prose = (page: string): string => read(page).replaceAll(FENCED, "");
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

/** Names that stand for any of their kind. */
const PLACEHOLDERS = new Set(["evidence/policy/xx.json"]);

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

/** Links within the repository, as [file, anchor]. */
const linksOf = (page: string): (readonly [string, string | undefined])[] =>
  all(prose(page), LINK)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = "", anchor] = target.split("#");
      return [path === "" ? page : join(dirname(page), path), anchor] as const;
    });

/** What in code spans looks like a path of this repository: a folder of ours, and more. */
const pathsOf = (page: string): string[] =>
  all(prose(page), CODE)
    .map((code) => code.replace(/[#:].*$/, ""))
    .filter((code) => /^[\w.-]+\/[\w./-]*$/.test(code) && FOLDERS.includes(code.split("/")[0] ?? ""));

describe.each(PAGES)("%s", (page) => {
  test("links to files that exist", () => {
    expect(linksOf(page).filter(([file]) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test("links to headings that exist", () => {
    const anchored = linksOf(page).filter(([file, anchor]) => anchor !== undefined && file.endsWith(".md"));
    const missing = anchored.filter(
      ([file, anchor]) =>
        !all(prose(file), HEADING)
          .map(anchorOf)
          .includes(anchor ?? ""),
    );
    expect(missing).toEqual([]);
  });

  test("names files that exist", () => {
    const missing = pathsOf(page).filter((path) => !existsSync(join(ROOT, path)));
    expect(missing.filter((path) => !PLACEHOLDERS.has(path))).toEqual([]);
  });

  test("names npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const named = all(read(page), /\bnpm run (?:-s )?([\w:]+)/g);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("names commands that exist", () => {
    const named = all(read(page), /\b(?:npx disclosure-receipts|npm run -s receipts --) +([a-z]+)/g);
    expect(named.filter((name) => !(name in commands))).toEqual([]);
  });
});

test("what the pages have `admin` do is what it can do", async () => {
  const { command } = (await commands.admin?.load()) ?? expect.fail("there is no command admin");
  const named = PAGES.flatMap((page) =>
    all(read(page), /\badmin ((?:tenant|key) [a-z]+|status|verify|erase|retention)\b/g),
  );
  const help = [command.help, ...Object.values(command.topics ?? {})].join("\n");
  const isOffered = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(help);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !isOffered(name))).toEqual([]);
});

test.each([
  ["docs/command-line.md", []],
  ["docs/admin.md", ["admin"]],
])("%s lists the commands as `--help` does", async (page, argv) => {
  const { stdout } = await receipts(...argv, "--help");
  const [list = ""] = stdout.match(/(?:^ {2}[a-z].*\n)+/m) ?? [];
  expect(list.split("\n").length).toBeGreaterThan(10);
  expect(read(page)).toContain(`\`\`\`\n${list}\`\`\``);
});

test("no page calls the service's timestamp qualified, but to say that it is not", () => {
  const claims = PAGES.flatMap((page) =>
    read(page)
      .split(/(?<=[.;])\s|\n\n/)
      .filter((sentence) => /qualified[^.]*timestamp/i.test(sentence))
      .filter((sentence) => !/\b(?:not?|nor|non|never|without|elsewhere|Article 41|only)\b/i.test(sentence))
      .map((sentence) => `${page}: ${sentence}`),
  );
  expect(claims).toEqual([]);
});

describe("this test", () => {
  test("reads the pages that there are", () => {
    expect(PAGES.flatMap(linksOf).length).toBeGreaterThan(50);
    expect(PAGES.flatMap(pathsOf).length).toBeGreaterThan(30);
  });

  test.each([
    ["A server: one of many", "a-server-one-of-many"],
    ["What `npm start` does", "what-npm-start-does"],
    ["Once, and once only", "once-and-once-only"],
    ["API 2.0 & keys", "api-20--keys"],
  ])("knows the anchor of %j", (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });
});
