// A log read while a transaction is being applied, so that its leaves come into sight one by one; and wrong places.
import { afterAll, expect, test } from "vitest";
import { Log } from "../../../service/ledger/log.ts";
import { outcomeOf } from "../../support/deaths.ts";
import type { Interceptor } from "../../support/faults.ts";
import { type Item, text } from "../../support/items.ts";
import { LEAF_HASH, LEFT_PATH } from "../../support/leaf-items.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { damagesOf, keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld() {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  await Promise.all(ascending(6, () => process.attest(caller, requestOf("call"))));
  return { ledger, chainId: caller.chainIds[0] ?? "" };
}

/** Hides leaf 4 from the first `times` reads of many items. */
function hidingLeaf4(times: number): Interceptor {
  const isSeen = (item: Item): boolean => !text(item, "sk").endsWith("4");
  return async <T>(call: { name: string; nth: number }, send: () => Promise<T>): Promise<T> => {
    const answer = (await send()) as T & { Items?: Item[]; Responses?: Record<string, Item[]> };
    if (call.nth > times) return answer;
    const { Items = [], Responses = {} } = answer;
    const seen = Object.entries(Responses).map(([name, items]) => [name, items.filter(isSeen)]);
    return { ...answer, Items: Items.filter(isSeen), Responses: Object.fromEntries(seen) };
  };
}

test("a leaf that is not in sight yet is read again", async () => {
  const { ledger, chainId } = await newWorld();
  const read = () => new Log(ledger.newProcess(hidingLeaf4(2)).table, chainId);
  expect((await read().newest())?.leaf.leafIndex).toBe(5);
  const { proof } = await read().inclusionProof(4, 6);
  expect(proof.leaf.leafIndex).toBe(4);
});

test("a leaf that never comes into sight is missing", async () => {
  const { ledger, chainId } = await newWorld();
  const read = () => new Log(ledger.newProcess(hidingLeaf4(100)).table, chainId);
  const missing = { code: "ledger_corrupt", evidence: { leafIndex: 4 } };
  await expect(read().newest()).rejects.toMatchObject(missing);
  await expect(read().inclusionProof(0, 6)).rejects.toMatchObject(missing);
});

test("over a damaged leaf each proof is the true one or an error of ours", async () => {
  const { ledger, chainId } = await newWorld();
  const log = new Log(ledger.newProcess().table, chainId);
  const proofOf = async (leafIndex: number, treeSize: number) => {
    const { path, root } = (await log.inclusionProof(leafIndex, treeSize)).proof;
    return { path, root };
  };
  const earlier = await Promise.all(
    ascending(5, async (i) => ({ size: i + 1, root: (await proofOf(i, i + 1)).root })),
  );
  const proofs = (): Promise<unknown>[] => [
    ...ascending(6, (i) => proofOf(i, 6)),
    ...earlier.map((previous) => log.consistencyPath(previous, 6)),
  ];
  const truth = await Promise.all(proofs());
  // The newest leaf's own hash is held against its receipt; see damaged-items.faults.ts.
  for (const key of (await keysUnder(ledger, `chain#${chainId}`)).slice(0, -1)) {
    const whole = await readItem(ledger, key);
    for (const { how, item } of [LEAF_HASH, LEFT_PATH].flatMap((name) => damagesOf(whole, name))) {
      await writeItem(ledger, item);
      const outcomes = await Promise.all(proofs().map(outcomeOf));
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.kind === "answered") expect(outcome.answer, `${key} ${how}`).toEqual(truth[i]);
        else expect(outcome).toMatchObject({ error: { code: "ledger_corrupt" } });
      }
    }
    await writeItem(ledger, whole);
  }
});

test("a proof for places that no tree has is damage of ours: no caller names places", async () => {
  const { ledger, chainId } = await newWorld();
  const log = new Log(ledger.newProcess().table, chainId);
  const corrupt = { code: "ledger_corrupt" };
  for (const [leafIndex, treeSize] of [
    [6, 6],
    [-1, 6],
    [0, 2 ** 53],
  ] as const) {
    await expect(log.inclusionProof(leafIndex, treeSize)).rejects.toMatchObject(corrupt);
  }
  const previous = { size: 6, root: new Uint8Array(32) };
  await expect(log.consistencyPath(previous, 5)).rejects.toMatchObject(corrupt);
});
