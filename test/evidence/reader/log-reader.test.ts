// A walk over the files of a log: each is read once and in order, and one that is not what the entries make it is named.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LogReader, type Walked } from "../../../evidence/reader/log-reader.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { filesOf } from "../../support/whole-tiles.ts";

const WIDTH = 256;
const SEED = Uint32Array.from({ length: 8 }, (_, i) => i * 2_654_435_761);
const entryAt = (index: number): Uint8Array =>
  Uint8Array.from(createHash("sha512").update(String(index)).digest());

/** A log of `size` entries, whose files are as `change` leaves them, and what a reader of it meets. */
function logOf(size: number, at = entryAt) {
  const mth = treeOf((index) => leafHash(at(index)));
  const files: Map<string, Uint8Array | null> = new Map(filesOf({ size, mth, entryAt: at }));
  const asked: string[] = [];
  const doubles: [earlier: number, later: number][] = [];
  const open = (walked?: Walked): LogReader =>
    new LogReader({
      read: async (path) => {
        asked.push(path);
        return files.get(path) ?? null;
      },
      end: size,
      seed: SEED,
      ...(walked && { walked }),
      onDouble: (earlier, later) => doubles.push([earlier, later]),
    });
  return { mth, files, asked, doubles, open };
}

const flipped = (bytes: Uint8Array | null | undefined): Uint8Array =>
  (bytes ?? expect.unreachable()).map((byte, i) => (i === 40 ? byte ^ 1 : byte));
const refusedFor = (path: string, what: string) => ({
  code: "proof_invalid",
  message: expect.stringContaining(`${path} ${what}`),
  evidence: { path },
});

describe("a reader of a log", () => {
  test("has the root at each size that it is asked for, and no other at one that it has passed", async () => {
    const { mth, open } = logOf(700);
    const reader = open();
    expect([reader.end, reader.size, await reader.rootAt(0)]).toEqual([700, 0, null]);
    for (const size of [1, 5, 256, 257, 600, 700]) {
      expect(await reader.rootAt(size)).toEqual(new Uint8Array(mth(0, size)));
      expect(reader.size).toBe(size);
    }
    expect(await reader.rootAt(600)).toBeNull();
    await expect(reader.rootAt(701)).rejects.toMatchObject({
      code: "proof_invalid",
      message: "the log's files end before the root",
    });
  });

  test("reads every file of the tree once, and tells of each when its entries were walked", async () => {
    const { files, asked, open } = logOf(700);
    const reader = open();
    await reader.rootAt(255);
    expect(reader.takeWalked()).toEqual([]);
    await reader.rootAt(512);
    const full = ["000", "001"].flatMap((place) => [`tile/entries/${place}`, `tile/0/${place}`]);
    expect(reader.takeWalked()).toEqual(full);
    expect(reader.takeWalked()).toEqual([]);
    await reader.rootAt(700);
    expect([...full, ...reader.takeWalked()].toSorted()).toEqual([...files.keys()].toSorted());
    expect(asked.toSorted()).toEqual([...files.keys()].toSorted());
  });

  test("tells of a label that occurs twice, with both places", async () => {
    const { doubles, open } = logOf(300, (index) => entryAt(index === 290 ? 7 : index));
    await open().rootAt(300);
    expect(doubles).toEqual([[7, 290]]);
  });

  test("goes on from the end of the last full tile that another has walked", async () => {
    const { mth, asked, doubles, open } = logOf(700, (index) => entryAt(index === 650 ? 7 : index));
    const first = open();
    expect(first.resumable.leaf).toBeNull();
    await first.rootAt(600);
    const walked = { state: first.resumable, labels: first.labelsFrom(0) };
    expect(walked.state.leaf?.leafIndex).toBe(2 * WIDTH - 1);
    expect(walked.labels).toHaveLength(2 * WIDTH * 32);
    expect(first.labelsFrom(WIDTH)).toEqual(walked.labels.subarray(WIDTH * 32));
    asked.length = 0;
    const second = open(walked);
    expect(second.size).toBe(2 * WIDTH);
    expect(second.labelsFrom(0)).toEqual(walked.labels);
    expect(await second.rootAt(700)).toEqual(new Uint8Array(mth(0, 700)));
    expect(asked.toSorted()).toEqual(["tile/0/002.p/188", "tile/1/000.p/2", "tile/entries/002.p/188"]);
    expect(doubles).toEqual([[7, 650]]);
  });

  test("stays at the last full tile where the log ends within one", async () => {
    const { open } = logOf(300);
    const reader = open();
    await reader.rootAt(300);
    expect(reader.resumable.leaf?.leafIndex).toBe(WIDTH - 1);
    expect(reader.labelsFrom(0)).toHaveLength(WIDTH * 32);
  });
});

describe("a file of the log", () => {
  test.each(["tile/entries/000", "tile/0/000", "tile/entries/001.p/44", "tile/0/001.p/44", "tile/1/000.p/1"])(
    "%s is named where it is missing",
    async (path) => {
      const { files, open } = logOf(300);
      files.set(path, null);
      await expect(open().rootAt(300)).rejects.toMatchObject(refusedFor(path, "is missing"));
    },
  );

  test.each(["tile/0/000", "tile/0/001.p/44"])("%s is named where it has another hash", async (path) => {
    const { files, open } = logOf(300);
    files.set(path, flipped(files.get(path)));
    await expect(open().rootAt(300)).rejects.toMatchObject(
      refusedFor(path, "is not what the entries make it"),
    );
  });

  test("with another entry makes other tiles and another root", async () => {
    const { files, mth, open } = logOf(300);
    files.set("tile/entries/000", flipped(files.get("tile/entries/000")));
    expect(await open().rootAt(1)).not.toEqual(new Uint8Array(mth(0, 1)));
    await expect(open().rootAt(300)).rejects.toMatchObject(
      refusedFor("tile/0/000", "is not what the entries make it"),
    );
  });

  test("is named where it is cut short", async () => {
    const { files, open } = logOf(300);
    files.set("tile/entries/000", (files.get("tile/entries/000") ?? new Uint8Array()).subarray(0, 1_000));
    await expect(open().rootAt(300)).rejects.toMatchObject(refusedFor("tile/entries/000", "can't be read"));
  });

  test("that nobody can read ends the walk with the reason as it is", async () => {
    const error = new TypeError("a mistake of ours");
    const read = () => Promise.reject(error);
    const reader = new LogReader({ read, end: 1, seed: SEED, onDouble: () => {} });
    await expect(reader.rootAt(1)).rejects.toBe(error);
  });
});
