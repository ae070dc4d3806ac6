// The borders of the pages in which an audit reads a chain: damage at them and beside them is found as anywhere else.
import { afterAll, describe, expect, test } from "vitest";
import { hashReceiptCore } from "../../../evidence/core/formats/receipt.ts";
import { auditChain, PAGE_LEAVES } from "../../../service/audit/chain-audit.ts";
import { readExtent } from "../../../service/audit/chain-extent.ts";
import { VerdictAudit } from "../../../service/audit/layer-audit.ts";
import { leafKey } from "../../../service/table/keys.ts";
import { type Interceptor, outage } from "../../support/faults.ts";
import { bytes } from "../../support/items.ts";
import { CORE, coreIn, LEAF_HASH, LEFT_PATH, withCore } from "../../support/leaf-items.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { deleteItem, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Two pages and a part of one. */
const RECEIPTS = 2 * PAGE_LEAVES + 5;
const AT_ONCE = 128;

const ledger = await stack.newLedger({ isSigned: false });
const caller = await ledger.newTenant("one");
const [chainId = ""] = caller.chainIds;
const writer = ledger.newProcess();
for (let first = 0; first < RECEIPTS; first += AT_ONCE) {
  const calls = Array.from({ length: Math.min(AT_ONCE, RECEIPTS - first) }, (_, i) => first + i);
  await Promise.all(calls.map((call) => writer.attest(caller, requestOf(`call-${call}`))));
}
await writer.seal();

async function audit(intercept?: Interceptor): Promise<string[]> {
  const { table } = ledger.newProcess(intercept);
  const faults: string[] = [];
  let leaves = 0;
  await auditChain({
    table,
    chain: { chainId, shard: 0 },
    extent: await readExtent(table, chainId),
    verdicts: new VerdictAudit(table),
    macs: null,
    onLeaves: (places) => {
      leaves += places;
    },
    onHead: () => {},
    onMacs: () => {},
    onRemoved: () => {},
    onErased: () => {},
    onFault: (index, detail) => void faults.push(`${index}: ${detail}`),
  });
  expect(leaves).toBe(RECEIPTS);
  return faults;
}

const keyOf = (index: number): [string, string] => {
  const { pk, sk } = leafKey(chainId, index);
  return [pk.S, sk.S];
};

test("a chain of many pages holds", async () => {
  expect(await audit()).toEqual([]);
});

describe.each([PAGE_LEAVES, 2 * PAGE_LEAVES])("damage around leaf %i, the first of a page", (border) => {
  test.each([border - 2, border - 1, border, border + 1])(
    "to leaf %i is found there, and only there",
    async (index) => {
      const whole = await readItem(ledger, keyOf(index));
      const flipped = (name: string) => ({
        B: bytes(whole, name).map((byte, i) => (i === 0 ? byte ^ 1 : byte)),
      });
      await writeItem(ledger, { ...whole, [CORE]: flipped(CORE) });
      expect(await audit()).toEqual([
        expect.stringMatching(`^${index}: a receipt core is not as it was stored`),
      ]);
      await writeItem(ledger, { ...whole, [LEFT_PATH]: flipped(LEFT_PATH) });
      expect(await audit()).toEqual([expect.stringMatching(`^${index}: a left path does not follow`)]);
      await deleteItem(ledger, keyOf(index));
      expect(await audit()).toEqual([`${index}: the leaf is missing`]);
      await writeItem(ledger, whole);
    },
  );

  test.each([border - 1, border, border + 1])(
    "to the link of leaf %i is found, with its hash right",
    async (index) => {
      const whole = await readItem(ledger, keyOf(index));
      const forged = { ...coreIn(whole), previous_hash: `sha256:${"1".repeat(64)}` };
      const hashed = { ...whole, [LEAF_HASH]: { B: hashReceiptCore(forged) } };
      await writeItem(ledger, withCore(hashed, forged));
      expect((await audit())[0]).toBe(`${index}: the receipt does not link to the one before`);
      await writeItem(ledger, whole);
    },
  );

  test.each([border - 1, border, border + 1])(
    "to the time of leaf %i is found, with its hash right",
    async (index) => {
      const whole = await readItem(ledger, keyOf(index));
      const forged = { ...coreIn(whole), issued_at: "2020-01-01T00:00:00.000Z" };
      const hashed = { ...whole, [LEAF_HASH]: { B: hashReceiptCore(forged) } };
      await writeItem(ledger, withCore(hashed, forged));
      expect((await audit())[0]).toBe(`${index}: the receipt is older than the one before`);
      await writeItem(ledger, whole);
    },
  );
});

test("a page that can't be read ends the audit, whether it is waited for or not", async () => {
  let pages = 0;
  const failing: Interceptor = (call, send) =>
    call.name === "Query" && ++pages > 3 ? Promise.reject(outage()) : send();
  await expect(audit(failing)).rejects.toMatchObject({ code: "ledger_unavailable" });
});
