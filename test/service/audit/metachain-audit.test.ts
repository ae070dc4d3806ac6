// The metachain against a forger who makes every hash right: what an entry or a seal must say beside that.

import { afterAll, expect, test } from "vitest";
import { HEAD_PATH, rootPath } from "../../../contract/metachain-paths.ts";
import { METACHAIN_ID } from "../../../contract/table.ts";
import { type ChainHead, hashChainHead } from "../../../evidence/core/formats/metachain.ts";
import { readSize } from "../../../service/audit/chain-extent.ts";
import { auditMetachain } from "../../../service/audit/metachain-audit.ts";
import { readFilesSize } from "../../../service/log/log-publication.ts";
import type { SealedTree } from "../../../service/seals/seal-item.ts";
import { appendAll } from "../../support/append-all.ts";
import type { Interceptor } from "../../support/faults.ts";
import type { Item } from "../../support/items.ts";
import { LEAF_HASH } from "../../support/leaf-items.ts";
import { MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder, publicly, readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** One chain, two seals over it, and an entry that waits for the next. */
async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("one");
  const process = ledger.newProcess();
  for (let round = 0; round < 3; round++) {
    await process.attest(caller, requestOf("call"));
    if (round < 2) await process.seal();
    ledger.now += MINUTE;
  }
  await appendAll(process, caller.chainIds);
  const faultsOf = async (
    chainIds: readonly string[] = caller.chainIds,
    interceptor?: Interceptor,
  ): Promise<string[]> => {
    const { table, roots } = ledger.newProcess(interceptor);
    const faults: string[] = [];
    await auditMetachain({
      table,
      roots,
      filesSize: await readFilesSize(table),
      size: await readSize(table, METACHAIN_ID),
      chainIds: new Set(chainIds),
      onEntries: () => {},
      onHead: () => {},
      onSeal: () => {},
      onFile: () => {},
      onFault: (what, place, detail) => void faults.push(`${what} ${place}: ${detail}`),
    });
    return faults;
  };
  const changeAt = async (prefix: string, at: number, change: (item: Item) => Item) => {
    const key = (await keysUnder(ledger, prefix)).at(at) ?? ["", ""];
    await writeItem(ledger, change(await readItem(ledger, key)));
  };
  return { caller, faultsOf, changeAt };
}

test("a metachain that is whole has no fault, and entries of a chain that no tenant has are faults", async () => {
  const { faultsOf } = await newWorld();
  expect(await faultsOf()).toEqual([]);
  const fault = "the entry is of a chain that no tenant has";
  expect(await faultsOf([])).toEqual([0, 1, 2].map((index) => `entry ${index}: ${fault}`));
});

test("an entry for a chain that did not grow, or with another total, is a fault", async () => {
  const { caller, faultsOf, changeAt } = await newWorld();
  await changeAt("chain#metachain", -1, (item) => ({ ...item, receipts_total: { N: "4" } }));
  expect(await faultsOf()).toEqual(["entry 2: the number of receipts is wrong"]);
  const root = `0x${"5".repeat(64)}`;
  const head: ChainHead = { chain_id: caller.chainIds[0] ?? "", head_index: 2, tree_size: 2, root };
  const forged = { tree_size: { N: "2" }, root: { S: root }, [LEAF_HASH]: { B: hashChainHead(head) } };
  await changeAt("chain#metachain", -1, (item) => ({ ...item, ...forged, receipts_total: { N: "2" } }));
  expect(await faultsOf()).toEqual(["entry 2: the chain did not grow since its entry before"]);
  const doubled = { ...head, head_index: 1 };
  const other = { head_index: { N: "1" }, [LEAF_HASH]: { B: hashChainHead(doubled) } };
  await changeAt("chain#metachain", -1, (item) => ({ ...item, ...other }));
  expect(await faultsOf()).toEqual(["entry 2: the head does not have the number after the one before it"]);
});

/** A seal that no run has published yet, with another tree. */
function withTree(item: Item, change: Partial<SealedTree>): Item {
  const tree = { ...(JSON.parse(item.tree?.S ?? "") as SealedTree), ...change };
  return { ...without(without(item, "text"), "published"), tree: { S: JSON.stringify(tree) } };
}

test.each<[fault: string, at: number, change: (item: Item) => Item]>([
  ["the seal before was never published", 0, (item) => without(item, "published")],
  ["it does not follow the seal before", 1, (item) => withTree(item, { index: 2 })],
  ["\\w+: .+", 1, (item) => withTree(item, { previous_root: `0x${"5".repeat(64)}` })],
  ["its number of receipts is wrong", 1, (item) => withTree(item, { receipt_count: 2 })],
  ["its number of receipts is wrong", 1, (item) => ({ ...item, receipts_total: { N: "3" } })],
  ["what is published is not what was sealed", 1, (item) => ({ ...item, text: { S: ` ${item.text?.S}` } })],
])("a seal of which this is true is a fault: %s", async (fault, at, change) => {
  const { faultsOf, changeAt } = await newWorld();
  await changeAt("seals", at, change);
  expect(await faultsOf()).toContainEqual(expect.stringMatching(new RegExp(`^seal [12]: ${fault}$`)));
});

test("a root or a head that the public can't read, and that counts as published, is a fault, and so is another head", async () => {
  const { caller, faultsOf } = await newWorld();
  const { chainIds } = caller;
  expect(await faultsOf(chainIds, publicly(null, rootPath(1)))).toEqual([
    "seal 1: it counts as published, and no root is",
  ]);
  expect(await faultsOf(chainIds, publicly(null, HEAD_PATH))).toEqual([
    "seal 1: the public head does not have it",
  ]);
  const other = JSON.stringify({ size: 2, latest: null, roots: "/v1/metachain/roots/{index}", log: null });
  expect(await faultsOf(chainIds, publicly(other, HEAD_PATH))).toEqual([
    "seal 1: the public head is not the last seal",
  ]);
});
