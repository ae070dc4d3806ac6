import { expect, test } from "vitest";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import { monthBefore, monthNamed, monthOf } from "../../../../evidence/core/formats/month.ts";

test.each([
  ["2026-10", "2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"],
  ["2026-12", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  ["2027-01", "2027-01-01T00:00:00.000Z", "2027-02-01T00:00:00.000Z"],
  ["2028-02", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ["2026-09", "2026-09-01T00:00:00.000Z", "2026-10-01T00:00:00.000Z"],
  ["9999-11", "9999-11-01T00:00:00.000Z", "9999-12-01T00:00:00.000Z"],
])("%s runs from its first moment to the next month's", (name, startsAt, endsAt) => {
  const month = monthNamed(name);
  expect(month).toEqual({ name, startsAt, endsAt });
  expect(monthOf(new Date(Date.parse(endsAt) - 1))).toEqual(month);
  expect(monthBefore(monthOf(new Date(endsAt)))).toEqual(month);
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
  expect(() => monthNamed(month)).toThrow(expect.toSatisfy((error) => isDisclosureError(error, "malformed")));
});

test.each([
  ["2026-02-28T23:59:59.999Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
  ["2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"],
  ["2026-12-31T23:30:00-01:00", "2027-01-01T00:00:00.000Z", "2027-02-01T00:00:00.000Z"],
])("the month of %s is that of UTC, from %s to %s", (now, startsAt, endsAt) => {
  expect(monthOf(new Date(now))).toMatchObject({ startsAt, endsAt });
});
