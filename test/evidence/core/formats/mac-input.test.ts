import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import {
  dayKeyInput,
  formatKeyId,
  receiptMacInput,
  responseMacInput,
  utcDayOf,
  webhookSecretInput,
} from "../../../../evidence/core/formats/mac-input.ts";

const leafHash = new Uint8Array(32).fill(7);
const response = { b: [1, "€"], a: null, auth_mechanism: "hmac-sha256", key_id: "k", signature: "s" };
const canonical = '{"a":null,"b":[1,"€"]}';
const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("the receipt's code covers its label and the leaf hash", () => {
  const expected = Buffer.concat([Buffer.from("disclosure-receipt/1/receipt\n"), leafHash]);
  expect(plain(receiptMacInput(leafHash))).toBe(plain(expected));
});

test("the response's code covers its label and the hash of the canonical response without its own code", () => {
  const digest = createHash("sha256").update(canonical).digest();
  const expected = Buffer.concat([Buffer.from("disclosure-receipt/1/response\n"), digest]);
  expect(plain(responseMacInput(response))).toBe(plain(expected));
});

test("the codes of the receipts inside a response are covered", () => {
  const inner = (signature: string) => responseMacInput({ ...response, receipts: [{ signature }] });
  expect(inner("one")).not.toEqual(inner("other"));
});

test("a code for a receipt is never good for a response, even over the same hash", () => {
  const digest = new Uint8Array(createHash("sha256").update(canonical).digest());
  expect(receiptMacInput(digest)).not.toEqual(responseMacInput(response));
});

test("the key of a day is the HMAC of its label and the date, under a key that its key_id names", () => {
  const day = utcDayOf("2026-09-01T23:59:59.999Z");
  expect(new TextDecoder().decode(dayKeyInput(day))).toBe("disclosure-receipt/1/mac-key\n2026-09-01");
  expect(formatKeyId("1234abcd-12ab-34cd-56ef-1234567890ab", day)).toBe(
    "1234abcd-12ab-34cd-56ef-1234567890ab/2026-09-01",
  );
});

test("a webhook's secret is the HMAC of its label, the tenant and the generation", () => {
  const text = new TextDecoder().decode(webhookSecretInput("acme", 2));
  expect(text).toBe('disclosure-receipt/1/webhook-secret\n{"generation":2,"tenant_id":"acme"}');
});

test("a known key and leaf hash give a known code", () => {
  // Computed by openssl: `openssl mac -digest SHA256 -macopt hexkey:… HMAC`, once for the key and once for the code.
  const hmac = (key: Uint8Array, message: Uint8Array) => createHmac("sha256", key).update(message).digest();
  const key = hmac(new Uint8Array(32).fill(1), dayKeyInput("2026-09-01"));
  expect(plain(key)).toBe("0f1ebb48a0633c11647e4e53e31aea3f84b4e9c515cf373910ce7418433a6802");
  expect(hmac(key, receiptMacInput(leafHash)).toString("base64")).toBe(
    "hdcqSbvg5uobUkk8gMBZCYUuro+P1bWMNc2BlU42ibM=",
  );
});
