// A mirror of the log's files: copied with the roots over them, verified before they get their names, and compared.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newFolder, receipts } from "./command-line.ts";
import { type MetachainServer, serveMetachain } from "./metachain-server.ts";
import { entryOf, type PublishedLog, publishedLog } from "./published-log.ts";

const SIZES = [1, 300, 600];
const PREFIX = "/v1/metachain/";

/** A host of a log, whose files a test may change. */
async function serve(log: PublishedLog): Promise<{ server: MetachainServer; log: PublishedLog }> {
  const server = await serveMetachain((path, response) => {
    const body = log.get(path === "/v1/metachain" ? "index.json" : path.slice(PREFIX.length));
    response.writeHead(body === undefined ? 404 : 200).end(body);
    return true;
  });
  return { server, log };
}

/** What is published later, on the same host. */
function grow(log: PublishedLog, later: PublishedLog): void {
  for (const [path, content] of later) log.set(path, content);
}

const fileIn = (folder: string, path: string): string => join(folder, "v1/metachain", path);
const mirror = (server: MetachainServer, folder: string, ...args: string[]) =>
  receipts("mirror", server.url, folder, ...args);
const tilesAsked = ({ asked }: MetachainServer): string[] =>
  asked.filter((path) => path.includes("/tile/")).map((path) => path.slice(PREFIX.length));

/** The files of a tree of 600 entries. */
const FILES = [...publishedLog([600])].filter(([path]) => path.startsWith("tile/"));

function changed(content: string | Buffer | undefined, at: number): Buffer {
  const bytes = Buffer.from(content ?? expect.unreachable("there is no such file"));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

describe.concurrent("a mirror of the log's files", () => {
  test("has those of the newest tree, and is a log that an audit walks", async () => {
    const [{ server }, folder] = [await serve(publishedLog(SIZES)), newFolder()];
    const { status, stdout } = await mirror(server, folder);
    expect([status, stdout]).toEqual([0, `${folder}: 3 roots, 3 of them new; 600 entries\n`]);
    for (const [path, content] of FILES) expect(readFileSync(fileIn(folder, path)), path).toEqual(content);
    const { stdout: report } = await receipts("audit", folder, "--json");
    expect(JSON.parse(report)).toMatchObject({ entries: 600, faults: [] });
  });

  test("reads with --new only what the folder lacks, and verifies it with what the folder has", async () => {
    const [{ server, log }, folder] = [await serve(publishedLog([1, 300])), newFolder()];
    await mirror(server, folder);
    grow(log, publishedLog(SIZES));
    server.asked.length = 0;
    const { status, stdout } = await mirror(server, folder, "--new");
    expect([status, stdout]).toEqual([0, `${folder}: 3 roots, 1 of them new; 600 entries\n`]);
    expect(tilesAsked(server)).not.toContain("tile/entries/000");
    expect(tilesAsked(server)).not.toContain("tile/0/000");
    for (const [path, content] of FILES) expect(readFileSync(fileIn(folder, path)), path).toEqual(content);
    // Were the folder's own entries others, they would not lead to the next root.
    rmSync(fileIn(folder, "roots/2"));
    const entries = fileIn(folder, "tile/entries/000");
    const good = readFileSync(entries);
    writeFileSync(entries, changed(good, 500));
    const run = await mirror(server, folder, "--new");
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining("ALARM")]);
  });

  test("without --new compares every file of the newest tree, and overwrites none", async () => {
    const [{ server, log }, folder] = [await serve(publishedLog(SIZES)), newFolder()];
    await mirror(server, folder);
    for (const [path, content] of FILES) {
      log.set(path, changed(content, 40));
      const { status, stderr } = await mirror(server, folder);
      expect([status, stderr], path).toEqual([1, expect.stringContaining(`${path} in the folder differs`)]);
      log.delete(path);
      const gone = await mirror(server, folder);
      expect(gone.status, path).toBe(1);
      log.set(path, content);
      expect(readFileSync(fileIn(folder, path))).toEqual(content);
    }
    expect((await mirror(server, folder)).status).toBe(0);
  });

  test.each([
    ["tile/entries/001", "the entries do not lead to root 1"],
    ["tile/0/001", "tile/0/001 is not what the entries make it"],
    ["tile/0/000", "tile/0/000 is not what the entries make it"],
    ["tile/1/000.p/2", "tile/1/000.p/2 is not what the entries make it"],
  ])("takes nothing that does not hold: %s is another", async (path, message) => {
    const [{ server, log }, folder] = [await serve(publishedLog(SIZES)), newFolder()];
    log.set(path, changed(log.get(path), 40));
    const { status, stderr } = await mirror(server, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(existsSync(fileIn(folder, path))).toBe(false);
    expect(existsSync(fileIn(folder, "index.json"))).toBe(false);
  });

  test.each(["tile/entries/000", "tile/0/001"])("names %s where it is missing", async (path) => {
    const { server, log } = await serve(publishedLog(SIZES));
    log.delete(path);
    const { status, stderr } = await mirror(server, newFolder());
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${path} is missing`)]);
  });

  test("raises an alarm for a label that occurs twice, and for entries that lead to another root", async () => {
    const double = publishedLog(SIZES, (index) =>
      index === 599 ? Buffer.concat([entryOf(3).subarray(0, 32), entryOf(599).subarray(32)]) : entryOf(index),
    );
    const first = await mirror((await serve(double)).server, newFolder());
    expect([first.status, first.stderr]).toEqual([
      1,
      expect.stringContaining("entries 3 and 599 have one label"),
    ]);
    const other = publishedLog(SIZES, (index) => entryOf(index + 1));
    for (const [path, content] of publishedLog(SIZES))
      if (!path.startsWith("tile/")) other.set(path, content);
    const second = await mirror((await serve(other)).server, newFolder());
    expect([second.status, second.stderr]).toEqual([
      1,
      expect.stringContaining("the entries do not lead to root 0"),
    ]);
  });

  test("copies the files of the newest root with the next run, where they were not there yet", async () => {
    const [{ server, log }, folder] = [await serve(publishedLog(SIZES, entryOf, [1, 300])), newFolder()];
    const { status, stdout, stderr } = await mirror(server, folder);
    expect([status, stdout]).toEqual([0, `${folder}: 3 roots, 3 of them new; 300 entries\n`]);
    expect(stderr).toContain(
      "300 entries under the last root are not published yet; the next run copies them",
    );
    grow(log, publishedLog(SIZES));
    expect((await mirror(server, folder, "--new")).stdout).toContain("600 entries");
    for (const [path, content] of FILES) expect(readFileSync(fileIn(folder, path)), path).toEqual(content);
  });
});
