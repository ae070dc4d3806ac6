import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../core/bytes.ts";
import { MAX_FILE_BYTES, MAX_LIST_LENGTH, MAX_TEXT_LENGTH } from "../../reader/limits.ts";
import { readDocument } from "../../web/documents.ts";

const vector = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../vectors/evidence/${name}`, import.meta.url)));
const greeting = () => JSON.parse(new TextDecoder().decode(vector("receipts/greeting.json")));
const read = (value: unknown) => readDocument(utf8(JSON.stringify(value)));

describe("readDocument", () => {
  test.each([
    ["receipts/greeting.json", "receipt"],
    ["receipts/greeting-pending.json", "receipt"],
    ["bundles/conversation.json", "bundle"],
    ["seals/0.json", "seal"],
    ["requests/greeting.json", "request"],
    ["authorities/service.pem", "certificates"],
  ])("knows by itself that %s is a %s", (file, kind) => {
    expect(readDocument(vector(file)).kind).toBe(kind);
  });

  test("takes a proof that came without its receipt", () => {
    expect(read({ merkle_proof: greeting().merkle_proof })).toMatchObject({ kind: "receipt" });
  });

  test("leaves the receipt as it came, so that a member too many still changes its hash", () => {
    const receipt = greeting();
    receipt.receipts[0].more = 1;
    expect(read(receipt)).toMatchObject({ evidence: { receipts: [{ more: 1 }] } });
  });

  test("refuses a file over the limit without looking into it", () => {
    expect(readDocument(new Uint8Array(MAX_FILE_BYTES + 1))).toMatchObject({ reason: "too_large" });
  });

  test.each([
    ["what is no JSON", "{"],
    ["a doubled member", '{"merkle_proof":1,"merkle_proof":2}'],
    ["ten million opened lists", "[".repeat(10_000_000)],
    ["ten thousand nested lists", "[".repeat(10_000) + "]".repeat(10_000)],
  ])("refuses %s", (_, text) => {
    expect(readDocument(utf8(text))).toMatchObject({ kind: "problem", reason: "not_json" });
  });

  test("refuses a token of ten megabytes", () => {
    const receipt = greeting();
    receipt.tsa_timestamp.timestamp_token = "A".repeat(10_000_000);
    expect(read(receipt)).toMatchObject({ kind: "problem", reason: "immodest" });
  });

  test("refuses a token just over the limit, and looks at one just under it", () => {
    const withToken = (length: number) => {
      const receipt = greeting();
      receipt.tsa_timestamp.timestamp_token = "A".repeat(length);
      return read(receipt);
    };
    expect(withToken(MAX_TEXT_LENGTH + 4)).toMatchObject({ reason: "immodest" });
    expect(withToken(MAX_TEXT_LENGTH)).toMatchObject({ kind: "receipt" });
  });

  test("refuses a path of a million hashes and a bundle of too many receipts", () => {
    const receipt = greeting();
    receipt.merkle_proof.event_inclusion_proof.path = Array(200_000).fill(`0x${"ab".repeat(32)}`);
    expect(read(receipt)).toMatchObject({ kind: "problem", reason: "immodest" });
    const receipts = Array(MAX_LIST_LENGTH + 1).fill({});
    expect(read({ proofs: [], receipts })).toMatchObject({ kind: "problem", reason: "immodest" });
  });

  test("says which part of a receipt can't be read", () => {
    const receipt = greeting();
    receipt.merkle_proof.event_inclusion_proof.root = "0x12";
    expect(read(receipt)).toMatchObject({
      reason: "malformed",
      detail: expect.stringMatching(/^\/merkle_proof\/event_inclusion_proof\/root: /),
    });
  });

  test.each<unknown>([null, 1, "text", [[]], {}, { proofs: 1 }, { merkle_proof: null }, { toString: 1 }])(
    "has a problem with %j",
    (value) => {
      expect(read(value).kind).toBe("problem");
    },
  );

  test("refuses PEM that holds no certificate", () => {
    const pem = `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`;
    expect(readDocument(utf8(pem))).toMatchObject({ kind: "problem", reason: "certificates" });
    const key = `-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`;
    expect(readDocument(utf8(key))).toMatchObject({ kind: "problem", reason: "certificates" });
  });
});
