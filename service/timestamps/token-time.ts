// When a stored token was made, as its authority says. Nothing is believed by that: see ReadTokenTime.
import { SECOND_MS } from "../../contract/time.ts";
import { parseBase64 } from "../../evidence/core/bytes.ts";
import { parseTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import type { ReadTokenTime } from "./ports.ts";

export const readTokenTime: ReadTokenTime = async (token) => {
  const { genTime, accuracy } = parseTimestampToken(parseBase64(token)).tstInfo;
  return Date.parse(genTime) - (accuracy ?? 0) * SECOND_MS;
};
