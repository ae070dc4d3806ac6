// The list of a tenant's receipts: its rows and pages, and the ends of the range that is asked for.
import { expect, test } from "vitest";
import {
  isRangeEnd,
  MAX_PAGE_RECEIPTS,
  receiptListSchema,
} from "../../../../evidence/core/formats/receipt-list.ts";
import { MAX_LIST_LENGTH } from "../../../../evidence/core/formats/shapes.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";

const row = {
  event_id: "00000000-0001-8000-8000-000000000000",
  issued_at: "2026-09-01T12:00:00.000Z",
  chain_id: "0123456789abcdef0123456789abcdef",
  sequence: 0,
  turn: 1,
  verdict: "MODIFY",
  subject_hash: `sha256:${"0".repeat(64)}`,
  wording_id: null,
  disclosure_method: "written_notice",
  modality: "chat",
  jurisdiction: "DE",
  findings: ["wording_unknown"],
};
const list = { receipts: [row], next: "cursor" };

test.each(["2026-09-01", "2026-09-01T12:00:00Z", "2026-09-01T12:00:00.123Z", "2026-09-01T14:00:00+02:00"])(
  "a range may end at %s",
  (text) => {
    expect(isRangeEnd(text)).toBe(true);
  },
);

test.each(["", "2026", "2026-09", "2026-02-30", "2026-09-01T12:00:00", "01.09.2026", "now", "1788264000000"])(
  "a range may not end at %j",
  (text) => {
    expect(isRangeEnd(text)).toBe(false);
  },
);

test("a page is read as it is, and nothing less is", () => {
  expect(receiptListSchema.parse(list)).toEqual(list);
  expect(receiptListSchema.parse({ receipts: [], next: null })).toEqual({ receipts: [], next: null });
  expect(unneededMembers(receiptListSchema, list)).toEqual([]);
});

test.each([{ verdict: "allow" }, { modality: "video" }, { turn: 0 }, { sequence: -1 }, { findings: null }])(
  "a row with %j is refused",
  (wrong) => {
    expect(receiptListSchema.safeParse({ ...list, receipts: [{ ...row, ...wrong }] }).success).toBe(false);
  },
);

test(`a page has ${MAX_PAGE_RECEIPTS} rows at most, and a row ${MAX_LIST_LENGTH} findings`, () => {
  const withRows = (length: number) => ({ ...list, receipts: Array(length).fill(row) });
  const withFindings = (length: number) => ({
    ...list,
    receipts: [{ ...row, findings: Array(length).fill("") }],
  });
  for (const [page, isRead] of [
    [withRows(MAX_PAGE_RECEIPTS), true],
    [withRows(MAX_PAGE_RECEIPTS + 1), false],
    [withFindings(MAX_LIST_LENGTH), true],
    [withFindings(MAX_LIST_LENGTH + 1), false],
  ] as const)
    expect(receiptListSchema.safeParse(page).success).toBe(isRead);
});
