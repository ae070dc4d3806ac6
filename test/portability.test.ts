// What runs on Linux, macOS and Windows alike: the scripts of npm, the sources of the programs that they start, the names
// of files, and the builds of what npm installs.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDigests } from "./support/derived-vectors.ts";
import { codeOf, filesIn, readSource } from "./support/sources.ts";

const PLATFORMS = ["darwin-arm64", "linux-arm64", "linux-x64", "win32-x64"];
/** The folders of everything that `npm start`, the command line and the steps of the build run. */
const FOLDERS = [
  "bin/",
  "build/",
  "tools/cli/",
  "clients/client/",
  "lambdas/",
  "host/local/",
  "host/server/",
  "service/",
];

/** A program and its words, which every shell reads alike: no variables, quotes, pipes or other signs of a shell. */
const COMMAND = /^(?:node|vitest|biome|tsc)(?: [\w./:@=-]+)*$/;

/** What one platform alone has, and what to write instead. */
const FOREIGN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/["'`]\/(?:dev|bin|usr|etc|tmp|proc|var)\/\w/, "tmpdir(), or the parts of node:fs"],
  [/import\.meta\.url\)\.pathname/, "fileURLToPath(), for a path on Windows has a drive"],
  [/["'`]\.bin["'`/]/, "process.execPath with the program's own file"],
  [/shell: true|(?<![.\w])exec\(|execSync\(/, "execFile(), for shells differ"],
  [/SIG(?:HUP|QUIT|USR\d|STOP|CONT)/, "SIGINT and SIGTERM, which Node knows everywhere"],
  [/process\.kill\(-|detached: true/, "one process, for Windows has no process groups"],
  [/\bchmod|\bumask|process\.get[ug]id/, "the mode of a new file, which Windows leaves out"],
];

const foreignIn = (source: string): string[] =>
  FOREIGN.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(source) ?? [];
    return found === undefined ? [] : [`${found} (write ${instead})`];
  });

/** A file that flushes folders must not do so on Windows, which refuses it. */
const isFlushingFolders = (source: string): boolean =>
  /open(?:Sync)?\([^)]*"r"\)/.test(source) && /\.sync\(\)|fsync/.test(source);

describe("the scripts of package.json", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

  test.each(Object.entries(scripts))("%s is for every shell", (_name, script) => {
    for (const command of script.split(" && ")) expect(command).toMatch(COMMAND);
  });

  test.each([
    "A=1 node x.ts",
    "node x.ts; node y.ts",
    "rm -rf dist",
    "node 'x.ts'",
    "node $FILE",
    "node x.ts | tee y",
  ])("%j would not be", (script) => {
    expect(script).not.toMatch(COMMAND);
  });
});

describe("the sources", () => {
  test.each(FOLDERS)("of %s name no path, shell, signal or right that one platform alone has", (folder) => {
    const files = filesIn(folder);
    expect(files.length).toBeGreaterThan(0);
    const foreign = files.flatMap((file) =>
      foreignIn(codeOf(readSource(file))).map((what) => `${file}: ${what}`),
    );
    expect(foreign).toEqual([]);
  });

  test("flush folders only where the platform can", () => {
    const flushing = FOLDERS.flatMap(filesIn).filter((file) => isFlushingFolders(readSource(file)));
    expect(flushing.length).toBeGreaterThan(0);
    expect(flushing.filter((file) => !readSource(file).includes('"win32"'))).toEqual([]);
  });

  test.each([
    'const FAST = "/dev/shm";',
    'const file = new URL("./x.ts", import.meta.url).pathname;',
    'spawn("/bin/sh", ["-c", "true"]);',
    'join(root, "node_modules", ".bin", "tsc")',
    'process.on("SIGHUP", stop);',
    "process.kill(-child.pid);",
    "chmodSync(file, 0o600);",
  ])("would not pass with %j", (source) => {
    expect(foreignIn(source)).toHaveLength(1);
  });
});

describe("the repository", () => {
  const tracked = (...words: string[]): string[] =>
    execFileSync("git", ["ls-files", ...words], { encoding: "utf8" })
      .trim()
      .split("\n");

  test("has no name that Windows refuses, and no two that differ by case alone", () => {
    const names = [...tracked(), ...readDigests().keys()];
    const parts = names.flatMap((name) => name.split("/"));
    expect(
      parts.filter((part) => /[<>:"\\|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part)),
    ).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test("keeps the ends of lines in every checkout", () => {
    expect(readFileSync(".gitattributes", "utf8")).toMatch(/^\* text=auto eol=lf$/m);
  });
});

interface Locked {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe("what npm installs", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const platformsOf = ({ os = [], cpu = [] }: Locked): string[] =>
    os.flatMap((system) => cpu.map((processor) => `${system}-${processor}`));
  const buildsOf = ({ optionalDependencies = {} }: Locked): string[] =>
    Object.keys(optionalDependencies).flatMap((name) => platformsOf(packages[`node_modules/${name}`] ?? {}));
  const withBuilds = Object.entries(packages).filter(([, locked]) => buildsOf(locked).includes("linux-x64"));

  test("has programs with a build for each platform among it", () => {
    const names = withBuilds.map(([path]) => path.replace("node_modules/", ""));
    expect(names).toEqual(expect.arrayContaining(["@biomejs/biome", "esbuild", "typescript"]));
  });

  test.each(withBuilds)("%s has a build for every platform", (_path, locked) => {
    expect(PLATFORMS.filter((platform) => !buildsOf(locked).includes(platform))).toEqual([]);
  });

  test("needs nothing that one platform alone has", () => {
    const bound = Object.entries(packages).filter(([, { os, cpu }]) => os !== undefined || cpu !== undefined);
    expect(bound.filter(([, { optional }]) => optional !== true)).toEqual([]);
  });
});
