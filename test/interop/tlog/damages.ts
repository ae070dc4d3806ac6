// Damages to a copy of a log's files, each of which a judge must refuse.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { edgeTiles, entriesPath, tilePath } from "../../../evidence/core/log/tiles.ts";

export type Damage = (copy: string, size: number) => void;
const onFile =
  (pathAt: (size: number) => string, change: (bytes: Buffer) => Uint8Array): Damage =>
  (copy, size) => {
    const file = join(copy, pathAt(size));
    writeFileSync(file, change(readFileSync(file)));
  };
const flip = (at: number) => (bytes: Buffer) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
const cut = (bytes: Buffer) => bytes.subarray(0, -1);
const always = (path: string) => () => path;
/** The last tile of a level, and the last bundle. */
const edge = (level: number) => (size: number) => tilePath(edgeTileAt(size, level));
const lastBundle = (size: number) => entriesPath(edgeTileAt(size, 0));
function edgeTileAt(size: number, level: number) {
  const tile = edgeTiles(size)[level];
  if (tile === undefined) throw new Error(`the log has no level ${level}`);
  return tile;
}
const checkpoint = (change: (note: string) => string): Damage =>
  onFile(always("checkpoint"), (bytes) => Buffer.from(change(bytes.toString())));

export const DAMAGES: readonly (readonly [string, Damage])[] = [
  ["an entry with a bit changed", onFile(always("tile/entries/000"), flip(5))],
  ["the last entry with a bit changed", onFile(lastBundle, (bytes) => flip(bytes.length - 1)(bytes))],
  ["an entry with another length", onFile(always("tile/entries/001"), flip(1))],
  ["a bundle that ends early", onFile(lastBundle, cut)],
  ["a leaf hash with a bit changed", onFile(always("tile/0/000"), flip(0))],
  ["the last leaf hash with a bit changed", onFile(edge(0), flip(0))],
  ["a hash of level 1 with a bit changed", onFile(edge(1), flip(40))],
  ["a tile that ends early", onFile(edge(1), cut)],
  ["a tile that is missing", (copy, size) => rmSync(join(copy, edge(0)(size)))],
  ["a bundle that is missing", (copy) => rmSync(join(copy, "tile/entries/000"))],
  [
    "a checkpoint of another size",
    checkpoint((note) => note.replace(/^\d+$/m, (size) => String(Number(size) - 1))),
  ],
  [
    "a checkpoint of another root",
    checkpoint((note) => note.replace(/^[A-Za-z0-9+/]{43}=$/m, `${"A".repeat(43)}=`)),
  ],
  ["a checkpoint of another origin", checkpoint((note) => `other.${note}`)],
  ["a checkpoint without the log's signature", checkpoint((note) => note.replace(/\n\n\u2014 .*\n/, "\n\n"))],
];
