// How long an answer asks to be left alone (RFC 9110 section 10.2.3).

const SECONDS = /^\d{1,9}$/;

/** Milliseconds; 0 where nothing is asked for, or nothing that can be read. */
export function readRetryAfter(headers: Headers, now: number): number {
  const asked = headers.get("retry-after")?.trim() ?? "";
  if (SECONDS.test(asked)) return Number(asked) * 1000;
  // Both dates are by the service's clock, so that a wrong one on this side does not matter.
  const served = Date.parse(headers.get("date") ?? "");
  const delay = Date.parse(asked) - (Number.isNaN(served) ? now : served);
  return delay > 0 ? delay : 0;
}
