// `history` against a service that states sizes: none of them decides how much is fetched before something is verified.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ChainPage, SealedHead } from "../../../evidence/core/formats/chain-history.ts";
import { ENTRY_BYTES } from "../../../evidence/core/log/entry.ts";
import { GROUP_RECEIPTS, inGroups, MAX_HEAD_RECEIPTS } from "../../../tools/cli/history/head-groups.ts";
import { type HistoryServer, serveHistory } from "../../support/history-server.ts";
import { startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";
import { newFolder, receipts } from "./command-line.ts";

const KEY = "dr_live_test";
const TILE_WIDTH = 256;
const ENDLESS = 2 ** 50;
const stack = await startLedgerStack();

let server: HistoryServer;
let caller: TestCaller;
let honest: ChainPage;

beforeAll(async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const process = ledger.newProcess();
  caller = await ledger.newTenant("tenant", 1);
  await process.attest(caller, requestOf("call"));
  await process.seal();
  server = await serveHistory(ledger, caller, KEY);
  const headers = { authorization: `Bearer ${KEY}` };
  honest = (await (
    await fetch(`${server.url}/v1/chains/${caller.chainIds[0]}`, { headers })
  ).json()) as ChainPage;
});
afterEach(() => {
  server.asked.length = 0;
});
afterAll(async () => {
  server.close();
  await stack.close();
});

const isBundle = (path: string): boolean => /^\/v1\/chains\/\w+\/./.test(path);
const headOf = (head_index: number, tree_size: number): SealedHead => ({
  head_index,
  tree_size,
  root: `0x${"a".repeat(64)}`,
  leaf_index: head_index,
  seal_index: 0,
});

/** Tells these heads, answers every bundle, and says of the seal how many receipts it counts. */
async function fetchFrom(heads: readonly SealedHead[], counted: number) {
  const { latest } = (await (await fetch(`${server.url}/v1/metachain`)).json()) as { latest: object };
  server.asked.length = 0;
  server.lie = (path) => {
    if (path === `/v1/chains/${caller.chainIds[0]}`) return { ...honest, heads };
    if (isBundle(path)) return new Uint8Array(TILE_WIDTH * ENTRY_BYTES);
    return path === "/v1/metachain/roots/0" ? { ...latest, receipt_count: counted } : undefined;
  };
  const { status, stderr } = await receipts("history", server.url, "--key", KEY, "--out", newFolder());
  return { status, stderr, bundles: server.asked.filter(isBundle).length };
}

test("a head of more receipts than its seal counts is an alarm, and no bundle is asked for", async () => {
  expect(await fetchFrom([headOf(0, ENDLESS)], 1)).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /^ALARM: .*head 0 of chain \w+ adds 1125899906842624 receipts, and its seal 0 counts 1\n/,
    ),
    bundles: 0,
  });
});

test("a seal that counts as many is no reason to fetch them", async () => {
  const { status, stderr, bundles } = await fetchFrom([headOf(0, ENDLESS)], ENDLESS);
  expect([status, bundles]).toEqual([2, 0]);
  expect(stderr).toMatch(
    new RegExp(`^[^\\n]*adds ${ENDLESS} receipts: more than the ${MAX_HEAD_RECEIPTS} [^\\n]*\\n$`),
  );
});

test("many heads are verified group by group: the first false one ends it", async () => {
  const heads = Array.from({ length: 100 }, (_, i) => headOf(i, (i + 1) * GROUP_RECEIPTS));
  const { status, stderr, bundles } = await fetchFrom(heads, ENDLESS);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^ALARM: head 0 is not the root of its 65536/)]);
  expect(bundles).toBe(GROUP_RECEIPTS / TILE_WIDTH);
});

test("heads are fetched together up to so many receipts, each once and in order", () => {
  const sizes = [1, 2, GROUP_RECEIPTS, GROUP_RECEIPTS + 1, 3 * GROUP_RECEIPTS + 1, 3 * GROUP_RECEIPTS + 2];
  const heads = sizes.map((size, i) => headOf(i, size));
  const groups = [...inGroups(heads, 0)];
  expect(groups.flatMap((group) => group.heads)).toEqual(heads);
  expect(groups.map(({ heads, from, to }) => [heads.length, from, to])).toEqual([
    [3, 0, GROUP_RECEIPTS],
    [1, GROUP_RECEIPTS, GROUP_RECEIPTS + 1],
    [1, GROUP_RECEIPTS + 1, 3 * GROUP_RECEIPTS + 1],
    [1, 3 * GROUP_RECEIPTS + 1, 3 * GROUP_RECEIPTS + 2],
  ]);
});
