// The package as users get it: its own tests, its types, and the wheel installed where nothing else is.
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { evidenceFile } from "../../agreement/rows.ts";
import { newFolder } from "../../support/local-stack.ts";
import { notice } from "../../support/notice.ts";
import { hasPython, PACKAGE, PYTHON, run, whyWithoutTools } from "./python.ts";

const CACHES = /(?:__pycache__|\.egg-info|\.mypy_cache|\/build|\/dist)$/;
const testFiles = readdirSync(join(PACKAGE, "tests")).filter((file) => /^test_.*\.py$/.test(file));
const reason = await whyWithoutTools();
if (reason !== null) notice(`The Python package is not built and typed: ${reason}.`);

describe.skipIf(!hasPython)("the tests in Python", () => {
  test.concurrent.each(testFiles)("%s", async (file) => {
    await run("python3", [
      "-W",
      "error::ResourceWarning",
      "-m",
      "unittest",
      `tests.${file.replace(".py", "")}`,
    ]);
  });

  test("are found", () => {
    expect(testFiles.length).toBeGreaterThan(4);
  });
});

describe.skipIf(reason !== null)("the package", () => {
  test("holds up to the strictest types, its tests too", async () => {
    expect(await run(PYTHON, ["-m", "mypy", "--cache-dir", newFolder(), "src", "tests"])).toMatch(/^Success/);
  });

  test("is built, is fit for the registry, and works where nothing else is installed", async () => {
    const [copy, built] = [join(newFolder(), "python"), newFolder()];
    cpSync(PACKAGE, copy, { recursive: true, filter: (file) => !CACHES.test(file) });
    await run(PYTHON, ["-m", "build", "--no-isolation", "--outdir", built, copy], { environment: {} });
    const files = readdirSync(built).sort();
    const { version } = JSON.parse(readFileSync(join(PACKAGE, "../../package.json"), "utf8"));
    const wheel = `disclosure_receipts-${version}-py3-none-any.whl`;
    expect(files).toEqual([wheel, `disclosure_receipts-${version}.tar.gz`]);
    const paths = files.map((file) => join(built, file));
    await run(PYTHON, ["-m", "twine", "check", "--strict", ...paths], { environment: {} });
    const names = (await run("python3", ["-m", "zipfile", "--list", join(built, wheel)])).split("\n");
    const has = (name: string) => names.some((line) => line.startsWith(name));
    const data = ["py.typed", "fields.json", "wordings.json"];
    expect(data.filter((name) => !has(`disclosure_receipts/${name}`))).toEqual([]);
    expect([has("tests"), names.some((line) => line.includes("licenses/LICENSE"))]).toEqual([false, true]);
    await useIn(newFolder(), join(built, wheel), version);
  });
});

/** An environment of its own, which holds the wheel alone and can ask no registry. */
async function useIn(folder: string, wheel: string, version: string): Promise<void> {
  const nothing = { cwd: folder, environment: {} };
  const environment = join(folder, "environment");
  await run("python3", ["-m", "venv", environment], nothing);
  const programs = join(environment, "bin");
  const python = join(programs, "python");
  await run(python, ["-m", "pip", "install", "--quiet", "--no-index", wheel], nothing);
  const module = (...args: string[]) => run(python, ["-m", "disclosure_receipts", ...args], nothing);
  const program = (...args: string[]) => run(join(programs, "disclosure-receipts"), args, nothing);
  expect(await module("--help")).toContain("verify");
  expect(await program("--version")).toBe(`${version}\n`);
  expect(await program("hash", "wording", "Büro")).toBe(await module("hash", "wording", "Büro"));
  expect(await module("verify", evidenceFile("receipts/hand-off.json"))).toContain("holds as far as");
  const found =
    "import disclosure_receipts as d; print(len(d.wordings_of('DE')) > 10, d.Client, d.DurableQueue)";
  expect(await run(python, ["-c", found], nothing)).toMatch(/^True/);
}
