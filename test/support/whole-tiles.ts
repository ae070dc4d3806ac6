// The oracle's view of the log's files: what C2SP tlog-tiles says of a tree, from the definition, against what is
// published.
import assert from "node:assert/strict";
import type { Mth } from "./rfc9162.ts";

const WIDTH = 256;

export interface LogContent {
  readonly size: number;
  readonly mth: Mth;
  readonly entryAt: (index: number) => Uint8Array;
}

/** Every file of the tree of this size, by its path below the log's prefix. */
export function filesOf({ size, mth, entryAt }: LogContent): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let level = 0, count = size, under = 1; count > 0; level++, under *= WIDTH) {
    for (let start = 0; start < count; start += WIDTH) {
      const width = Math.min(WIDTH, count - start);
      const place = placeOf(start / WIDTH, width);
      const hashes = range(width, (i) => mth((start + i) * under, (start + i + 1) * under));
      files.set(`tile/${level}/${place}`, Buffer.concat(hashes));
      if (level > 0) continue;
      const entries = range(width, (i) => entryAt(start + i));
      files.set(`tile/entries/${place}`, Buffer.concat(entries.flatMap((entry) => [lengthOf(entry), entry])));
    }
    count = Math.floor(count / WIDTH);
  }
  return files;
}

/** Every file is published, with these bytes. */
export async function checkTiles(
  content: LogContent,
  readBytes: (key: string) => Promise<Uint8Array | null>,
): Promise<void> {
  for (const [path, expected] of filesOf(content)) {
    const found = await readBytes(`v1/metachain/${path}`);
    assert(found !== null, `${path} is not published`);
    assert(expected.equals(found), `bytes of ${path}`);
  }
}

function placeOf(index: number, width: number): string {
  const groups = [];
  for (let rest = index, isLast = true; isLast || rest > 0; rest = Math.floor(rest / 1_000), isLast = false) {
    groups.unshift(`${isLast ? "" : "x"}${String(rest % 1_000).padStart(3, "0")}`);
  }
  return groups.join("/") + (width === WIDTH ? "" : `.p/${width}`);
}

const lengthOf = (entry: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(entry.length);
  return bytes;
};

const range = <T>(count: number, at: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => at(i));
