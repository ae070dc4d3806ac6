import { expect, test } from "vitest";
import { isDisclosureError } from "../../../core/errors.ts";
import { monthSpan } from "../../../core/formats/bill-month.ts";

test.each([
  ["2026-10", "2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"],
  ["2026-12", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  ["2027-01", "2027-01-01T00:00:00.000Z", "2027-02-01T00:00:00.000Z"],
  ["2028-02", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ["2026-09", "2026-09-01T00:00:00.000Z", "2026-10-01T00:00:00.000Z"],
  ["9999-11", "9999-11-01T00:00:00.000Z", "9999-12-01T00:00:00.000Z"],
])("%s is from its first moment up to that of the next month", (month, start, end) => {
  expect(monthSpan(month)).toEqual({ start, end });
});

test.each([
  "",
  "2026",
  "2026-1",
  "2026-00",
  "2026-13",
  "2026-20",
  "1999-12",
  "20-10",
  "2026-10-01",
  "x2026-10",
])("%j is no month", (month) => {
  expect(() => monthSpan(month)).toThrow(expect.toSatisfy((error) => isDisclosureError(error, "malformed")));
});
