import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../../evidence/core/canonical-json.ts";
import {
  attestationRequestSchema,
  hashInput,
} from "../../../../evidence/core/formats/attestation-request.ts";

const HEX = "0123456789abcdef".repeat(4);

const good = {
  interaction_id: "call-2026-09-01T12:00:00.000",
  modality: "voice",
  article_50_clause: "1",
  disclosure_method: "spoken_introduction",
  agent_identity: "acme/agent@2",
  jurisdiction: "DE",
  subject_hash: `sha256:${HEX}`,
};

const issuesOf = (request: unknown) => {
  const { success, error } = attestationRequestSchema.safeParse(request);
  return success ? [] : error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

describe("a request is accepted with", () => {
  test.each([
    ["interaction_id", "a"],
    ["interaction_id", "a".repeat(128)],
    ["interaction_id", `${LETTERS}._:@+=-`],
    ["interaction_id", "..."],
    ["interaction_id", "call/.."],
    ["interaction_id", "not-erased:1"],
    ["agent_identity", "/"],
    ["agent_identity", "a".repeat(128)],
    ["agent_identity", `${LETTERS}._:@+=-/`],
    ["modality", "voice"],
    ["modality", "chat"],
    ["modality", "walkthrough"],
    ["article_50_clause", "1"],
    ["disclosure_method", "a"],
    ["disclosure_method", "a_method_of_2026"],
    ["disclosure_method", "a".repeat(64)],
    ["jurisdiction", "AT"],
    ["jurisdiction", "NL"],
    ["subject_hash", `sha256:${"0".repeat(64)}`],
  ])("%s %j", (field, value) => {
    const request = { ...good, [field]: value };
    expect(attestationRequestSchema.parse(request)).toEqual(request);
  });
});

describe("a request is refused, and the field named, with", () => {
  test.each([
    ["interaction_id", ""],
    ["interaction_id", "a".repeat(129)],
    ["interaction_id", "a\\b"],
    ["interaction_id", "Hello, this is an AI"],
    ["interaction_id", "ä"],
    ["interaction_id", "a\n"],
    ["interaction_id", "."],
    ["interaction_id", ".."],
    ["interaction_id", "erased:"],
    ["interaction_id", "erased:k3v7q2m5xw6r4t7hcd2nf5jsya"],
    ["interaction_id", 7],
    ["interaction_id", null],
    ["agent_identity", ""],
    ["agent_identity", "a".repeat(129)],
    ["agent_identity", "a b"],
    ["agent_identity", "a\\b"],
    ["agent_identity", ["a"]],
    ["modality", "Voice"],
    ["modality", "video"],
    ["modality", ""],
    ["article_50_clause", "2"],
    ["article_50_clause", "50(1)"],
    ["article_50_clause", "01"],
    ["article_50_clause", 1],
    ["disclosure_method", ""],
    ["disclosure_method", "a".repeat(65)],
    ["disclosure_method", "Spoken"],
    ["disclosure_method", "spoken-introduction"],
    ["disclosure_method", "spoken introduction"],
    ["jurisdiction", "de"],
    ["jurisdiction", "D"],
    ["jurisdiction", "DEU"],
    ["jurisdiction", "UK"],
    ["jurisdiction", "EU"],
    ["jurisdiction", "D1"],
    ["jurisdiction", "DE\n"],
    ["subject_hash", HEX],
    ["subject_hash", `sha256:${HEX.slice(1)}`],
    ["subject_hash", `sha256:${HEX}0`],
    ["subject_hash", `sha256:${HEX.toUpperCase()}`],
    ["subject_hash", `SHA256:${HEX}`],
    ["subject_hash", `sha512:${HEX}${HEX}`],
    ["subject_hash", `sha256:${HEX}\n`],
  ])("%s %j", (field, value) => {
    expect(issuesOf({ ...good, [field]: value }).map((issue) => issue.field)).toEqual([field]);
  });

  test.each(Object.keys(good))("no %s", (field) => {
    const { [field]: _, ...rest } = good as Record<string, string>;
    expect(issuesOf(rest).map((issue) => issue.field)).toEqual([field]);
  });
});

test.each([
  ["text", '"transcript":"Hello, you are speaking to an AI"'],
  ["null", '"note":null'],
  ["another spelling of a known one", '"Modality":"voice"'],
  ["Object's own __proto__", '"__proto__":{"transcript":"Hello"}'],
  ["Object's own constructor", '"constructor":"Hello"'],
])("an unknown field would carry readable content and is refused: %s", (_, member) => {
  const request = parseJson(`${JSON.stringify(good).slice(0, -1)},${member}}`);
  expect(issuesOf(request)).toEqual([{ field: "", message: expect.stringContaining("Unrecognized key") }]);
});

test("clause 2 is refused with the reason", () => {
  expect(issuesOf({ ...good, article_50_clause: "2" })[0]?.message).toContain("only Art. 50(1) is attested");
});

test.each(["DEU", "xDE", "de", "D1"])(
  "the jurisdiction %j is refused by its form, before any list",
  (jurisdiction) => {
    expect(issuesOf({ ...good, jurisdiction })).toEqual([
      { field: "jurisdiction", message: "must be two upper-case letters" },
    ]);
  },
);

test.each([
  ["null", null],
  ["text", "text"],
  ["a number", 7],
  ["a list of requests", [good]],
])("%s is no request", (_, request) => {
  expect(issuesOf(request)).toHaveLength(1);
});

test("the input hash is SHA-256 over the members in sorted order, whatever order they came in", () => {
  const canonical =
    '{"agent_identity":"acme/agent@2","article_50_clause":"1","disclosure_method":"spoken_introduction",' +
    '"interaction_id":"call-2026-09-01T12:00:00.000","jurisdiction":"DE","modality":"voice",' +
    `"subject_hash":"sha256:${HEX}"}`;
  const expected = `sha256:${createHash("sha256").update(canonical).digest("hex")}`;
  expect(hashInput(good)).toBe(expected);
  expect(hashInput(Object.fromEntries(Object.entries(good).reverse()))).toBe(expected);
});

test("the input hash changes with every field", () => {
  const hashes = Object.keys(good).map((field) => hashInput({ ...good, [field]: "x" }));
  expect(new Set([hashInput(good), ...hashes]).size).toBe(8);
});
