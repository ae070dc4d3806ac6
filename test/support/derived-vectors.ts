// Vectors that a program of this tree makes from others are not tracked: only their digests are. This set-up of the tests
// makes the vectors that are missing, and refuses generators that make other bytes than the digests name.
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Vectors } from "../vectors/evidence/edit.ts";

export const VECTORS = join(import.meta.dirname, "..", "vectors");
const EVIDENCE = join(VECTORS, "evidence");
/** As `sha256sum` writes and checks it, in the folder of the evidence. */
export const DIGESTS = join(VECTORS, "derived.sha256");
const MOST_NAMES = 5;

/** SHA-256 in hex, by path in the folder of the evidence. */
export type Digests = ReadonlyMap<string, string>;

export const digestOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

export const readDigests = (list = DIGESTS): Digests =>
  new Map(
    readFileSync(list, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );

export const formatDigests = (digests: Digests): string =>
  [...digests].map(([file, digest]) => `${digest}  ${file}\n`).join("");

export const digestsOf = (vectors: Vectors): Digests =>
  new Map(
    Object.keys(vectors)
      .sort()
      .map((file) => [file, digestOf(vectors[file] ?? "")]),
  );

/** Runs the generators. They are loaded when they are needed: most runs find every vector in its place. */
export async function deriveVectors(): Promise<Vectors> {
  const [damage, bills, histories, checkpoints, sets] = await Promise.all([
    import("../vectors/evidence/damage.ts"),
    import("../vectors/evidence/make-bills.ts"),
    import("../vectors/evidence/make-histories.ts"),
    import("../vectors/evidence/make-checkpoints.ts"),
    import("../vectors/evidence/make-sets.ts"),
  ]);
  return {
    ...damage.damagedVectors(),
    ...bills.billVectors(),
    ...histories.historyVectors(),
    ...checkpoints.checkpointVectors(),
    ...sets.setVectors(),
  };
}

export async function makeDerivedVectors(folder = EVIDENCE, digests = readDigests()): Promise<void> {
  const isThere = [...digests].every(([file, digest]) => digest === digestOfFile(join(folder, file)));
  if (isThere && unlistedIn(folder, digests).length === 0) return;
  const vectors = await deriveVectors();
  refuseChanged(digestsOf(vectors), digests);
  writeVectors(vectors, folder);
}

/** The files whose digests differ, or that only one side has. */
export const differencesOf = (made: Digests, kept: Digests): string[] =>
  [...new Set([...made.keys(), ...kept.keys()])].filter((file) => made.get(file) !== kept.get(file));

function refuseChanged(made: Digests, kept: Digests): void {
  const changed = differencesOf(made, kept);
  if (changed.length === 0) return;
  const more = changed.length > MOST_NAMES ? ` and ${changed.length - MOST_NAMES} more` : "";
  throw new Error(
    `The generators of test/vectors/evidence make other bytes than test/vectors/derived.sha256 names: ` +
      `${changed.slice(0, MOST_NAMES).join(", ")}${more}. Correct the generators, or what they import from core, ` +
      "or, if the change is intended, run `npm run vectors` and commit the digests.",
  );
}

/**
 * Each file takes its place in one step, so that several runs may start at once: whatever a run reads is whole, and all
 * of them write the same bytes.
 */
export function writeVectors(vectors: Vectors, folder = EVIDENCE): void {
  const staged = mkdtempSync(join(folder, ".made-"));
  try {
    for (const [file, content] of Object.entries(vectors)) {
      const target = join(folder, file);
      if (digestOfFile(target) === digestOf(content)) continue;
      const temporary = join(staged, "file");
      writeFileSync(temporary, content);
      mkdirSync(dirname(target), { recursive: true });
      renameSync(temporary, target);
    }
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  for (const file of unlistedIn(folder, digestsOf(vectors))) rmSync(join(folder, file), { force: true });
}

function digestOfFile(path: string): string | null {
  try {
    return digestOf(readFileSync(path));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Files that lie in the folders of derived vectors and are none of them. */
function unlistedIn(folder: string, digests: Digests): string[] {
  const names = [...digests.keys()].filter((file) => file.includes("/")).map((file) => file.split("/", 1));
  return [...new Set(names.flat())]
    .flatMap((name) => filesIn(join(folder, name)))
    .map((file) => relative(folder, file).replaceAll("\\", "/"))
    .filter((file) => !digests.has(file));
}

/** Every file below a folder; none where there is no folder. */
export function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** What vitest calls before the tests of a project. */
export default (): Promise<void> => makeDerivedVectors();

if (import.meta.main) await makeDerivedVectors();
