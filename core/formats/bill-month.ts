// The calendar month of a bill, as instants (docs/bill.md). Instants of one form compare as texts.
import { DisclosureError } from "../errors.ts";
import { BILL_MONTH } from "./bill.ts";

/** RFC 3339 in UTC with milliseconds: the month is from `start` up to, and not including, `end`. */
export interface MonthSpan {
  readonly start: string;
  readonly end: string;
}

/** Throws `malformed` for what is no `YYYY-MM`. */
export function monthSpan(month: string): MonthSpan {
  if (!BILL_MONTH.test(month)) throw new DisclosureError("malformed", "a month is YYYY-MM");
  const start = new Date(`${month}-01T00:00:00.000Z`);
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + 1);
  return { start: start.toISOString(), end: end.toISOString() };
}
