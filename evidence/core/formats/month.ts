// Calendar months in UTC, as a plan's quota and a bill count them (docs/bill.md).
import { DisclosureError } from "../errors.ts";

/** `YYYY-MM`. */
export const MONTH_NAME = /^[2-9]\d{3}-(?:0[1-9]|1[0-2])$/;

/** RFC 3339 with milliseconds, as receipts' `issued_at`: instants of one form compare as texts. */
export interface Month {
  /** Such as `2026-11`. */
  readonly name: string;
  readonly startsAt: string;
  /** When the next month begins. */
  readonly endsAt: string;
}

export function monthOf(now: Date): Month {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const startsAt = new Date(Date.UTC(year, month)).toISOString();
  const endsAt = new Date(Date.UTC(year, month + 1)).toISOString();
  return { name: startsAt.slice(0, "YYYY-MM".length), startsAt, endsAt };
}

/** Throws `malformed` for a name that is not `YYYY-MM`. */
export function monthNamed(name: string): Month {
  if (MONTH_NAME.test(name)) return monthOf(new Date(`${name}-01T00:00:00.000Z`));
  throw new DisclosureError("malformed", "a month is YYYY-MM, as 2026-11");
}

/** The month that ended when this one began. */
export const monthBefore = ({ startsAt }: Month): Month => monthOf(new Date(Date.parse(startsAt) - 1));
