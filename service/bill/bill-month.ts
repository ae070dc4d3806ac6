// The months of bills by their names, and which of them a tenant can have a bill of.
import { DisclosureError } from "../../core/errors.ts";
import { BILL_MONTH, CLOSED_AFTER_MS } from "../../core/formats/bill.ts";
import { type Month, monthOf } from "../limits/month.ts";

/** The month of a name such as `2026-11`. Throws `malformed`. */
export function monthNamed(name: string): Month {
  if (BILL_MONTH.test(name)) return monthOf(new Date(`${name}-01T00:00:00.000Z`));
  throw new DisclosureError("malformed", "a month is YYYY-MM, as 2026-11");
}

/** Its name, such as `2026-11`. */
export const nameOfMonth = ({ startsAt }: Month): string => startsAt.slice(0, "YYYY-MM".length);

/** The month that ended when this one began. */
export const monthBefore = ({ startsAt }: Month): Month => monthOf(new Date(Date.parse(startsAt) - 1));

/** Says whether no receipt can be dated into the month any more. */
export const isClosed = ({ endsAt }: Month, now: Date): boolean =>
  now.getTime() >= endsAt.getTime() + CLOSED_AFTER_MS;

/** Says whether the tenant was there before the month ended. */
export const isOfTenant = ({ endsAt }: Month, { createdAt }: { readonly createdAt: string }): boolean =>
  createdAt < endsAt.toISOString();

/** Throws `invalid_request` for a month that the tenant can have no bill of. */
export function requireBillable(month: Month, tenant: { readonly createdAt: string }, now: Date): void {
  const name = nameOfMonth(month);
  if (month.startsAt > now.toISOString()) throw notBillable(`${name} has not begun yet`);
  if (!isOfTenant(month, tenant)) {
    throw notBillable(`there is no bill of ${name}: the tenant was created on ${tenant.createdAt}`);
  }
}

function notBillable(detail: string): DisclosureError {
  const errors = [{ pointer: "#/month", detail }];
  return new DisclosureError("invalid_request", detail, { errors });
}
