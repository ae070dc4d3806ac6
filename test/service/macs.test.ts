// Authentication codes: what they cover, and what a stored one is held against.
import { createHmac } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { receiptMacInput } from "../../core/mac-input.ts";
import { Macs } from "../../service/macs.ts";
import { type FaultMode, faultAt } from "../support/faults.ts";
import { startLedgerStack } from "../support/ledger-stack.ts";

const stack = await startLedgerStack();
afterAll(stack.close);
const ledger = await stack.newLedger();

const leaf = { leafIndex: 0, leafHash: new Uint8Array(32).fill(7), leftPath: [] };
const stored = async () => ({
  leaf,
  authentication: await ledger.newProcess().macs.authenticateReceipt(leaf.leafHash),
});

test("a receipt's code is the HMAC of its leaf hash under the receipts' label", async () => {
  const { authentication } = await stored();
  const signature = createHmac("sha256", ledger.key.secret)
    .update(receiptMacInput(leaf.leafHash))
    .digest("base64");
  expect(authentication).toEqual({ auth_mechanism: "hmac-sha256", key_id: ledger.key.id, signature });
});

test.each<FaultMode>(["fails", "fails after taking effect"])(
  "a key service that %s makes no code",
  async (mode) => {
    const fault = faultAt({ name: "GenerateMac", nth: 1 }, mode, { rival: async () => {}, died: () => {} });
    const code = ledger.newProcess(fault).macs.authenticateReceipt(leaf.leafHash);
    await expect(code).rejects.toMatchObject({ code: "mac_unavailable" });
  },
);

test("a stored code that is not the receipt's is damage", async () => {
  const { authentication } = await stored();
  const { macs } = ledger.newProcess();
  await expect(macs.verifyReceipt({ leaf, authentication })).resolves.toBeUndefined();
  const other = { ...leaf, leafHash: new Uint8Array(32).fill(8) };
  await expect(macs.verifyReceipt({ leaf: other, authentication })).rejects.toMatchObject({
    code: "ledger_corrupt",
  });
});

test("a code of a key that is no longer ours passes, for the key may be gone", async () => {
  const { authentication } = await stored();
  const macs = new Macs(ledger.clients.kms, "another-key");
  await expect(macs.verifyReceipt({ leaf, authentication })).resolves.toBeUndefined();
});
