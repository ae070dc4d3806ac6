// DynamoDB's numbers: up to 38 significant digits, which a double can't hold, so they are compared digit by digit.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
import { invalid } from "./errors.ts";

const MAX_DIGITS = 38;
/** The exponents of 0.d1d2…: 9.9E+125 and 1E-130 are the largest and the smallest magnitudes. */
const MAX_EXPONENT = 126;
const MIN_EXPONENT = -129;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/;
const DIGITS_PER_BYTE = 2;

/** ±0.digits · 10^exponent, with no zero at either end of the digits; zero has none, and no sign. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** The number as DynamoDB writes it: no exponent, and no zeros that say nothing. Throws for what is none. */
export function canonicalNumber(text: string): string {
  const { isNegative, digits, exponent } = parseDecimal(text);
  if (digits === "") return "0";
  const whole = digits.slice(0, Math.max(0, exponent)).padEnd(exponent, "0") || "0";
  const rest = exponent < 0 ? "0".repeat(-exponent) + digits : digits.slice(exponent);
  return `${isNegative ? "-" : ""}${whole}${rest === "" ? "" : `.${rest}`}`;
}

/** Negative where `a` is less than `b`, 0 where they are equal. Both are canonical. */
export function compareNumbers(a: string, b: string): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  const signs = signOf(left) - signOf(right);
  if (signs !== 0) return signs;
  const magnitudes = left.exponent - right.exponent || compareText(left.digits, right.digits);
  return left.isNegative ? -magnitudes : magnitudes;
}

/** DynamoDB counts a byte of a number for two digits, one more, and one for a minus. */
export function numberBytes(text: string): number {
  const { isNegative, digits } = parseDecimal(text);
  return Math.ceil(digits.length / DIGITS_PER_BYTE) + 1 + Number(isNegative);
}

function parseDecimal(text: string): Decimal {
  const [match, sign, whole = "", fraction = "", power = "0"] = NUMBER.exec(text) ?? [];
  if (match === undefined || whole + fraction === "") {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  const significant = (whole + fraction).replace(/^0+/, "");
  const digits = significant.replace(/0+$/, "");
  if (digits === "") return { isNegative: false, digits, exponent: 0 };
  const exponent = Number(power) + significant.length - fraction.length;
  requireRange(digits, exponent);
  return { isNegative: sign === "-", digits, exponent };
}

function requireRange(digits: string, exponent: number): void {
  if (digits.length > MAX_DIGITS) {
    throw invalid("Attempting to store more than 38 significant digits in a Number");
  }
  const stored = "Attempting to store a number with magnitude";
  if (exponent > MAX_EXPONENT) throw invalid(`Number overflow. ${stored} larger than supported range`);
  if (exponent < MIN_EXPONENT) throw invalid(`Number underflow. ${stored} smaller than supported range`);
}

const signOf = ({ isNegative, digits }: Decimal): number => (digits === "" ? 0 : isNegative ? -1 : 1);

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
