// A history that grows from run to run, in small worlds: each run walks on from where the last one ended, and an entry that an
// operator planted is seen, or ignored, as by a walk of the whole log.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ENTRY_BYTES } from "../../../evidence/core/log/entry.ts";
import { TILE_WIDTH } from "../../../evidence/core/log/tiles.ts";
import { readHistory } from "../../../evidence/reader/history-files.ts";
import type { ChainClient } from "../../../tools/cli/history/chain-client.ts";
import { fetchHistory } from "../../../tools/cli/history/fetch-history.ts";
import { filesIn, HistoryFolder } from "../../../tools/cli/history/history-folder.ts";
import type { PublicLog } from "../../../tools/cli/history/walk-log.ts";
import type { Terminal } from "../../../tools/cli/output/terminal.ts";
import { ANCHOR, type ChainName, historyFiles, idOf, logFiles } from "../../support/head-world.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function newFolder(): HistoryFolder & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
  folders.push(path);
  return Object.assign(new HistoryFolder(path), { path });
}

function publicLog(log: string): PublicLog {
  const files = logFiles(log.split(" "));
  return {
    name: "memory",
    head: async () => files.get("v1/metachain/index.json") ?? new Uint8Array(),
    root: async () => null,
    timestamp: async () => null,
    logFile: async (path: string) => files.get(`v1/metachain/${path}`) ?? null,
  };
}

/** A service that tells these heads, as `c1:ab@2`, and has a chain for each of the names. */
function serviceOf(told: string): ChainClient {
  const words = told.split(" ");
  const files = historyFiles(words, false);
  const names = [...new Set(words.map(([name]) => name as ChainName))];
  const chains = names.map((name, shard) => ({ chain_id: idOf(name), shard }));
  const under = (chain: string, part: string) =>
    [...files].find(([path]) => path.startsWith(`chains/${chain}/${part}`))?.[1] ?? new Uint8Array();
  const client = {
    chains: async () => chains,
    has: async (id: string) => chains.some(({ chain_id }) => chain_id === id),
    async *heads(id: string, from: number) {
      const bytes = under(id, "heads/");
      const heads = bytes.length === 0 ? [] : JSON.parse(Buffer.from(bytes).toString());
      yield heads.filter(({ tree_size }: { tree_size: number }) => tree_size > from);
    },
    leaves: async (id: string, { width }: { width: number }) => {
      const bytes = under(id, "entries/");
      return bytes.subarray(0, Math.min(width, TILE_WIDTH) * ENTRY_BYTES);
    },
  };
  return client as unknown as ChainClient;
}

const terminal = { progress: () => ({ step: () => undefined }) } as unknown as Terminal;

/** One run for each day's log and what the service tells then; the number of heads that each run found. */
async function runs(days: readonly (readonly [log: string, told: string])[], anchor: string | null = null) {
  const folder = newFolder();
  const found: number[] = [];
  for (const [log, told] of days) {
    const services = { client: serviceOf(told), log: publicLog(log), folder, terminal };
    found.push((await fetchHistory(services, anchor)).found);
  }
  const { searched } = (await folder.readIndex()) ?? expect.unreachable();
  const { chains } = await readHistory(filesIn(folder.path));
  return { found, searched, heads: chains.get(idOf("c"))?.heads.length };
}

describe("a history that grows", () => {
  test("finds the new heads in the new entries, and keeps the last entry for the next run", async () => {
    const grown = await runs([
      ["c0:a o0:a", "c0:a@0"],
      ["c0:a o0:a c1:ab", "c0:a@0 c1:ab@2"],
      ["c0:a o0:a c1:ab o1:ab c2:abc", "c0:a@0 c1:ab@2 c2:abc@4"],
    ]);
    expect(grown).toMatchObject({ found: [1, 1, 1], heads: 3, searched: { leaf_index: 4 } });
    expect(Object.keys(grown.searched ?? {})).toEqual(["leaf_index", "leaf_hash", "left_path"]);
  });

  test.each<[what: string, days: readonly (readonly [string, string])[]]>([
    [
      "a label that occurs again",
      [
        ["c0:a", "c0:a@0"],
        ["c0:a c0:x c1:ab", "c0:a@0 c1:ab@2"],
      ],
    ],
    [
      "a label that was planted before its turn",
      [
        ["c0:a c2:x", "c0:a@0"],
        ["c0:a c2:x c1:ab", "c0:a@0 c1:ab@2"],
        ["c0:a c2:x c1:ab c2:abc", "c0:a@0 c1:ab@2 c2:abc@3"],
      ],
    ],
  ])("ignores %s", async (_, days) => {
    expect((await runs(days)).found).toEqual(days.map(() => 1));
  });

  test("has a chain that begins while the heads of another are fetched", async () => {
    const [before, after] = [serviceOf("c0:a@0"), serviceOf("c0:a@0 d0:a@1 c1:ab@2")];
    let asked = 0;
    const client = { ...after, chains: () => (asked++ === 0 ? before : after).chains() } as ChainClient;
    const folder = newFolder();
    const log = publicLog("c0:a d0:a c1:ab");
    await fetchHistory({ client, log, folder, terminal }, null);
    const { chains } = await readHistory(filesIn(folder.path));
    expect([...chains.keys()]).toEqual([idOf("c"), idOf("d")]);
  });

  test("walks from the first entry for a chain that it did not look for", async () => {
    const days = [
      ["c0:a d0:a", "c0:a@0"],
      ["c0:a d0:a c1:ab", "c0:a@0 c1:ab@2 d0:a@1"],
    ] as const;
    expect((await runs(days)).found).toEqual([1, 3]);
  });

  const HONEST = ["c0:a o0:a", "c0:a@0"] as const;
  test.each<[what: string, day: readonly [string, string], anchor: string | null, alarm: RegExp]>([
    ["the next head is untold", ["c0:a o0:a c1:ab", "c0:a@0"], null, /has head 1 of chain \w+, which/],
    [
      "the next head is another",
      ["c0:a o0:a c1:x", "c0:a@0 c1:ab@2"],
      null,
      /has not head 1 of chain \w+ at entry 2/,
    ],
    [
      "the log lacks a head",
      ["c0:a o0:a o1:ab", "c0:a@0 c1:ab@2"],
      null,
      /has not head 1 of chain \w+ at entry 2/,
    ],
    [
      "a head is told among the entries that were walked",
      ["c0:a o0:a o1:ab", "c0:a@0 c1:ab@1"],
      null,
      /had not head 1 of chain \w+ when it was walked last/,
    ],
    [
      "a chain of the anchor is kept back",
      ["c0:a o0:a d0:a", "c0:a@0"],
      ANCHOR,
      /has head 0 of chain \w+, which/,
    ],
    ["the log is shorter than it was", ["c0:a", "c0:a@0"], null, /is shorter than it was/],
    ["the log is another than it was", ["c0:a o0:x c1:ab", "c0:a@0 c1:ab@2"], null, /are not those under/],
  ])("is an alarm where %s", async (_, day, anchor, alarm) => {
    await expect(runs([HONEST, day], anchor)).rejects.toMatchObject({
      code: "proof_invalid",
      message: expect.stringMatching(alarm),
    });
  });
});
