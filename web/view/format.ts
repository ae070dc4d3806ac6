// Times, numbers, names and hashes as people read them. Evidence can hold any text: it is cut and set apart.
import { MAX_SHOWN_LENGTH } from "../../reader/limits.ts";
import type { Text } from "../../reader/text/text.ts";
import { el } from "./dom.ts";

const HASH_ENDS = 8;
const NO_VALUE = "–";

const FULL = { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" } as const;
const CLOCK = { timeStyle: "medium", timeZone: "UTC" } as const;
/** A formatter costs more than the thousand times that it formats. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The time in UTC, to the second: what everybody who reads the sheet can compare. */
export function dateTime(text: Text, instant: string | Date): string {
  const formatted = formatTime(text.locale, FULL, instant);
  return formatted === null ? NO_VALUE : `${formatted} UTC`;
}

export const clockTime = (text: Text, instant: string): string =>
  formatTime(text.locale, CLOCK, instant) ?? NO_VALUE;

/** As short as a date and time can be that nobody mistakes. */
export const instant = (genTime = NO_VALUE): string => genTime.replace(/^(.{10})T(.{8}).*$/, "$1 $2 UTC");

function formatTime(
  locale: string,
  style: typeof FULL | typeof CLOCK,
  instant: string | Date,
): string | null {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return null;
  const key = `${locale} ${style === FULL}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, style);
  formatters.set(key, formatter);
  return formatter.format(date);
}

export function timeElement(text: Text, instant: string): HTMLElement {
  return el("time", { datetime: cut(instant) }, dateTime(text, instant));
}

export const number = (text: Text, value: number): string => new Intl.NumberFormat(text.locale).format(value);

export function languageName(text: Text, tag: string): string {
  return new Intl.DisplayNames(text.locale, { type: "language" }).of(tag) ?? tag;
}

/** `code` is from evidence, and need not be a country. */
export function countryName(text: Text, code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return cut(code);
  return new Intl.DisplayNames(text.locale, { type: "region" }).of(code) ?? code;
}

/** The name in an RFC 4514 name that people know its bearer by; all of it where there is none. */
export const commonName = (name: string): string =>
  /(?:^|,)CN=((?:\\.|[^,\\])+)/.exec(name)?.[1]?.replaceAll(/\\(.)/g, "$1") ?? name;

export const shortHash = (hash: string): string => {
  const hex = cut(hash).replace(/^(?:0x|sha256:)/, "");
  return hex.length > 2 * HASH_ENDS ? `${hex.slice(0, HASH_ENDS)}…${hex.slice(-HASH_ENDS)}` : hex;
};

/** A value from the evidence; its direction of writing can't spill over into ours. */
export const bdi = (value: string): HTMLElement => el("bdi", {}, cut(value));

export const hash = (value: string): HTMLElement => el("code", { class: "hash" }, cut(value));

const cut = (value: string): string =>
  value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value;

/** The text or number at a path in evidence that may hold anything; a dash where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(memberOf, value);
  return typeof found === "string" || typeof found === "number" ? String(found) : NO_VALUE;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
