// The published index of the wording policy, and the status of a service, which shows a part of it.
import { expect, test } from "vitest";
import { LAYER_ROUTE } from "../../../../contract/policy-paths.ts";
import {
  jurisdictionPolicySchema,
  policyIndexSchema,
} from "../../../../evidence/core/formats/policy-index.ts";
import { readStatusSchema } from "../../../../evidence/core/formats/service-status.ts";
import { MAX_LIST_LENGTH } from "../../../../evidence/core/formats/shapes.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";

const digest = `sha256:${"ab".repeat(32)}`;
const german = { jurisdiction: "DE", name: "Germany", status: "active", version: "2026-08-02.1", digest };
const capability = { capability: "attestation", status: "available", note: "a note" };
const index = {
  checked_on: "2026-11-22",
  jurisdictions: [german],
  capabilities: [capability],
  layers: LAYER_ROUTE,
};
const published = { digest, version: "2026-08-02.1", published_at: "2026-08-02T00:00:00.000Z" };
const policy = { jurisdiction: "DE", status: "planned", current: digest, layers: [published] };
const noted = { status: "active", note: "a note" };
const status = {
  checked_on: "2026-11-22",
  availability: [{ ...noted, subject: "a subject", statement: "a statement" }],
  endpoints: [{ ...noted, method: "GET", path: "/v1/status", access: "public", confirmed: "2026-11-22" }],
  capabilities: [{ ...noted, capability: "attestation", title: "a title" }],
  jurisdictions: [german],
  log: {
    read_at: published.published_at,
    status: "published",
    origin: "receipts.example/v1/metachain",
    head: { tree_size: 1, sealed_at: published.published_at },
    quorum: { status: "recent", at: published.published_at, tree_size: 1 },
  },
};

test.each([
  ["the index", policyIndexSchema, index, ["/capabilities/0/note"]],
  ["a jurisdiction's policy", jurisdictionPolicySchema, policy, []],
  [
    "the status",
    readStatusSchema,
    status,
    ["/availability/0/note", "/endpoints/0/note", "/capabilities/0/note"],
  ],
])("%s is read as it is, and lacks its notes at most", (_, schema, whole, notes) => {
  expect(schema.parse(whole)).toEqual(whole);
  expect(unneededMembers(schema, whole)).toEqual(notes);
});

test.each([
  ["active", true],
  ["in_development", true],
  ["planned", true],
  ["", false],
  ["retired", false],
])("a layer with the status %j is read: %s", (word, isRead) => {
  expect(jurisdictionPolicySchema.safeParse({ ...policy, status: word }).success).toBe(isRead);
});

test.each([
  ["jurisdictions", policyIndexSchema, index, german],
  ["capabilities", policyIndexSchema, index, capability],
  ["layers", jurisdictionPolicySchema, policy, published],
])(`there are ${MAX_LIST_LENGTH} %s at most`, (name, schema, whole, member) => {
  const isRead = (length: number) =>
    schema.safeParse({ ...whole, [name]: Array(length).fill(member) }).success;
  expect([isRead(MAX_LIST_LENGTH), isRead(MAX_LIST_LENGTH + 1)]).toEqual([true, false]);
});

test("a word of the status is never empty", () => {
  const [about] = status.availability;
  const empty = { ...status, availability: [{ ...about, subject: "" }] };
  expect(readStatusSchema.safeParse(empty).success).toBe(false);
});
