import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import {
  ANCHORS,
  headOf,
  logFilesUnder,
  newFolder,
  program,
  REPORT,
  readJson,
  receipts,
  SEALS,
  start,
  vector,
} from "./command-line.ts";
import { type MetachainServer, replace, serveMetachain, slowly } from "./metachain-server.ts";

const WITH_ANCHORS = ["--tsa-ca", ANCHORS];
const HEAD = "v1/metachain/index.json";
const ROOTS = "v1/metachain/roots";
const rootFile = (folder: string, index: number): string => join(folder, ROOTS, String(index));
const sealText = (index: number): string => readFileSync(vector(`seals/${index}.json`), "utf8");

/** Every file of a folder with its content. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );

/** A mirror that was made in runs when so many roots were published. */
const wholeMirror = (...runs: readonly number[]): Record<string, string> => {
  const size = runs.at(-1) ?? SEALS;
  return mirrorOf(size, runs.length === 0 ? [SEALS] : runs);
};

const mirrorOf = (size: number, runs: readonly number[]): Record<string, string> => ({
  [HEAD]: headOf(size),
  ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`${ROOTS}/${index}`, sealText(index)])),
  ...Object.fromEntries(
    runs.flatMap((run) =>
      [...logFilesUnder(run)].map(([path, bytes]) => [`v1/metachain/${path}`, bytes.toString()]),
    ),
  ),
});

const mirror = (server: MetachainServer, folder: string, ...more: string[]) =>
  receipts("mirror", server.url, folder, ...WITH_ANCHORS, ...more);

const changedSeal = (index: number, change: object): string =>
  JSON.stringify({ ...readJson<object>(vector(`seals/${index}.json`)), ...change });

describe.concurrent("mirror", () => {
  test("copies every root and the head byte for byte, and nothing else", async () => {
    const [server, folder] = [await serveMetachain(), newFolder()];
    const { status, stdout, stderr } = await program("mirror", server.url, folder, ...WITH_ANCHORS);
    expect([status, stdout, stderr]).toEqual([0, `${folder}: 4 roots, 4 of them new; 7 entries\n`, ""]);
    expect(contentOf(folder)).toEqual(wholeMirror());
  });

  test("makes a folder that verify and audit read", async () => {
    const [server, folder] = [await serveMetachain(), join(newFolder(), "new/folder")];
    await mirror(server, folder);
    expect((await receipts("audit", folder, ...WITH_ANCHORS)).stdout).toContain("the metachain holds");
    const verified = await receipts("verify", REPORT, "--metachain", folder, ...WITH_ANCHORS);
    expect(verified.stdout).toMatch(/hand-off\.json \(report\): This receipt holds\.$/m);
  });

  test("copies a metachain without a root, and what came later", async () => {
    const [server, folder] = [await serveMetachain(), newFolder()];
    const runs: number[] = [];
    for (const size of [0, 2, 4]) {
      server.size = size;
      runs.push(size);
      expect((await mirror(server, folder)).status).toBe(0);
      expect(contentOf(folder)).toEqual(wholeMirror(...runs));
    }
  });

  test("says that no token was checked without certificates", async () => {
    const { status, stderr } = await receipts("mirror", (await serveMetachain()).url, newFolder());
    const note = "the tokens of 4 roots lead to none of the certificates used; see --tsa-ca\n";
    expect([status, stderr]).toEqual([0, note]);
  });

  test("copies with status 3 where a token is of another authority than the certificates given", async () => {
    const [server, folder] = [await serveMetachain(), newFolder()];
    const other = vector("authorities/other.pem");
    const { status, stderr } = await receipts("mirror", server.url, folder, "--tsa-ca", other);
    expect([status, existsSync(rootFile(folder, 0))]).toEqual([3, true]);
    expect(stderr).toContain("lead to none of the certificates used");
  });

  test("asks with --new for the last root that it has, and for what is new", async () => {
    const [server, folder] = [await serveMetachain(), newFolder()];
    server.size = 3;
    await mirror(server, folder);
    server.size = 4;
    server.asked.length = 0;
    expect((await mirror(server, folder, "--new")).stdout).toContain("4 roots, 1 of them new");
    expect(server.asked.toSorted()).toEqual([
      "/v1/metachain",
      "/v1/metachain/checkpoint",
      "/v1/metachain/roots/2",
      "/v1/metachain/roots/3",
      "/v1/metachain/tile/0/000.p/7",
      "/v1/metachain/tile/0/000.p/7",
      "/v1/metachain/tile/entries/000.p/7",
      "/v1/metachain/timestamps/2/0",
      "/v1/metachain/timestamps/3/0",
      "/v1/policy",
      "/v1/policy/index.json",
    ]);
    expect(contentOf(folder)).toEqual(wholeMirror(3, 4));
  });

  test("clears away what a killed run staged, once it is old", async () => {
    const [server, folder] = [await serveMetachain(), newFolder()];
    await mirror(server, folder);
    server.trick = replace(/roots\/0$/, "", 403);
    await mirror(server, folder);
    mkdirSync(join(folder, ".incoming"), { recursive: true });
    const [young, old] = ["young", "old"].map((name) => join(folder, ".incoming", name));
    for (const file of [young, old]) writeFileSync(file ?? "", "half a ro");
    utimesSync(old ?? "", 0, 0);
    await mirror(server, folder);
    expect(readdirSync(join(folder, ".incoming"))).toEqual(["young"]);
  });
});

describe.concurrent("mirror raises an alarm, with status 1, and overwrites nothing", () => {
  test.each([false, true])(
    "where a root in the folder is another than the published one (--new %s)",
    async (isNew) => {
      const [server, folder] = [await serveMetachain(), newFolder()];
      await mirror(server, folder);
      const index = isNew ? SEALS - 1 : 1;
      writeFileSync(rootFile(folder, index), changedSeal(index, { receipt_count: 99 }));
      const before = contentOf(folder);
      const { status, stderr } = await mirror(server, folder, ...(isNew ? ["--new"] : []));
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining(
          `ALARM: v1/metachain/roots/${index} in the folder differs from the one that is published`,
        ),
      ]);
      expect(contentOf(folder)).toEqual(before);
    },
  );

  test("where the log became shorter", async () => {
    const [server, folder] = [await serveMetachain(), newFolder()];
    await mirror(server, folder);
    server.size = 2;
    const { status, stderr } = await mirror(server, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("only 2 roots are published now")]);
    expect(contentOf(folder)).toEqual(wholeMirror());
  });

  test("where a root does not extend the one before: it and the head are not copied", async () => {
    const [server, folder] = [await serveMetachain(), newFolder()];
    server.trick = replace(/roots\/2$/, changedSeal(2, { merkle_root: `0x${"5".repeat(64)}` }));
    const { status, stderr } = await mirror(server, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("root 2 does not hold: consistency")]);
    expect(existsSync(rootFile(folder, 1))).toBe(true);
    expect([rootFile(folder, 2), join(folder, HEAD)].map((file) => existsSync(file))).toEqual([false, false]);
  });

  test("where a token is over another root", async () => {
    const [first, second] = [0, 1].map((index) => readJson<Seal>(vector(`seals/${index}.json`)));
    const forged = JSON.stringify({ ...first, tsa_timestamp: second?.tsa_timestamp });
    const [server, folder] = [await serveMetachain(replace(/roots\/0$/, forged)), newFolder()];
    const { status, stderr } = await mirror(server, folder);
    expect([status, existsSync(rootFile(folder, 0))]).toEqual([1, false]);
    expect(stderr).toContain("root 0 does not hold: timestamp");
  });

  test("where a root is missing", async () => {
    const [server, folder] = [await serveMetachain(replace(/roots\/1$/, "", 404)), newFolder()];
    const { status, stderr } = await mirror(server, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("root 1 is missing")]);
  });

  test("where the head is not the last root", async () => {
    const head = JSON.stringify({ ...(JSON.parse(headOf(4)) as object), latest: JSON.parse(sealText(2)) });
    const [server, folder] = [await serveMetachain(replace(/metachain$/, head)), newFolder()];
    const { status, stderr } = await mirror(server, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("the head is not the last root")]);
    expect(existsSync(join(folder, HEAD))).toBe(false);
  });
});

describe("mirror survives", () => {
  test("being killed at any time: what is there is good, and the next run completes it", async () => {
    const [server, folder] = [await serveMetachain(), newFolder()];
    for (let stopAt = 0; stopAt < SEALS; stopAt++) {
      server.asked.length = 0;
      server.trick = (path) => path.endsWith(`/${stopAt}`) && unanswered();
      const killed = start(["mirror", server.url, folder, ...WITH_ANCHORS]);
      while (!server.asked.some((path) => path.endsWith(`/${SEALS - 1}`))) await delay(5);
      while (stopAt > 0 && !existsSync(rootFile(folder, stopAt - 1))) await delay(5);
      killed.kill();
      expect((await killed.ended).status).toBeNull();
      const { [HEAD]: head, ...left } = contentOf(join(folder, "v1"));
      expect([head, left]).toEqual([undefined, rootsBelow(stopAt)]);
    }
    server.trick = slowly(0);
    expect(await mirror(server, folder)).toMatchObject({
      status: 0,
      stdout: `${folder}: 4 roots, 1 of them new; 7 entries\n`,
    });
    rmSync(join(folder, ".incoming"), { recursive: true, force: true });
    expect(contentOf(folder)).toEqual(wholeMirror());
  });

  test("a second run beside it", async () => {
    const [server, folder] = [await serveMetachain(slowly(5)), newFolder()];
    const both = await Promise.all([mirror(server, folder), mirror(server, folder)]);
    expect(both.map(({ status }) => status)).toEqual([0, 0]);
    expect(contentOf(folder)).toEqual(wholeMirror());
  });
});

const unanswered = (): Promise<boolean> => new Promise(() => {});

const rootsBelow = (end: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: end }, (_, i) => [`metachain/roots/${i}`, sealText(i)]));
