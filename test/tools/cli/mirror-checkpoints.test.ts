// The mirror of a log that signs its roots: its signatures are copied, verified and never let go, and a fork is proved.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forkFileName } from "../../../evidence/core/log/fork.ts";
import { logSigner, signedCheckpoint } from "../../support/note-signers.ts";
import { newFolder, receipts } from "./command-line.ts";
import { entryOf, type PublishedLog, publishedLog, writeLog } from "./published-log.ts";
import { LOG, signedLog, treeAt } from "./signed-log.ts";

const SIZES = [1, 300, 600];
const KEY = ["--log-key", LOG.vkey];
const another = (index: number): Buffer => entryOf(index === 7 ? 7_000 : index);

const folderOf = (log: PublishedLog): string => writeLog(newFolder(), log);
const mirror = (from: string, to: string, ...args: string[]) => receipts("mirror", from, to, ...KEY, ...args);
const held = (folder: string, path: string): string =>
  readFileSync(join(folder, "v1/metachain", path), "utf8");
const has = (folder: string, path: string): boolean => existsSync(join(folder, "v1/metachain", path));

describe.concurrent("a mirror of a log that signs its roots", () => {
  test("gets every signature and the newest checkpoint, and is audited as the log itself", async () => {
    const [log, to] = [signedLog(SIZES), newFolder()];
    const { status, stdout } = await mirror(folderOf(log), to);
    expect([status, stdout]).toEqual([0, expect.stringContaining("3 roots are signed, from root 0 on")]);
    for (const path of log.keys())
      if (/^(checkpoint|signed-roots)/.test(path)) expect(held(to, path)).toBe(String(log.get(path)));
    const audited = await receipts("audit", to, ...KEY, "--json");
    expect([audited.status, JSON.parse(audited.stdout).checkpoints]).toEqual([
      0,
      expect.objectContaining({ signed: 3 }),
    ]);
  });

  test("takes what came after its last run, and its newest checkpoint never goes back", async () => {
    const to = newFolder();
    await mirror(folderOf(signedLog([1, 300])), to);
    const later = folderOf(signedLog(SIZES));
    expect((await mirror(later, to, "--new")).status).toBe(0);
    expect(held(to, "checkpoint")).toBe(held(later, "checkpoint"));
    const newest = held(to, "checkpoint");
    writeFileSync(join(later, "v1/metachain/checkpoint"), signedCheckpoint(LOG, treeAt(300)));
    expect((await mirror(later, to)).status).toBe(0);
    expect(held(to, "checkpoint")).toBe(newest);
  });

  test("has no newest checkpoint before it has the files of its tree", async () => {
    const [from, to] = [folderOf(publishedLog(SIZES, entryOf, [1, 300])), newFolder()];
    writeFileSync(join(from, "v1/metachain/checkpoint"), signedCheckpoint(LOG, treeAt(600)));
    expect((await mirror(from, to)).status).toBe(0);
    expect(has(to, "checkpoint")).toBe(false);
  });

  test.each<[string, (from: string) => void, string]>([
    [
      "a checkpoint is another than before",
      (from) =>
        writeLog(
          from,
          new Map([
            [
              "checkpoints/1",
              signedCheckpoint(LOG, treeAt(300), [], "2026-11-23T00:00:00Z").replace("\n\n", "\nmore\n\n"),
            ],
          ]),
        ),
      "differs from the one that is published",
    ],
    [
      "a checkpoint is gone",
      (from) => rmSync(join(from, "v1/metachain/checkpoints/1")),
      "no longer published",
    ],
    [
      "a COSE signature is gone",
      (from) => rmSync(join(from, "v1/metachain/signed-roots/1")),
      "no longer published",
    ],
    [
      "the log shows no newest checkpoint any more",
      (from) => rmSync(join(from, "v1/metachain/checkpoint")),
      "no longer published",
    ],
  ])("gives an alarm where %s", async (_, change, expected) => {
    const [from, to] = [folderOf(signedLog(SIZES)), newFolder()];
    expect((await mirror(from, to)).status).toBe(0);
    change(from);
    const { status, stderr } = await mirror(from, to);
    expect([status, stderr]).toEqual([1, expect.stringContaining("ALARM")]);
    expect(stderr).toContain(expected);
  });

  test("gives an alarm where a checkpoint is not of its root, and copies nothing behind it", async () => {
    const [from, to] = [
      folderOf(signedLog(SIZES).set("checkpoints/1", signedCheckpoint(LOG, treeAt(299)))),
      newFolder(),
    ];
    const { status, stderr } = await mirror(from, to);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("root 1: the checkpoint is of a tree of 299 entries"),
    ]);
    expect([has(to, "checkpoints/0"), has(to, "checkpoints/1"), has(to, "roots/1")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("keeps the proof of a fork, which verify confirms", async () => {
    const log = signedLog(SIZES).set("checkpoint", signedCheckpoint(LOG, treeAt(600, another)));
    const to = newFolder();
    const { status, stderr } = await mirror(folderOf(log), to);
    expect([status, stderr]).toEqual([1, expect.stringContaining("FORK: ")]);
    const file = join(to, forkFileName(LOG.name));
    expect((await receipts("verify", file, ...KEY)).status).toBe(1);
    expect(has(to, "index.json")).toBe(false);
  });

  test("trusts the key that the log names first, and no other later", async () => {
    const [from, to] = [folderOf(signedLog(SIZES)), newFolder()];
    const first = await receipts("mirror", from, to);
    expect([first.status, first.stdout]).toEqual([
      0,
      expect.stringContaining("by the key that the log itself names"),
    ]);
    const renamed = folderOf(signedLog(SIZES, { log: logSigner(LOG.name, "new") }));
    const { status, stderr } = await receipts("mirror", renamed, to);
    expect([status, stderr]).toEqual([1, expect.stringContaining("the log named the key")]);
  });

  test("of a log that signs nothing has no signatures", async () => {
    const to = newFolder();
    const from = folderOf(publishedLog(SIZES));
    expect((await receipts("mirror", from, to)).stdout).not.toContain("checkpoints");
    const { status, stdout } = await mirror(from, to);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("none: the log has not signed these roots"),
    ]);
    expect(readdirSync(join(to, "v1/metachain")).sort()).toEqual(["index.json", "roots", "tile"]);
  });
});
