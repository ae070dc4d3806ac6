// The mark of a layer that is public, as somebody who writes the table leaves it: receipts are sealed under public layers.
import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, expect, test } from "vitest";
import { layerDigestOf, layerPath } from "../../../contract/policy-paths.ts";
import { LAYERS_PARTITION } from "../../../service/table/keys.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { deleteItem, keysUnder } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** A receipt without a seal, whose layer is marked as public, and is not. */
async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  await ledger.newProcess().attest(await ledger.newTenant("tenant"), requestOf("call"));
  const [key = ["", ""]] = await keysUnder(ledger, LAYERS_PARTITION);
  const path = layerPath(layerDigestOf(key[1]));
  await ledger.clients.s3.send(new DeleteObjectCommand({ Bucket: ledger.name, Key: path }));
  return { ledger, key, path };
}

test("a layer that is marked as public, and is not, is published with the next seal, and that is told", async () => {
  const { ledger, path } = await newWorld();
  const process = ledger.newProcess();
  await process.seal();
  expect(await process.roots.files.bytes(path)).not.toBeNull();
  expect(process.counted.policyFailures).toBe(1);
});

test("a layer of the deployment is published again where its place in the list is gone", async () => {
  const { ledger, key, path } = await newWorld();
  await deleteItem(ledger, key);
  const process = ledger.newProcess(undefined, { publishesPolicy: true });
  await process.seal();
  expect(await process.roots.files.bytes(path)).not.toBeNull();
});
