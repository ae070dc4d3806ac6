// GeneralizedTime and UTCTime as certificates and tokens may write them (RFC 5280 section 4.1.2.5, RFC 3161 2.4.2).

import { DisclosureError } from "../../errors.ts";
import { type DerValue, Tag } from "./der.ts";
import { requireTag } from "./der-fields.ts";

const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d*[1-9])?Z$/;
/** UTCTime years from here on are of the 20th century. */
const UTC_TIME_PIVOT = 50;

/**
 * The RFC 3339 text of a GeneralizedTime in UTC, with the fraction of a second that the token has.
 * Throws `malformed` for local times, trailing zeros, and days that no calendar has.
 */
export const readGeneralizedTime = (value: DerValue): string =>
  formatTime(asciiOf(requireTag(value, Tag.generalizedTime)));

/** The `Time` of a certificate, as RFC 3339. */
export function readTime(value: DerValue): string {
  if (value.tag !== Tag.utcTime) return readGeneralizedTime(value);
  const text = asciiOf(value);
  return formatTime(`${Number(text.slice(0, 2)) < UTC_TIME_PIVOT ? "20" : "19"}${text}`);
}

const asciiOf = (value: DerValue): string => String.fromCharCode(...value.content);

function formatTime(text: string): string {
  const [, year, month, day, hour, minute, second, fraction = ""] = GENERALIZED_TIME.exec(text) ?? [];
  const whole = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const date = new Date(`${whole}Z`);
  // Date rolls 30 February over to March, so a text that does not come back was no date.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(whole)) {
    throw new DisclosureError("malformed", "expected YYYYMMDDhhmmss[.f]Z", { actual: text });
  }
  return `${whole}${fraction}Z`;
}
