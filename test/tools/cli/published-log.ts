// A metachain of any entries under seals of any sizes, none of them stamped, as it is published: every path below
// `v1/metachain` with its content.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SealedTree } from "../../support/renewals.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { filesOf } from "../../support/whole-tiles.ts";

export type PublishedLog = Map<string, string | Buffer>;

/** 64 bytes that are different for each index. */
export const entryOf = (index: number): Buffer => createHash("sha512").update(String(index)).digest();

/** `withFiles` are the sizes whose bundles and tiles are published; those of all seals unless it is given. */
export function publishedLog(
  sizes: readonly number[],
  entryAt: (index: number) => Uint8Array = entryOf,
  withFiles = sizes,
): PublishedLog {
  const mth = treeOf((index) => leafHash(entryAt(index)));
  const tree = new SealedTree(mth);
  const seals = sizes.map((size) => tree.seal(size, "2026-11-21", () => []));
  const head = {
    size: sizes.length,
    latest: seals.at(-1) ?? null,
    roots: "/v1/metachain/roots/{index}",
    log: null,
  };
  return new Map<string, string | Buffer>([
    ["index.json", JSON.stringify(head)],
    ...seals.map((seal, index) => [`roots/${index}`, JSON.stringify(seal)] as const),
    ...withFiles.flatMap((size) => [...filesOf({ size, mth, entryAt })]),
  ]);
}

/** Writes it into a folder as a mirror has it, over what is there. */
export function writeLog(folder: string, log: PublishedLog): string {
  for (const [path, content] of log) {
    const file = join(folder, "v1/metachain", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}
