import { describe, expect, test } from "vitest";
import { utf8 } from "../../core/bytes.ts";
import type { JsonObject } from "../../core/canonical-json.ts";
import { MAX_LIST_LENGTH } from "../../core/formats/shapes.ts";
import { parseDocument, parseEvidence } from "../../reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../reader/limits.ts";
import { unreadableReasonOf } from "../../reader/unreadable.ts";
import { readEvidence } from "../support/evidence.ts";

const bytesOf = (value: unknown): Uint8Array => utf8(JSON.stringify(value));
const readObject = (name: string): JsonObject => readEvidence(name) as JsonObject;
const report = readObject("receipts/hand-off.json");
const bundle = readObject("bundles/conversation.json");
const seal = readObject("seals/2.json");
const REQUEST = { interaction_id: "call-1", subject_hash: `sha256:${"0".repeat(64)}` };

function refusalOf(bytes: Uint8Array): readonly [reason: string, message: string] {
  try {
    parseDocument(bytes);
  } catch (error) {
    return [unreadableReasonOf(error), (error as Error).message];
  }
  throw new Error("the file was read");
}

describe("a file is", () => {
  test.each([
    ["a report", report, "report"],
    ["a receipt whose root is not yet published", readEvidence("receipts/hand-off-pending.json"), "receipt"],
    ["a proof without its receipt", { merkle_proof: report.merkle_proof }, "proof"],
    ["a bundle", bundle, "bundle"],
    ["a published root", seal, "seal"],
    ["a request", REQUEST, "request"],
  ])("%s", (_, value, kind) => {
    expect(parseDocument(bytesOf(value)).kind).toBe(kind);
  });

  test("never of two kinds: it is refused, whichever members come first", () => {
    const { proofs, receipts, requests, seals, interaction_id } = bundle;
    const members = { proofs, receipts, requests, seals, interaction_id };
    for (const both of [
      { ...report, ...members },
      { ...members, merkle_proof: report.merkle_proof },
      { ...report, ...seal },
      { ...bundle, ...seal },
    ]) {
      expect(refusalOf(bytesOf(both))[0]).toBe("two_kinds");
    }
  });
});

describe("a file that can't be read is named for what it is:", () => {
  test.each([
    ["nothing", utf8(""), "empty"],
    ["white space", utf8(" \n\t"), "empty"],
    ["a PDF", utf8("%PDF-1.7\n1 0 obj"), "pdf"],
    ["a zip", new Uint8Array([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0x80]), "not_text"],
    ["a sentence", utf8("Dear auditor"), "not_json"],
    [
      "an error that curl saved",
      bytesOf({ type: "/v1/problems#unauthorized", title: "No API key", status: 401 }),
      "refusal",
    ],
    ["another JSON document", bytesOf({ a: 1 }), "unknown"],
    ["a list", bytesOf([report]), "unknown"],
    ["a damaged report", bytesOf({ ...report, merkle_proof: {} }), "malformed"],
    [
      "a damaged certificate",
      utf8("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"),
      "certificates",
    ],
    [
      "a list that no receipt has",
      bytesOf({ ...report, extra: Array(MAX_LIST_LENGTH + 1).fill(0) }),
      "part_too_large",
    ],
    ["a file that is too large", new Uint8Array(MAX_FILE_BYTES + 1), "too_large"],
  ])("%s", (_, bytes, reason) => {
    expect(refusalOf(bytes)[0]).toBe(reason);
  });

  test("the service's refusal is repeated, since the reader did not see it", () => {
    const [, message] = refusalOf(bytesOf({ title: "No or unknown API key", status: 401 }));
    expect(message).toContain("401 No or unknown API key");
  });

  test("a request is no evidence", () => {
    expect(() => parseEvidence(bytesOf(REQUEST))).toThrow("this is a request, not evidence");
  });
});
