// Times, numbers and names as people read them, and values of evidence, which can hold anything.
const NO_VALUE = "–";
const UTC = "UTC";
/** The most characters of one field that a reader's eye is asked to take in. */
const MAX_SHOWN_LENGTH = 160;
/** As layers write languages. Browsers throw at a tag that can't be one. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;

/** A formatter costs more than the thousand times that it formats. */
const formatters = new Map<string, Intl.DateTimeFormat>();

const DAY = { year: "numeric", month: "long", day: "numeric" } as const;
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" } as const;

/** The instant in UTC, to the second: everybody who reads it can compare it. `instant` is RFC 3339. */
export const utcTime = (locale: string, instant: string | Date): string =>
  formatTime(locale, instant, UTC, { ...DAY, ...CLOCK }) ?? NO_VALUE;

/**
 * The same in the reader's time zone, with the zone's name, and with the day where that is another; null where the
 * zone is UTC, or `instant` is no time.
 */
export function localTime(locale: string, instant: string | Date, timeZone: string): string | null {
  const dayIn = (zone: string): string | null => formatTime(locale, instant, zone, DAY);
  const style = dayIn(timeZone) === dayIn(UTC) ? CLOCK : { ...DAY, ...CLOCK };
  const local = formatTime(locale, instant, timeZone, style);
  return local === formatTime(locale, instant, UTC, style) ? null : local;
}

/** A day of the calendar, as "2026-11-22" writes it. */
export const formatDay = (locale: string, day: string): string =>
  formatTime(locale, day, UTC, DAY) ?? NO_VALUE;

function formatTime(
  locale: string,
  instant: string | Date,
  timeZone: string,
  style: Intl.DateTimeFormatOptions,
): string | null {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return null;
  const key = `${locale} ${timeZone} ${Object.keys(style).join()}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...style, timeZone });
  formatters.set(key, formatter);
  return formatter.format(date);
}

export const formatNumber = (locale: string, number: number): string =>
  new Intl.NumberFormat(locale).format(number);

/** `tag` is from a layer, which somebody else may have written: it need not be a language. */
export function languageName(locale: string, tag: string): string {
  if (!LANGUAGE_TAG.test(tag)) return tag === "" ? NO_VALUE : cutText(tag);
  return new Intl.DisplayNames(locale, { type: "language" }).of(tag) ?? tag;
}

/** `code` is from evidence, and need not be a country. */
export function countryName(locale: string, code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return cutText(code);
  return new Intl.DisplayNames(locale, { type: "region" }).of(code) ?? code;
}

/** The name in an RFC 4514 name that people know its bearer by; all of it where there is none. */
export const commonName = (name: string): string =>
  /(?:^|,)CN=((?:\\.|[^,\\])+)/.exec(name)?.[1]?.replaceAll(/\\(.)/g, "$1") ?? name;

export const cutText = (text: string): string =>
  text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;

/** The text or number at a path in evidence that may hold anything; a dash where there is none. */
export function textAt(evidence: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(memberOf, evidence);
  return typeof found === "string" || typeof found === "number" ? String(found) : NO_VALUE;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** An amount in minor units of a currency (ISO 4217), as people write it: 910 of EUR is €9.10. */
export function formatAmount(locale: string, currency: string, minorUnits: number): string {
  const formatter = new Intl.NumberFormat(locale, { style: "currency", currency });
  const { maximumFractionDigits: digits = 0 } = formatter.resolvedOptions();
  return formatter.format(minorUnits / 10 ** digits);
}
