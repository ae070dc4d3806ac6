// Authentication codes: what they cover, and what a stored one is held against.
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KMSClient } from "@aws-sdk/client-kms";
import { afterAll, expect, test } from "vitest";
import { receiptMacInput } from "../../../core/formats/mac-input.ts";
import { startKeyService } from "../../../local/key-service.ts";
import { Macs } from "../../../service/ledger/macs.ts";
import { Calls, type FaultMode, faultAt } from "../../support/faults.ts";

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
const service = await startKeyService({ file: join(folder, "key") });
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});
const kms = new KMSClient({
  endpoint: service.endpoint,
  region: "local",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});
const { secret } = JSON.parse(readFileSync(join(folder, "key"), "utf8")) as { secret: string };
const macs = new Macs(kms, service.keyId);

const leaf = { leafIndex: 0, leafHash: new Uint8Array(32).fill(7), leftPath: [] };
const stored = async () => ({
  leaf,
  authentication: await macs.authenticateReceipt(leaf.leafHash),
});

test("a receipt's code is the HMAC of its leaf hash under the receipts' label", async () => {
  const { authentication } = await stored();
  const signature = createHmac("sha256", Buffer.from(secret, "base64"))
    .update(receiptMacInput(leaf.leafHash))
    .digest("base64");
  expect(authentication).toEqual({ auth_mechanism: "hmac-sha256", key_id: service.keyId, signature });
});

test.each<FaultMode>(["fails", "fails after taking effect"])(
  "a key service that %s makes no code",
  async (mode) => {
    const fault = faultAt({ name: "GenerateMac", nth: 1 }, mode, { rival: async () => {}, died: () => {} });
    const failing = new Macs(new Calls(fault).through(kms), service.keyId);
    const code = failing.authenticateReceipt(leaf.leafHash);
    await expect(code).rejects.toMatchObject({ code: "mac_unavailable" });
  },
);

test("a stored code that is not the receipt's is damage", async () => {
  const { authentication } = await stored();
  await expect(macs.verifyReceipt({ leaf, authentication })).resolves.toBeUndefined();
  const other = { ...leaf, leafHash: new Uint8Array(32).fill(8) };
  await expect(macs.verifyReceipt({ leaf: other, authentication })).rejects.toMatchObject({
    code: "ledger_corrupt",
  });
});

test("a code of a key that is no longer ours passes, for the key may be gone", async () => {
  const { authentication } = await stored();
  const newer = new Macs(kms, "another-key");
  await expect(newer.verifyReceipt({ leaf, authentication })).resolves.toBeUndefined();
});
