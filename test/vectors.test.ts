// The vectors that are not tracked: what their generators make, how the set-up lays it down, and the archive of all vectors.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  deriveVectors,
  differencesOf,
  digestOf,
  digestsOf,
  filesIn,
  makeDerivedVectors,
  readDigests,
  VECTORS,
} from "./support/derived-vectors.ts";
import { newFolder } from "./support/local-stack.ts";
import type { SetRow } from "./vectors/evidence/set-rows.ts";
import { packVectors } from "./vectors/pack.ts";

const DAMAGED = "damaged/receipt-core-verdict.json";
const digests = readDigests();

/** A folder with every derived vector in its place. */
async function madeFolder(): Promise<string> {
  const folder = newFolder();
  await makeDerivedVectors(folder);
  return folder;
}

const digestsIn = (folder: string) =>
  new Map(
    filesIn(folder).map((path) => [
      path.slice(folder.length + 1).replaceAll("\\", "/"),
      digestOf(readFileSync(path)),
    ]),
  );

/** The files that a set is made of. A history is a folder, of which the index stands for all. */
const pathsOf = ({ files, options, published }: SetRow): string[] =>
  [
    ...files.map(({ file }) => file),
    ...[options.seals, options.requests, options.layers, options.certificates].flat(),
    options.policy,
    options.history && `${options.history}/history.json`,
    ...Object.values(published ?? {}),
  ].filter((file) => file !== null);

test("the generators make what the digests name", async () => {
  expect(differencesOf(digestsOf(await deriveVectors()), digests)).toEqual([]);
});

describe("the set-up", () => {
  test("makes every vector, also when several runs start at once", async () => {
    const folder = newFolder();
    await Promise.all([1, 2, 3].map(() => makeDerivedVectors(folder)));
    expect(differencesOf(digestsIn(folder), digests)).toEqual([]);
  });

  test.each<[string, (folder: string) => void]>([
    ["is missing", (folder) => rmSync(join(folder, DAMAGED))],
    ["was changed", (folder) => writeFileSync(join(folder, DAMAGED), "{}")],
    ["is no longer made", (folder) => cpSync(join(folder, DAMAGED), join(folder, "damaged/old.json"))],
    ["has a folder of its own that is gone", (folder) => rmSync(join(folder, "bills"), { recursive: true })],
  ])("puts right a vector that %s", async (_what, damage) => {
    const folder = await madeFolder();
    damage(folder);
    expect(differencesOf(digestsIn(folder), digests)).not.toEqual([]);
    await makeDerivedVectors(folder);
    expect(differencesOf(digestsIn(folder), digests)).toEqual([]);
  });

  test.each<[string, Iterable<readonly [string, string]>]>([
    ["makes other bytes", [...digests, [DAMAGED, digestOf("{}")]]],
    ["makes one vector less", [...digests, ["damaged/more.json", digestOf("{}")]]],
    ["makes one vector more", [...digests].filter(([file]) => file !== DAMAGED)],
  ])("refuses a generator that %s, and writes nothing", async (_what, kept) => {
    const folder = newFolder();
    await expect(makeDerivedVectors(folder, new Map(kept))).rejects.toThrow("npm run vectors");
    expect(filesIn(folder)).toEqual([]);
  });
});

describe("the archive", () => {
  test("has the same bytes each time", async () => {
    const [one, other] = [await packVectors(), await packVectors()];
    expect(digestOf(one.bytes)).toBe(digestOf(other.bytes));
  });

  test("unpacks to the files that its sums name, every row's file among them", async () => {
    const { name, bytes } = await packVectors();
    const folder = newFolder();
    writeFileSync(join(folder, "vectors.tar.gz"), bytes);
    execFileSync("tar", ["-xzf", "vectors.tar.gz"], { cwd: folder });
    const unpacked = digestsIn(join(folder, name));
    const sums = readDigests(join(folder, name, "SHA256SUMS"));
    unpacked.delete("SHA256SUMS");
    expect(differencesOf(unpacked, sums)).toEqual([]);
    for (const [file, digest] of digests) expect(unpacked.get(`evidence/${file}`)).toBe(digest);
    for (const index of ["evidence", "timestamps"]) {
      const rows = JSON.parse(readFileSync(join(VECTORS, index, "index.json"), "utf8")) as { file: string }[];
      expect(rows.filter(({ file }) => !unpacked.has(`${index}/${file}`))).toEqual([]);
    }
    const sets = JSON.parse(readFileSync(join(VECTORS, "evidence/sets.json"), "utf8")) as SetRow[];
    expect(sets.flatMap(pathsOf).filter((file) => !unpacked.has(`evidence/${file}`))).toEqual([]);
    expect([...unpacked.keys()].filter((file) => /\.(?:ts|sh)$/.test(file))).toEqual([]);
    expect(unpacked.has("README.md")).toBe(true);
  });
});
