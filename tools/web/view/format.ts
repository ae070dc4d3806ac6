// Times, names and hashes as elements. Evidence can hold any text: it is cut, and its direction of writing contained.
import { cutText, localTime, utcTime } from "../../../evidence/reader/text/format.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { el } from "./dom.ts";

const HASH_ENDS = 8;

/** The time in UTC alone, where there is little room. */
export const timeElement = ({ locale }: Pick<Text, "locale">, instant: string): HTMLElement =>
  el("time", { datetime: cutText(instant) }, utcTime(locale, instant));

/** How a reader reads times: in a language, and in a time zone by its IANA name. */
export interface Zoned {
  readonly text: Pick<Text, "locale">;
  readonly timeZone: string;
}

/** The time in UTC, which everybody can compare, and below it in the reader's zone. */
export function zonedTime({ text, timeZone }: Zoned, instant: string): HTMLElement {
  const local = localTime(text.locale, instant, timeZone);
  return el("span", {}, timeElement(text, instant), local === null ? null : el("small", {}, local));
}

/** Hours, minutes and seconds in UTC. */
export const clockTime = (instant: string): string => /T(\d\d:\d\d:\d\d)/.exec(instant)?.[1] ?? "–";

/** As short as a date and time can be that nobody mistakes. `genTime` is RFC 3339 in UTC. */
export const shortTime = (genTime: string): string => genTime.replace(/^(.{10})T(.{8}).*$/, "$1 $2 UTC");

export const shortHash = (hash: string): string => {
  const hex = cutText(hash).replace(/^(?:0x|sha256:)/, "");
  return hex.length > 2 * HASH_ENDS ? `${hex.slice(0, HASH_ENDS)}…${hex.slice(-HASH_ENDS)}` : hex;
};

/** A value from the evidence; its direction of writing can't spill over into ours. */
export const bdi = (value: string): HTMLElement => el("bdi", {}, cutText(value));

export const hash = (value: string): HTMLElement => el("code", { class: "hash" }, cutText(value));
