// Amounts of money, which are whole minor units of a currency everywhere else.

/** As `12.34 EUR`. A currency that this runtime does not know is taken to have two digits, as most have. */
export function formatMoney(minorUnits: number, currency: string): string {
  const { minimumFractionDigits: digits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  const text = String(minorUnits).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  return digits === 0 ? `${whole} ${currency}` : `${whole}.${text.slice(-digits)} ${currency}`;
}
