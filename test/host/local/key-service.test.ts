// The stand-in for KMS: its codes, and the signatures by the log's key, as the AWS SDK asks for them.
import { createHmac } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  EncryptCommand,
  GenerateMacCommand,
  type GenerateMacCommandInput,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
  type SignCommandInput,
} from "@aws-sdk/client-kms";
import { expect, onTestFinished, test } from "vitest";
import { verifyEd25519 } from "../../../evidence/core/log/ed25519.ts";
import { startKeyService } from "../../../host/local/key-service.ts";
import { testFolder } from "./folder.ts";

const filesAt = (file: string) => ({ mac: file, log: `${file}.log` });

async function start(file = join(testFolder(), "mac-key.json")) {
  const service = await startKeyService({ files: filesAt(file) });
  onTestFinished(service.close);
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const kms = new KMSClient({ endpoint: service.endpoint, region: "local", credentials, maxAttempts: 1 });
  onTestFinished(() => kms.destroy());
  const generate = (message: Uint8Array, more: Partial<GenerateMacCommandInput> = {}) =>
    kms.send(
      new GenerateMacCommand({
        KeyId: service.keyId,
        MacAlgorithm: "HMAC_SHA_256",
        Message: message,
        ...more,
      }),
    );
  return { ...service, file, kms, generate };
}

const message = new TextEncoder().encode("message");

test("a MAC is HMAC-SHA256 under the key in the file, which only its owner can read", async () => {
  const { file, keyId, generate } = await start();
  const { Mac, KeyId, MacAlgorithm } = await generate(message);
  const { id, secret } = JSON.parse(readFileSync(file, "utf8"));
  const key = Buffer.from(secret, "base64");
  expect(key).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Buffer.from(Mac ?? [])).toEqual(createHmac("sha256", key).update(message).digest());
  expect(id).toBe(keyId);
  expect(KeyId).toMatch(new RegExp(`^arn:aws:kms:.*:key/${keyId}$`));
  expect(MacAlgorithm).toBe("HMAC_SHA_256");
});

test("the key survives a restart, and another folder has another key", async () => {
  const first = await start();
  const before = await first.generate(message);
  await first.close();
  const second = await start(first.file);
  expect(second.keyId).toBe(first.keyId);
  expect((await second.generate(message)).Mac).toEqual(before.Mac);
  const other = await start();
  expect(other.keyId).not.toBe(first.keyId);
  expect((await other.generate(message)).Mac).not.toEqual(before.Mac);
});

test("a message has 1 to 4096 bytes", async () => {
  const { generate } = await start();
  for (const size of [1, 4096]) expect((await generate(new Uint8Array(size))).Mac).toHaveLength(32);
  for (const size of [0, 4097, 100_000]) {
    await expect(generate(new Uint8Array(size))).rejects.toMatchObject({ name: "ValidationException" });
  }
});

test("the key's ARN names it too; any other id is not found", async () => {
  const { generate } = await start();
  const { KeyId = "", Mac } = await generate(message);
  expect((await generate(message, { KeyId })).Mac).toEqual(Mac);
  await expect(generate(message, { KeyId: "alias/other" })).rejects.toMatchObject({
    name: "NotFoundException",
  });
});

test("an algorithm the key is not for, and an operation it does not have, are refused", async () => {
  const { kms, keyId, generate } = await start();
  const other = generate(message, { MacAlgorithm: "HMAC_SHA_512" });
  await expect(other).rejects.toMatchObject({ name: "InvalidKeyUsageException" });
  const encrypt = kms.send(new EncryptCommand({ KeyId: keyId, Plaintext: message }));
  await expect(encrypt).rejects.toMatchObject({ name: "UnknownOperationException" });
});

test("a damaged key file stops the start and is left as it is", async () => {
  const file = join(testFolder(), "mac-key.json");
  for (const text of ["", "{", '{"id":"1","secret":"AA=="}']) {
    writeFileSync(file, text);
    for (const files of [filesAt(file), { mac: join(testFolder(), "mac-key.json"), log: file }]) {
      await expect(startKeyService({ files })).rejects.toMatchObject({ code: "misconfigured" });
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});

test("the log's key signs the very message by Ed25519, the same after a restart, and says its public key", async () => {
  const first = await start();
  const sign = ({ kms, logKeyId }: typeof first, more: Partial<SignCommandInput> = {}) => {
    const input = {
      KeyId: logKeyId,
      Message: message,
      SigningAlgorithm: "ED25519_SHA_512",
      ...more,
    } as const;
    return kms.send(new SignCommand({ MessageType: "RAW", ...input }));
  };
  const { PublicKey: spki = new Uint8Array() } = await first.kms.send(
    new GetPublicKeyCommand({ KeyId: first.logKeyId }),
  );
  const { Signature = new Uint8Array() } = await sign(first);
  expect(await verifyEd25519(spki.subarray(-32), message, Signature)).toBe(true);
  expect(statSync(`${first.file}.log`).mode & 0o777).toBe(0o600);
  await first.close();
  const second = await start(first.file);
  expect((await sign(second)).Signature).toEqual(Signature);
  for (const other of [{ SigningAlgorithm: "ED25519_PH_SHA_512" }, { MessageType: "DIGEST" }] as const) {
    await expect(sign(second, other)).rejects.toMatchObject({ name: "ValidationException" });
  }
  const wrongKey = sign(second, { KeyId: second.keyId });
  await expect(wrongKey).rejects.toMatchObject({ name: "NotFoundException" });
});
