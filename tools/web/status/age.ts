// The time that has passed since an instant, as people say it.

const SECOND_MS = 1_000;
/** Each unit from the age on at which one of it has passed. */
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/**
 * "3 minutes ago" in the language of `locale`; null for an instant that is still to come by this clock, or is none.
 * `instant` is RFC 3339.
 */
export function ageOf(locale: string, instant: string, now: Date): string | null {
  const seconds = Math.floor((now.getTime() - Date.parse(instant)) / SECOND_MS);
  const [unit, length] = UNITS.find(([, atLeast]) => seconds >= atLeast) ?? ["second", 1];
  if (Number.isNaN(seconds) || seconds < 0) return null;
  return new Intl.RelativeTimeFormat(locale, { numeric: "always" }).format(
    -Math.floor(seconds / length),
    unit,
  );
}
