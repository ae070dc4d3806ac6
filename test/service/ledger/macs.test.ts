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
const service = await startKeyService({ files: { mac: join(folder, "key"), log: join(folder, "log-key") } });
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

test("a code of a key that was never ours is damage, and one of a retired key is verified by that key", async () => {
  const { authentication } = await stored();
  const newer = new Macs(kms, "another-key");
  await expect(newer.verifyReceipt({ leaf, authentication })).rejects.toMatchObject({
    code: "ledger_corrupt",
  });
  const knowing = new Macs(kms, "another-key", [service.keyId]);
  await expect(knowing.verifyReceipt({ leaf, authentication })).resolves.toBeUndefined();
  const other = { ...leaf, leafHash: new Uint8Array(32).fill(8) };
  await expect(knowing.verifyReceipt({ leaf: other, authentication })).rejects.toMatchObject({
    code: "ledger_corrupt",
  });
});

test("a report says that it has no code where the key service makes none; an attestation fails", async () => {
  const fails = new Calls(() => Promise.reject(new Error("KMS is away")));
  const away = new Macs(fails.through(kms), service.keyId);
  const none = { auth_mechanism: null, key_id: null, signature: null };
  expect(await away.authenticateReport({ a: 1 })).toEqual({ a: 1, ...none });
  await expect(away.authenticateResponse({ a: 1 })).rejects.toMatchObject({ code: "mac_unavailable" });
});
