import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { receiptMacInput, responseMacInput } from "../../../core/formats/mac-input.ts";

const KMS_GENERATE_MAC_BYTES = 4096;

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

test("a response of any length fits into what KMS authenticates", () => {
  const large = responseMacInput({ ...response, path: "0".repeat(100_000) });
  expect(large.length).toBeLessThan(KMS_GENERATE_MAC_BYTES);
});
