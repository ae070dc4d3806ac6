// The history that a tenant's key can fetch: heads page by page, leaves in bundles, and nothing that is not published.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { concatBytes } from "../../../evidence/core/bytes.ts";
import { ChainHistory } from "../../../evidence/core/log/chain-history.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { readChainLeaf } from "../../../service/ledger/chain-leaf.ts";
import { readEntry } from "../../../service/ledger/log.ts";
import { ChainEntries } from "../../../service/reports/chain-entries.ts";
import { readChainPage } from "../../../service/reports/chain-history.ts";
import { leafKey, logPartition, sealedPartition, spanKey } from "../../../service/table/keys.ts";
import type { Table } from "../../../service/table/table.ts";
import { LEAF_HASH } from "../../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { plainLeaf } from "../../support/receipt-leaf.ts";
import { attestTurns, requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** More than a bundle has. */
const SIZES = [1, 4, 260, 300];
const UNSEALED = 2;

let ledger: Ledger;
let table: Table;
let caller: TestCaller;
let chainId: string;

beforeAll(async () => {
  ledger = await stack.newLedger();
  caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  ({ table } = process);
  chainId = caller.chainIds[0] ?? "";
  for (const [i, size] of SIZES.entries()) {
    await attestTurns(process, caller, size - (SIZES[i - 1] ?? 0));
    await process.seal();
    ledger.now += MINUTE;
  }
  await attestTurns(process, caller, UNSEALED);
});

const storedLeaves = async (): Promise<Uint8Array[]> =>
  (await table.query({ partition: logPartition(chainId) })).map((item) =>
    plainLeaf(readChainLeaf(readEntry(item)).core),
  );

describe("the heads of a chain", () => {
  test("are all that were published, in order, each in its place of the metachain", async () => {
    const { heads, ...page } = await readChainPage(table, caller, chainId, 0);
    expect(page).toEqual({ chain_id: chainId, shard: 0, next: null });
    expect(heads.map(({ root: _root, ...head }) => head)).toEqual(
      SIZES.map((tree_size, i) => ({ head_index: i, tree_size, leaf_index: i, seal_index: i })),
    );
  });

  test("go on from the size of an earlier head", async () => {
    const { heads } = await readChainPage(table, caller, chainId, 4);
    expect(heads.map(({ head_index }) => head_index)).toEqual([2, 3]);
    expect((await readChainPage(table, caller, chainId, 300)).heads).toEqual([]);
  });

  test("together with the leaves are the history of the chain", async () => {
    const { heads } = await readChainPage(table, caller, chainId, 0);
    const bundles = await Promise.all(
      [
        { index: 0, width: 256 },
        { index: 1, width: 44 },
      ].map((place) => new ChainEntries(table).read(caller, chainId, place)),
    );
    const bytes = concatBytes(...bundles);
    const history = new ChainHistory(chainId, (from, to) => bytes.subarray(64 * from, 64 * to));
    for (const head of heads) history.add(head);
    expect(history.size).toBe(300);
  });

  test("are those of the caller's own chains: another's looks like one that does not exist", async () => {
    const other = await ledger.newTenant("other");
    for (const [who, whose] of [
      [other, chainId],
      [caller, other.chainIds[0] ?? ""],
      [caller, "0".repeat(32)],
      [caller, "metachain"],
    ] as const) {
      const refusal = expect.objectContaining({ code: "not_found", message: "there is no such chain" });
      await expect(readChainPage(table, who, whose, 0)).rejects.toEqual(refusal);
      await expect(new ChainEntries(table).read(who, whose, { index: 0, width: 1 })).rejects.toEqual(refusal);
    }
  });

  test("end before the first that no seal has published", async () => {
    const halted = await stack.newLedger();
    const one = await halted.newTenant("tenant");
    const process = halted.newProcess();
    const [chain = ""] = one.chainIds;
    await process.attest(one, requestOf("call"));
    expect((await readChainPage(process.table, one, chain, 0)).heads).toEqual([]);
    const dying = halted.newProcess((call, send) =>
      call.name === "PutObject" ? Promise.reject(new Error("the process died")) : send(),
    );
    await expect(dying.seal()).rejects.toThrow();
    expect((await readChainPage(process.table, one, chain, 0)).heads).toEqual([]);
    await expect(new ChainEntries(process.table).read(one, chain, { index: 0, width: 1 })).rejects.toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
  });
});

describe("a bundle", () => {
  test.each([
    { index: 0, width: 1 },
    { index: 0, width: 3 },
    { index: 0, width: 256 },
    { index: 1, width: 1 },
    { index: 1, width: 44 },
  ])("$index of $width has the leaves of its place", async ({ index, width }) => {
    const expected = (await storedLeaves()).slice(256 * index, 256 * index + width);
    const bundle = await new ChainEntries(table).read(caller, chainId, { index, width });
    expect(Buffer.from(bundle)).toEqual(Buffer.concat(expected));
  });

  test.each([
    { index: 1, width: 45 },
    { index: 1, width: 256 },
    { index: 9, width: 1 },
    { index: 2 ** 44, width: 256 },
  ])("$index of $width is not there: it ends beyond the published size", async (place) => {
    await expect(new ChainEntries(table).read(caller, chainId, place)).rejects.toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
  });
});

describe("bundles that one process reads", () => {
  test("share the head that is over them, and a later one reads its own", async () => {
    const calls: string[] = [];
    const counted = ledger.newProcess((call, send) => {
      calls.push(call.name);
      return send();
    });
    const entries = new ChainEntries(counted.table);
    const read = async (index: number, width: number): Promise<string[]> => {
      calls.length = 0;
      await entries.read(caller, chainId, { index, width });
      return calls.toSorted();
    };
    const headReads = ["GetItem", "GetItem", "Query", "Query"];
    expect(await read(0, 256)).toEqual(["BatchGetItem", "Query", ...headReads].toSorted());
    expect(await read(0, 256)).toEqual(["BatchGetItem", "Query"]);
    // The head of 260 is over this one, too.
    expect(await read(1, 4)).toEqual(["GetItem", "Query"]);
    expect(await read(1, 44)).toEqual(["GetItem", "Query", ...headReads].toSorted());
    expect(await read(0, 1)).toEqual(["BatchGetItem", "Query"]);
  });

  test("are verified each, under a head that is known already", async () => {
    const entries = new ChainEntries(table);
    await entries.read(caller, chainId, { index: 1, width: 44 });
    const item = (await table.get(leafKey(chainId, 100))) ?? expect.unreachable();
    await table.put({ ...item, [LEAF_HASH]: { B: parseNode(`0x${"a".repeat(64)}`) } });
    await expect(entries.read(caller, chainId, { index: 0, width: 256 })).rejects.toThrow(
      expect.objectContaining({ code: "ledger_corrupt" }),
    );
    await table.put(item);
  });
});

describe("damage in the table is an error of ours, and no false history", () => {
  const damaged = async (key: { pk: { S: string }; sk: { S: string } }, change: object) => {
    const item = (await table.get(key)) ?? expect.unreachable();
    await table.put({ ...item, ...change });
    return () => table.put(item);
  };
  const otherHash = { [LEAF_HASH]: { B: parseNode(`0x${"a".repeat(64)}`) } };
  const corrupt = expect.objectContaining({ code: "ledger_corrupt" });

  test.each([0, 2, 100, 255])("a changed leaf %i", async (leafIndex) => {
    const repair = await damaged(leafKey(chainId, leafIndex), otherHash);
    const read = new ChainEntries(table).read(caller, chainId, { index: 0, width: 256 });
    await expect(read).rejects.toThrow(corrupt);
    await repair();
  });

  test("a changed leaf before a bundle, which the bundle continues", async () => {
    const repair = await damaged(leafKey(chainId, 255), otherHash);
    await expect(new ChainEntries(table).read(caller, chainId, { index: 1, width: 44 })).rejects.toThrow(
      corrupt,
    );
    await repair();
  });

  test.each([
    ["in a bundle", 100, { index: 0, width: 256 }],
    ["at the end of a bundle that is not full", 43, { index: 0, width: 44 }],
    ["before a bundle", 255, { index: 1, width: 44 }],
  ])("a leaf that is missing %s", async (_where, leafIndex, place) => {
    const key = leafKey(chainId, leafIndex);
    const item = (await table.get(key)) ?? expect.unreachable();
    await table.transact([{ remove: key }], randomUUID());
    await expect(new ChainEntries(table).read(caller, chainId, place)).rejects.toThrow(corrupt);
    await table.put(item);
  });

  test("a head of another root than the chain's", async () => {
    const repair = await damaged(leafKey(chainId, 259), otherHash);
    await expect(readChainPage(table, caller, chainId, 0)).rejects.toThrow(corrupt);
    await repair();
  });

  test("a span that names another entry", async () => {
    const key = spanKey(sealedPartition(chainId), 4);
    const repair = await damaged(key, { leaf_index: { N: "1" } });
    await expect(readChainPage(table, caller, chainId, 0)).rejects.toThrow(corrupt);
    await repair();
  });
});
