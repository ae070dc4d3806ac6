// Calendar months in UTC: the time that a plan's quota is for.

export interface Month {
  /** RFC 3339 with milliseconds, as receipts' `issued_at`, so that both sort as text. */
  readonly startsAt: string;
  /** When the next month begins. */
  readonly endsAt: Date;
}

export function monthOf(now: Date): Month {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return {
    startsAt: new Date(Date.UTC(year, month)).toISOString(),
    endsAt: new Date(Date.UTC(year, month + 1)),
  };
}
