import { describe, expect, test } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import type { JsonObject, JsonValue } from "../../../evidence/core/canonical-json.ts";
import { MAX_LIST_LENGTH } from "../../../evidence/core/formats/shapes.ts";
import { documentOf, isEvidence, parseDocument, parseEvidence } from "../../../evidence/reader/evidence.ts";
import { MAX_FILE_BYTES, MAX_PEM_LENGTH } from "../../../evidence/reader/limits.ts";
import { unreadableReasonOf } from "../../../evidence/reader/unreadable.ts";
import { readBytes, readEvidence } from "../../support/vector-files.ts";

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
    ["a proof of a fork", bytesOf({ format: "disclosure-receipts fork 1", consistency_path: [] }), "fork"],
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

  test("a published root stays one, whatever else it has", () => {
    expect(parseDocument(bytesOf({ ...seal, format: "disclosure-receipts fork 1" })).kind).toBe("seal");
  });

  test("the service's refusal is repeated, since the reader did not see it", () => {
    const [, message] = refusalOf(bytesOf({ title: "No or unknown API key", status: 401 }));
    expect(message).toContain("401 No or unknown API key");
  });

  test("a request is no evidence", () => {
    expect(() => parseEvidence(bytesOf(REQUEST))).toThrow("this is a request, not evidence");
  });
});

describe("a file beside evidence is", () => {
  const vector = (file: string) => parseDocument(readBytes(file));
  test.each([
    ["requests/greeting.json", "request", "a request"],
    ["authorities/service-and-other.pem", "certificates", "a list of certificates"],
    ["checkpoints/two-logs.policy", "log_policy", "a log's key or a policy"],
    ["layers/service.json", "policy_layer", "a wording policy layer"],
  ])("%s: its kind is %s", (file, kind, name) => {
    const found = vector(file);
    expect([found.kind, isEvidence(found)]).toEqual([kind, false]);
    expect(() => parseEvidence(readBytes(file))).toThrow(
      expect.objectContaining({ code: "malformed", message: `this is ${name}, not evidence` }),
    );
  });

  test("read whole", () => {
    expect(vector("authorities/service-and-other.pem")).toMatchObject({ anchors: { length: 2 } });
    expect(vector("checkpoints/two-logs.policy")).toMatchObject({ policy: { logs: { length: 2 } } });
    expect(vector("layers/service.json")).toMatchObject({ rules: { jurisdiction: "DE" } });
  });

  test.each([
    ["a policy that is no text in UTF-8", readBytes("checkpoints/two-logs.policy"), "not_text"],
    ["a wording policy layer without a part", utf8('{"wordings":[]}'), "malformed"],
    [
      "a certificate that is none",
      utf8(`-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
      "certificates",
    ],
  ])("refused as a whole where a part is wrong: %s", (what, bytes, reason) => {
    const file = what.startsWith("a policy") ? Uint8Array.of(...bytes, 0xff) : bytes;
    expect(() => parseDocument(file)).toThrow(
      expect.objectContaining({ code: "malformed", evidence: { reason } }),
    );
  });

  test("no longer than it may be", () => {
    const tooLong = (opening: string, length: number) =>
      parseDocument(utf8(opening + " ".repeat(length - opening.length)));
    expect(() => tooLong("-----BEGIN CERTIFICATE-----", MAX_PEM_LENGTH + 1)).toThrow(
      "this is larger than 1 MiB",
    );
    expect(() => tooLong("-----BEGIN CERTIFICATE-----", MAX_PEM_LENGTH)).not.toThrow(/larger/);
    expect(() => tooLong("{}", MAX_FILE_BYTES + 1)).toThrow("this is larger than 8 MiB");
    expect(() => tooLong("{}", MAX_FILE_BYTES)).toThrow(
      "this is no receipt, report, bundle or published root",
    );
  });
});

test("a page's next turn is a number of a turn, or there is none", () => {
  const nextTurnIn = (next_turn: JsonValue) => {
    const found = documentOf({ ...bundle, next_turn });
    return found.kind === "bundle" ? found.nextTurn : expect.unreachable();
  };
  expect([3, 1, 0, -1, 1.5, "3", null].map(nextTurnIn)).toEqual([3, 1, null, null, null, null, null]);
});
