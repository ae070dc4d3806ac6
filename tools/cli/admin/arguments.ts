// Reads an operator's arguments strictly.
import { MAX_CHAINS, MAX_RETENTION_MONTHS, MIN_RETENTION_MONTHS } from "../../../contract/limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import { MONTH_NAME } from "../../../evidence/core/formats/month.ts";
import { isKeyId } from "../../../service/tenants/api-key-format.ts";
import { SCOPES, type Scope } from "../../../service/tenants/tenants.ts";
import { UsageError } from "../command.ts";

const TENANT_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const COUNT = /^[1-9]\d{0,5}$/;
const PLACE = /^(?:0|[1-9]\d{0,14})$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DURATION = /^(\d{1,4})([mhd])$/;
const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** The next argument and those after it. `what` names it in the error. */
export function firstOf(args: readonly string[], what: string): { first: string; rest: readonly string[] } {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError(`${what} is missing`);
  return { first, rest };
}

/** The one argument that is left. `what` names it in the error. */
export function onlyOne(args: readonly string[], what: string): string {
  const { first, rest } = firstOf(args, what);
  refuseMore(rest);
  return first;
}

export function refuseMore([surplus]: readonly string[]): void {
  if (surplus !== undefined) throw new UsageError(`${surplus} is one argument too many`);
}

export function readTenantId(text: string): string {
  if (TENANT_ID.test(text)) return text;
  throw new UsageError(`${text} is no name of a tenant: 1 to 64 of a-z, 0-9, ".", "_" and "-"`);
}

export function readKeyId(text: string): string {
  if (isKeyId(text)) return text;
  // A whole key on the command line would stay in the shell's history.
  throw new UsageError("a key's id is its 20 hex digits between dr_live_ and the next _");
}

export function readChains(text: string): number {
  if (COUNT.test(text) && Number(text) <= MAX_CHAINS) return Number(text);
  throw new UsageError(`a tenant has 1 to ${MAX_CHAINS} chains`);
}

/** A place in the metachain. */
export function readPlace(text: string): number {
  if (PLACE.test(text)) return Number(text);
  throw new UsageError("an entry is named by its place in the metachain, a number from 0");
}

export function readScopes(text: string): Scope[] {
  const scopes = SCOPES.filter((scope) => text.split(",").includes(scope));
  if (scopes.length === text.split(",").length) return scopes;
  throw new UsageError(`--scopes is ${SCOPES.join(" or ")}, or both with a comma`);
}

/** RFC 3339 with milliseconds, later than `now`. */
export function readExpiry(text: string, now: Date): string {
  const instant = DATE.test(text) && isOnCalendar(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw new UsageError("--expires is a date, 2027-01-31 or 2027-01-31T12:00:00Z");
  if (instant <= now.getTime()) throw new UsageError("--expires is past already");
  return new Date(instant).toISOString();
}

/** In milliseconds. */
export function readDuration(text: string): number {
  const [, count, unit = ""] = DURATION.exec(text) ?? [];
  if (count === undefined)
    throw new UsageError("--grace is a number of minutes, hours or days: 30m, 24h, 7d");
  return Number(count) * (UNIT_MS[unit] ?? 0);
}

/** Null: as the deployment does. */
export function readStamping(text: string): number | null {
  if (text === "on") return null;
  if (text === "off") return 0;
  if (COUNT.test(text)) return Number(text);
  throw new UsageError("stamping is on, off, or how many a minute");
}

/** Null: all receipts are kept. */
export function readRetention(text: string): number | null {
  if (text === "off") return null;
  const months = COUNT.test(text) ? Number(text) : 0;
  if (months >= MIN_RETENTION_MONTHS && months <= MAX_RETENTION_MONTHS) return months;
  throw new UsageError(`retention is ${MIN_RETENTION_MONTHS} to ${MAX_RETENTION_MONTHS} months, or off`);
}

export function readSwitch(text: string): boolean {
  if (text === "on" || text === "off") return text === "on";
  throw new UsageError("a preview is on or off");
}

/** A month of the calendar (UTC), as 2026-11. */
export function readMonth(text: string): string {
  if (MONTH_NAME.test(text)) return text;
  throw new UsageError("--month is a month, 2026-11");
}

/** A day of the calendar (UTC). `option` names it in the error. */
export function readDay(text: string, option: string): string {
  if (DAY.test(text) && isOnCalendar(text)) return text;
  throw new UsageError(`${option} is a date, 2027-01-31`);
}

const DAY_LENGTH = "2027-01-31".length;

/** Date.parse takes 30 February for 2 March, and the hour 24 for the day after. */
const isOnCalendar = (text: string): boolean =>
  new Date(text).toJSON()?.slice(0, DAY_LENGTH) === text.slice(0, DAY_LENGTH);
