// The bracket in a reader's words: the two signed times between which a receipt was recorded, and what is remarkable.

import type { ProvenTime } from "../../core/timestamps/proven-time.ts";
import { bracketOf } from "../bracket.ts";
import type { ExaminedTurn } from "../examination.ts";
import { provenBy, provenSince } from "../times.ts";
import { isRefuted } from "../verdict.ts";
import { commonName, cutText, utcTime } from "./format.ts";
import type { Text } from "./text.ts";

const HOUR_MS = 60 * 60 * 1000;

/**
 * The sentence that names both times, then a remark for each thing that a reader should ask about. None where no time is
 * proven at all: that is said elsewhere. `now` is RFC 3339.
 */
export function describeBracket(text: Text, turn: ExaminedTurn, now: string): string[] {
  const { bracket, delay } = text.facts;
  if (isRefuted(turn)) return [];
  const { after, by, isLeft, unusualWidth } = bracketOf(turn, now);
  const timeOf = (instant: string): string => utcTime(text.locale, instant);
  const nameOf = ({ authority }: ProvenTime): string => cutText(commonName(authority.subject));
  if (after === null) return by === null ? [] : [bracket.noLower];
  const from = [timeOf(provenSince(after)), nameOf(after)] as const;
  if (by === null) return [bracket.after(...from)];
  return [
    bracket.between(...from, timeOf(provenBy(by)), nameOf(by)),
    ...(isLeft ? [bracket.left] : []),
    ...(unusualWidth === null ? [] : [bracket.wide(delay(Math.floor(unusualWidth / HOUR_MS)))]),
  ];
}
