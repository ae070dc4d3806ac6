// Authentication codes: the key of each day and what they cover, and what a stored code is held against.
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type GenerateMacCommand, KMSClient } from "@aws-sdk/client-kms";
import { afterAll, describe, expect, test } from "vitest";
import { receiptMacInput, responseMacInput } from "../../../evidence/core/formats/mac-input.ts";
import { startKeyService } from "../../../host/local/key-service.ts";
import type { ChainLeaf } from "../../../service/ledger/chain-leaf.ts";
import { DayKeys } from "../../../service/ledger/day-keys.ts";
import { Macs } from "../../../service/ledger/macs.ts";
import { Calls, type FaultMode, faultAt, type Interceptor } from "../../support/faults.ts";
import { receipt as example } from "../../support/receipts.ts";
import { ascending } from "../../support/trees.ts";

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

const TODAY = "2026-09-02";
const MANY_DAYS = 100;

/** A process, which says how often it asked the key service. */
function newMacs(
  { intercept, keyId = service.keyId, retired = [] as string[], days = MANY_DAYS } = {} as Process,
) {
  const calls = new Calls(intercept ?? ((_, send) => send()));
  const clock = () => new Date(`${TODAY}T23:59:59.999Z`);
  const dayKeys = new DayKeys(calls.through(kms), days);
  return { macs: new Macs({ dayKeys, keyId, retiredKeyIds: retired, clock }), dayKeys, asked: calls.steps };
}

interface Process {
  readonly intercept?: Interceptor;
  readonly keyId?: string;
  readonly retired?: string[];
  readonly days?: number;
}

/** A receipt that was issued at the first moment of a day. */
const receiptOf = (day: string): Omit<ChainLeaf, "authentication"> => ({
  leaf: { leafIndex: 0, leafHash: new Uint8Array(32).fill(7), leftPath: [] },
  core: { ...example, issued_at: `${day}T00:00:00.000Z` },
  stampedSeal: null,
});
const receipt = receiptOf("2026-09-01");
const stored = async (): Promise<ChainLeaf> => ({
  ...receipt,
  authentication: await newMacs().macs.authenticateReceipt(receipt),
});
const corrupt = { code: "ledger_corrupt" };

/** What docs/receipt-format.md says, by node:crypto alone. */
function codeOf(day: string, message: Uint8Array): string {
  const hmac = (key: Uint8Array, text: string | Uint8Array) =>
    createHmac("sha256", key).update(text).digest();
  const key = hmac(Buffer.from(secret, "base64"), `disclosure-receipt/1/mac-key\n${day}`);
  return hmac(key, message).toString("base64");
}

describe("a code", () => {
  test("of a receipt is the HMAC of its leaf hash under the key of the day of its issued_at", async () => {
    expect((await stored()).authentication).toEqual({
      auth_mechanism: "hmac-sha256",
      key_id: `${service.keyId}/2026-09-01`,
      signature: codeOf("2026-09-01", receiptMacInput(receipt.leaf.leafHash)),
    });
  });

  test("of an answer is made under the key of the clock's day", async () => {
    expect(await newMacs().macs.authenticateResponse({ a: 1 })).toEqual({
      a: 1,
      auth_mechanism: "hmac-sha256",
      key_id: `${service.keyId}/${TODAY}`,
      signature: codeOf(TODAY, responseMacInput({ a: 1 })),
    });
  });

  test.each<FaultMode>(["fails", "fails after taking effect"])(
    "is not made where the key service %s, and is by the next call",
    async (mode) => {
      const intercept = faultAt({ name: "GenerateMac", nth: 1 }, mode, {
        rival: async () => {},
        died: () => {},
      });
      const { macs } = newMacs({ intercept });
      await expect(macs.authenticateReceipt(receipt)).rejects.toMatchObject({ code: "mac_unavailable" });
      expect(await macs.authenticateReceipt(receipt)).toEqual((await stored()).authentication);
    },
  );

  test("of a report is left out where the key service makes none; an attestation fails", async () => {
    const { macs } = newMacs({ intercept: () => Promise.reject(new Error("KMS is away")) });
    const none = { auth_mechanism: null, key_id: null, signature: null };
    expect(await macs.authenticateReport({ a: 1 })).toEqual({ a: 1, ...none });
    await expect(macs.authenticateResponse({ a: 1 })).rejects.toMatchObject({ code: "mac_unavailable" });
  });
});

describe("the key of a day", () => {
  test("is asked for once, also by those who come while the request is under way", async () => {
    const { macs, asked } = newMacs();
    const days = ["2026-09-01", TODAY, "2026-09-01", TODAY];
    await Promise.all(days.map((day) => macs.authenticateReceipt(receiptOf(day))));
    await macs.authenticateResponse({ a: 1 });
    expect(asked).toHaveLength(2);
  });

  test("is asked for again after a failure, which all who waited for it share", async () => {
    const { macs, asked } = newMacs({
      intercept: (call, send) => (call.nth === 1 ? Promise.reject(new Error("throttled")) : send()),
    });
    const outcomes = await Promise.allSettled(ascending(3, () => macs.authenticateReceipt(receipt)));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await macs.authenticateReceipt(receipt);
    expect(asked).toHaveLength(2);
  });

  test("is one of the few that are remembered", async () => {
    const { dayKeys, asked } = newMacs({ days: 2 });
    for (const day of ["2026-09-01", "2026-09-02", "2026-09-03", "2026-09-03", "2026-09-02"])
      await dayKeys.of(service.keyId, day);
    expect(asked).toHaveLength(3);
    await dayKeys.of(service.keyId, "2026-09-01");
    expect(asked).toHaveLength(4);
  });

  test("is one of a few that are derived at the same time, and none is forgotten that waits", async () => {
    const gates: (() => void)[] = [];
    const messages: string[] = [];
    const { dayKeys } = newMacs({
      intercept: async (call, send) => {
        messages.push(new TextDecoder().decode((call.input as GenerateMacCommand["input"]).Message));
        await new Promise<void>((resolve) => gates.push(resolve));
        // Every third fails: its place is free all the same.
        return call.nth % 3 === 0 ? Promise.reject(new Error("throttled")) : send();
      },
    });
    const days = ascending(30, (i) => `2026-09-${String(i + 1).padStart(2, "0")}`);
    const deriving = Promise.allSettled(days.map((day) => dayKeys.of(service.keyId, day)));
    await setImmediate();
    expect(gates).toHaveLength(8);
    const outcome = { isKnown: false };
    void deriving.then(() => {
      outcome.isKnown = true;
    });
    for (let opened = 0; !outcome.isKnown; await setImmediate()) {
      expect(gates.length - opened).toBeLessThanOrEqual(8);
      if (gates[opened] !== undefined) gates[opened++]?.();
    }
    expect((await deriving).filter(({ status }) => status === "rejected")).toHaveLength(10);
    expect(messages).toEqual(days.map((day) => `disclosure-receipt/1/mac-key\n${day}`));
  });
});

describe("a stored code", () => {
  test("that is not the receipt's is damage", async () => {
    const whole = await stored();
    const { macs } = newMacs();
    await expect(macs.verifyReceipt(whole)).resolves.toBeUndefined();
    const leaf = { ...whole.leaf, leafHash: new Uint8Array(32).fill(8) };
    await expect(macs.verifyReceipt({ ...whole, leaf })).rejects.toMatchObject(corrupt);
    for (const signature of ["", "no code", `${whole.authentication.signature}=`]) {
      const authentication = { ...whole.authentication, signature };
      await expect(macs.verifyReceipt({ ...whole, authentication })).rejects.toMatchObject(corrupt);
    }
  });

  test("of a key that was never ours is damage, and one of a retired key is verified by that key", async () => {
    const whole = await stored();
    const newer = newMacs({ keyId: "another-key" });
    await expect(newer.macs.verifyReceipt(whole)).rejects.toMatchObject(corrupt);
    expect(newer.asked).toEqual([]);
    const { macs } = newMacs({ keyId: "another-key", retired: [service.keyId] });
    await expect(macs.verifyReceipt(whole)).resolves.toBeUndefined();
    const leaf = { ...whole.leaf, leafHash: new Uint8Array(32).fill(8) };
    await expect(macs.verifyReceipt({ ...whole, leaf })).rejects.toMatchObject(corrupt);
  });

  test("of another day's key is damage, though its code is that key's", async () => {
    const whole = await stored();
    const authentication = {
      ...whole.authentication,
      key_id: `${service.keyId}/${TODAY}`,
      signature: codeOf(TODAY, receiptMacInput(receipt.leaf.leafHash)),
    };
    const { macs, asked } = newMacs();
    await expect(macs.verifyReceipt({ ...whole, authentication })).rejects.toMatchObject(corrupt);
    expect(() => macs.requireOwnKey({ ...whole, authentication })).toThrow(/not of our key of its day/);
    expect(asked).toEqual([]);
  });
});
