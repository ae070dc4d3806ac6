// The audit of a log's entries: each leaf, tile and root is recomputed, and whatever does not fit is named.
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ended, newFolder, readJson, receipts } from "./command-line.ts";
import { replace, serveMetachain } from "./metachain-server.ts";
import { entryOf, type PublishedLog, publishedLog, writeLog } from "./published-log.ts";

const SIZES = [1, 300, 600];

interface Report {
  readonly entries: number;
  readonly verdict: string;
  readonly faults: readonly {
    readonly index: number | null;
    readonly check: string;
    readonly detail: string;
  }[];
}

const reportOf = ({ stdout }: Ended): Report => JSON.parse(stdout) as Report;

async function audit(place: string, ...args: string[]): Promise<Report & { status: number | null }> {
  const ended = await receipts("audit", place, "--json", ...args);
  expect(ended.stderr).toBe("");
  return { ...reportOf(ended), status: ended.status };
}

const faultsOf = ({ faults }: Report): string[] =>
  faults.map(({ index, check, detail }) => `${index} ${check}: ${detail}`);

const folderOf = (log: PublishedLog): string => writeLog(newFolder(), log);

/** A log in which one byte of a file is another. */
function withChange(path: string, at: number, log = publishedLog(SIZES)): PublishedLog {
  const bytes = Buffer.from(log.get(path) ?? expect.unreachable(path));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return log.set(path, bytes);
}

function without(path: string): PublishedLog {
  const log = publishedLog(SIZES);
  expect(log.delete(path)).toBe(true);
  return log;
}

const cut = (path: string): PublishedLog => {
  const log = publishedLog(SIZES);
  return log.set(path, (log.get(path) ?? "").slice(0, -1));
};

/** Entry `index` has the label of an earlier one, in a tree that is otherwise good. */
const withDouble = (earlier: number, later: number, sizes = SIZES): PublishedLog =>
  publishedLog(sizes, (index) =>
    index === later
      ? Buffer.concat([entryOf(earlier).subarray(0, 32), entryOf(later).subarray(32)])
      : entryOf(index),
  );

describe.concurrent("an audit of the entries", () => {
  test("walks them all, over several tiles", async () => {
    expect(await audit(folderOf(publishedLog(SIZES)))).toMatchObject({ status: 0, entries: 600, faults: [] });
  });

  test.each([
    ["an entry is another", withChange("tile/entries/000", 2 + 66 * 7), "1 entries: tile/0/000 is not what"],
    ["a tile is another", withChange("tile/0/001", 40), "2 entries: tile/0/001 is not what"],
    ["an upper tile is another", withChange("tile/1/000.p/2", 40), "2 entries: tile/1/000.p/2 is not what"],
    ["a bundle is missing", without("tile/entries/001"), "1 entries: tile/entries/001 is missing"],
    ["a tile is missing", without("tile/0/000"), "0 entries: tile/0/000 is missing"],
    ["a bundle is cut off", cut("tile/entries/001"), "1 entries: tile/entries/001 can't be read"],
    ["a length is another", withChange("tile/entries/000", 1), "0 entries: tile/entries/000 can't be read"],
  ])("names the file and the root where %s, and walks no entry behind it", async (_, log, expected) => {
    const report = await audit(folderOf(log));
    expect(report.status).toBe(1);
    expect(faultsOf(report)).toEqual([expect.stringContaining(expected)]);
    expect(report.faults[0]?.detail).toContain("no entry behind it was walked");
    expect(report.entries).toBeLessThan(600);
  });

  test("finds roots over other entries than those that are published, be the files ever so consistent", async () => {
    const log = publishedLog(SIZES, (index) => entryOf(index === 7 ? 7_000 : index));
    for (const [path, content] of publishedLog(SIZES)) if (!path.startsWith("tile/")) log.set(path, content);
    const report = await audit(folderOf(log));
    expect([report.status, report.entries]).toEqual([1, 1]);
    expect(faultsOf(report)).toEqual([
      "1 entries: the entries do not lead to this root",
      "2 entries: the entries do not lead to this root",
    ]);
  });

  test.each([
    [5, 6],
    [5, 290],
    [0, 599],
  ])("finds one label for entries %i and %i, though every root and token holds", async (earlier, later) => {
    const report = await audit(folderOf(withDouble(earlier, later)));
    expect([report.status, report.entries, report.verdict]).toEqual([1, 600, "does_not_hold"]);
    expect(faultsOf(report)).toEqual([
      `${later < 300 ? 1 : 2} labels: entries ${earlier} and ${later} have one label: a chain has two heads of one number`,
    ]);
  });

  test.each([
    [[1, 300], 300],
    [[1], 1],
  ])(
    "waits for the files of the newest roots, which come after them: %j have theirs",
    async (there, walked) => {
      const folder = folderOf(publishedLog(SIZES, entryOf, there));
      expect(await audit(folder)).toMatchObject({ status: 0, entries: walked, faults: [] });
      const { stdout } = await receipts("audit", folder);
      expect(stdout).toMatch(new RegExp(`^ {2}entries +${walked} of 600 lead to their roots$`, "m"));
    },
  );

  test("waits for no longer than 32 roots", async () => {
    const sizes = Array.from({ length: 33 }, (_, i) => 10 + i);
    const late = await audit(folderOf(publishedLog(sizes, entryOf, [11])));
    expect(late).toMatchObject({ status: 0, entries: 11, faults: [] });
    const report = await audit(folderOf(publishedLog(sizes, entryOf, [10])));
    const missing = expect.stringContaining("0 entries: tile/entries/000.p/42 is missing");
    expect([report.status, faultsOf(report)]).toEqual([1, [missing]]);
  });

  test("ends with 2 where a file can't be fetched, and keeps what it walked", async () => {
    const log = publishedLog(SIZES);
    const server = await serveMetachain((path, response) => {
      if (path.endsWith("entries/001")) return replace(/./, "", 403)(path, response);
      const body = log.get(path === "/v1/metachain" ? "index.json" : path.slice("/v1/metachain/".length));
      response.writeHead(body === undefined ? 404 : 200).end(body);
      return true;
    });
    const state = join(newFolder(), "state.json");
    const { status, stderr } = await receipts("audit", server.url, "--state", state);
    expect([status, stderr]).toEqual([2, expect.stringContaining("the answer is 403")]);
    expect(readJson(state)).toMatchObject({ tally: { entries: 1 }, walk: { leaf: { leaf_index: 255 } } });
  });
});

describe.concurrent("an audit of the entries with --state", () => {
  const newState = (): string => join(newFolder(), "state.json");

  test("reads on where the last full tile ended", async () => {
    const [folder, state] = [folderOf(publishedLog([1, 300])), newState()];
    expect(await audit(folder, "--state", state)).toMatchObject({ status: 0, entries: 300 });
    expect(readFileSync(`${state}.labels`)).toHaveLength(256 * 32);
    writeLog(folder, publishedLog(SIZES));
    // It does not come back to what it has walked.
    rmSync(join(folder, "v1/metachain/tile/entries/000"));
    expect(await audit(folder, "--state", state)).toMatchObject({ status: 0, entries: 600, faults: [] });
    expect(readFileSync(`${state}.labels`)).toHaveLength(512 * 32);
  });

  test("knows the labels of earlier audits", async () => {
    const [folder, state] = [folderOf(publishedLog([1, 300])), newState()];
    await audit(folder, "--state", state);
    writeLog(folder, withDouble(5, 599));
    const report = await audit(folder, "--state", state);
    expect([report.status, faultsOf(report)]).toEqual([1, [expect.stringContaining("entries 5 and 599")]]);
    // Once found, it stays, and is not counted anew.
    expect(faultsOf(await audit(folder, "--state", state))).toEqual(faultsOf(report));
  });

  test("walks the entries of the newest root when their files have come", async () => {
    const [folder, state] = [folderOf(publishedLog(SIZES, entryOf, [1, 300])), newState()];
    const waiting_since = "2026-11-21T12:00:00.000Z";
    expect(await audit(folder, "--state", state)).toMatchObject({ status: 0, entries: 300, waiting_since });
    writeLog(folder, publishedLog(SIZES));
    expect(await audit(folder, "--state", state)).toMatchObject({
      status: 0,
      entries: 600,
      waiting_since: null,
    });
  });

  test("finds entries that were rewritten between two audits, by the next root", async () => {
    const [folder, state] = [folderOf(publishedLog([1, 300])), newState()];
    await audit(folder, "--state", state);
    writeLog(
      folder,
      publishedLog(SIZES, (index) => entryOf(index === 7 ? 7_000 : index)),
    );
    // The last tile has hashes of what was walked before, and those are others now.
    const report = await audit(folder, "--state", state);
    expect(faultsOf(report)).toContainEqual(expect.stringContaining("2 entries: tile/1/000.p/2 is not what"));
    expect([report.status, report.entries]).toEqual([1, 300]);
  });

  test("drops labels that a killed audit left too many, and refuses a file with too few", async () => {
    const [folder, state] = [folderOf(publishedLog([1, 300])), newState()];
    await audit(folder, "--state", state);
    writeLog(folder, publishedLog(SIZES));
    const good = readFileSync(state);
    appendFileSync(`${state}.labels`, entryOf(599).subarray(0, 32));
    expect(await audit(folder, "--state", state)).toMatchObject({ status: 0, entries: 600 });
    writeFileSync(state, good);
    truncateSync(`${state}.labels`, 255 * 32);
    const { status, stderr } = await receipts("audit", folder, "--state", state);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("remove the state file, and the audit begins anew"),
    ]);
  });
});
