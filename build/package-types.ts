// The package's declarations, from tsc. Types that are inferred from a schema are written out, so that nobody who uses
// the package needs zod's own types.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ENTRIES } from "./package-code.ts";

const root = join(import.meta.dirname, "..");
const INFERRED = /^export type (\w+) = z\.(?:infer|input|output)<typeof \w+>;$/gm;
const STATEMENT = /^(?=\/\*\*|(?:export|declare|import|type|interface)\b)/m;
/** A schema, or an object of schemas. */
const SCHEMA = /^(?:export )?declare const \w+:[\s\S]*\bz\.|^import .* from "zod"/;
const RELATIVE = /(["'])(\.{1,2}\/[^"']+)\.ts(?=["'])/g;
const WRITTEN = /^export declare const (\w+): ([\s\S]*);\s*$/;
/** The intersection makes tsc write every member out, where it would name the type. */
const WRITE_OUT = `type WrittenOut<T> = T extends string | number | boolean | null | undefined
  ? T
  : { [K in keyof T]: WrittenOut<T[K]> } & {};
declare const writeOut: <T>() => WrittenOut<T>;`;

/** Builds `types` in `outdir`, and `types-cjs` for who imports as CommonJS. Needs no other folder of the package. */
export function packageTypes(outdir: string): void {
  const types = join(outdir, "types");
  const work = join(outdir, "types-work");
  for (const folder of [types, `${types}-cjs`, work]) rmSync(folder, { recursive: true, force: true });
  const sources = Object.values(ENTRIES);
  const emitted = join(work, "emitted");
  compile(
    work,
    emitted,
    sources.map((source) => join(root, source)),
  );
  publish(emitted, types, work, reach(emitted, sources.map(declarationOf)));
  rmSync(work, { recursive: true });
  cpSync(types, `${types}-cjs`, { recursive: true });
  writeFileSync(join(`${types}-cjs`, "package.json"), '{ "type": "commonjs" }\n');
}

const declarationOf = (source: string): string => source.replace(/\.ts$/, ".d.ts");

function compile(work: string, outDir: string, files: readonly string[]): void {
  mkdirSync(work, { recursive: true });
  const project = join(work, "tsconfig.json");
  const compilerOptions = { outDir, rootDir: root };
  const settings = { extends: join(root, "tsconfig.package.json"), compilerOptions, files };
  writeFileSync(project, JSON.stringify(settings));
  // By Node itself: what npm links under .bin is a program on one platform and a script of the shell on another.
  execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", project], {
    stdio: "inherit",
  });
}

/** The declarations that these lead to, themselves among them, without schemas; inferred types are as they were. */
function reach(
  folder: string,
  files: readonly string[],
  found = new Map<string, string>(),
): Map<string, string> {
  for (const file of files) {
    if (found.has(file)) continue;
    const text = dropSchemas(readFileSync(join(folder, file), "utf8"));
    found.set(file, text);
    const imports = [...text.matchAll(RELATIVE)].map(([, , path]) => `${path}.d.ts`);
    reach(
      folder,
      imports.map((path) => normalize(join(dirname(file), path))),
      found,
    );
  }
  return found;
}

function publish(emitted: string, types: string, work: string, files: ReadonlyMap<string, string>): void {
  const writtenOut = writeOut(work, files);
  for (const [file, text] of files) {
    const plain = text.replaceAll(
      INFERRED,
      (_, name) =>
        `export type ${name} = ${writtenOut.get(idOf(file, name)) ?? fail(`tsc did not write out ${name}`)};`,
    );
    if (/\bz\.|["']zod["']/.test(plain)) fail(`${join(emitted, file)} still needs the types of zod`);
    mkdirSync(dirname(join(types, file)), { recursive: true });
    writeFileSync(join(types, file), plain.replaceAll(RELATIVE, "$1$2.js"));
  }
}

const idOf = (file: string, name: string): string => `${file}_${name}`.replaceAll(/\W/g, "_");

/** Asks tsc by way of a constant of each inferred type. */
function writeOut(work: string, files: ReadonlyMap<string, string>): Map<string, string> {
  const lines = [...files].flatMap(([file, text]) => {
    const source = JSON.stringify(join(root, file.replace(/\.d\.ts$/, ".js")));
    const names = [...text.matchAll(INFERRED)].map(([, name]) => String(name));
    return names.flatMap((name) => {
      const id = idOf(file, name);
      const type = `import type { ${name} as ${id}_type } from ${source};`;
      return [type, `export const ${id} = writeOut<${id}_type>();`];
    });
  });
  const probe = join(work, "probe.ts");
  writeFileSync(probe, ["export {};", WRITE_OUT, ...lines].join("\n"));
  compile(work, join(work, "probed"), [probe]);
  const [declarations = ""] = globSync(join(work, "probed", "**", "probe.d.ts"));
  const text = readFileSync(declarations, "utf8");
  const written = text.split(STATEMENT).map((statement) => WRITTEN.exec(statement) ?? []);
  return new Map(written.map(([, id = "", type = ""]) => [id, type]));
}

function fail(message: string): never {
  throw new Error(message);
}

/** tsc puts each statement at the beginning of a line, and its comment before it. */
const dropSchemas = (text: string): string => {
  const statements = text.split(STATEMENT);
  return statements
    .filter((statement, i) => {
      const subject =
        statement.startsWith("/**") && /\*\/\s*$/.test(statement) ? (statements[i + 1] ?? "") : statement;
      return !SCHEMA.test(subject);
    })
    .join("");
};
