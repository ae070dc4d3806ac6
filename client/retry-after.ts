// How long an answer asks to be left alone (RFC 9110 section 10.2.3).

const SECONDS = /^\d{1,9}$/;
/** IMF-fixdate. Date.parse alone would take "in 5 minutes" for a day of May. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** Nobody is waited for longer at a time; a timer of more than 24 days would end at once. */
const MAX_DELAY_MS = 3_600_000;

/** Milliseconds; 0 where nothing is asked for, or nothing that can be read. */
export function readRetryAfter(headers: Headers, now: number): number {
  const asked = headers.get("retry-after")?.trim() ?? "";
  if (SECONDS.test(asked)) return Math.min(Number(asked) * 1000, MAX_DELAY_MS);
  // Both dates are by the service's clock, so that a wrong one on this side does not matter.
  const delay = readDate(asked, Number.NaN) - readDate(headers.get("date") ?? "", now);
  return delay > 0 ? Math.min(delay, MAX_DELAY_MS) : 0;
}

const readDate = (text: string, otherwise: number): number =>
  HTTP_DATE.test(text) ? Date.parse(text) : otherwise;
