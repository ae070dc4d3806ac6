// The schema of a bill reads the bills of the vectors as they are, and refuses a bill that lacks a part.
import { describe, expect, test } from "vitest";
import { MAX_CHAINS } from "../../../../contract/limits.ts";
import type { JsonObject } from "../../../../evidence/core/canonical-json.ts";
import {
  BILL_FORMAT_VERSION,
  type Bill,
  billSchema,
  CLOSED_AFTER_MS,
  PUBLISHED_WITHIN_MS,
} from "../../../../evidence/core/formats/bill.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";
import { readEvidence } from "../../../support/vector-files.ts";

const readBill = (name: string): JsonObject => readEvidence(`bills/${name}.json`) as JsonObject;
const bill = readBill("final");

test.each(["final", "open", "no-receipts", "without-a-price"])("the bill %s is read as it is", (name) => {
  expect(billSchema.parse(readBill(name))).toEqual(readBill(name));
});

test("no bill lacks a member, in its lines, proofs, receipts and amount neither", () => {
  expect(unneededMembers(billSchema, bill)).toEqual([]);
});

test("a bill is of format 1.0 and of no other", () => {
  expect(BILL_FORMAT_VERSION).toBe("1.0");
  expect(billSchema.safeParse({ ...bill, bill_format_version: "1.1" }).success).toBe(false);
});

describe("a bill is refused, and the member named, with", () => {
  const bad: [keyof Bill, unknown][] = [
    ["month", "2026-13"],
    ["month", "2026-00"],
    ["month", "1026-10"],
    ["month", "a2026-10"],
    ["month", "2026-10-01"],
    ["month", "20-10"],
    ["month", "2abc-10"],
    ["status", "closed"],
    ["status", ""],
    ["made_at", "2026-11-01"],
    ["as_of", {}],
    ["chains", 0],
    ["count", -1],
    ["next_shard", 0.5],
    ["tenant", { id: "acme", fingerprint: "cbc9" }],
    ["amount", { ...(bill.amount as JsonObject), total: 0.5 }],
  ];
  test.each(bad)("%s %j", (name, value) => {
    const { error } = billSchema.safeParse({ ...bill, [name]: value });
    expect(error?.issues[0]?.path[0]).toBe(name);
  });
});

test.each(["2026-01", "2026-09", "2026-10", "2026-12", "9999-12"])(
  "a bill can be of the month %s",
  (month) => {
    expect(billSchema.safeParse({ ...bill, month }).success).toBe(true);
  },
);

test("a bill has a line for each chain that a tenant can have, and no more", () => {
  const [line = null] = billSchema.parse(readBill("no-receipts")).lines;
  const withLines = (length: number) => ({ ...bill, lines: Array.from({ length }, () => line) });
  expect(billSchema.safeParse(withLines(MAX_CHAINS)).success).toBe(true);
  expect(billSchema.safeParse(withLines(MAX_CHAINS + 1)).success).toBe(false);
});

test("a month is closed an hour after its end, and a seal is published within a quarter of an hour", () => {
  expect([CLOSED_AFTER_MS, PUBLISHED_WITHIN_MS]).toEqual([3_600_000, 900_000]);
});
