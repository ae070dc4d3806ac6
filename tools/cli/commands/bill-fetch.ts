// `bill fetch`: fetches the bill of one of the tenant's months, all of its pages, into one file.
import { MONTH_NAME } from "../../../evidence/core/formats/month.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { billOf } from "../../../evidence/reader/bill.ts";
import { fetchBill } from "../bill/fetch-bill.ts";
import { Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { readSecret } from "../files/secret.ts";
import { replaceFile } from "../files/write-file.ts";
import { MAX_THROTTLED, openKeyed } from "../metachain/keyed-reader.ts";
import { bold, type Terminal } from "../output/terminal.ts";

const OPTIONS = {
  key: { type: "string" },
  month: { type: "string" },
  output: { type: "string", short: "o" },
} as const;

/** A page has some two megabytes. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

export const FETCH_HELP = `Usage: disclosure-receipts bill fetch URL --key KEY|@FILE --month YYYY-MM -o FILE

Fetches the bill of one of your months, all of its pages, into one file. It is not
checked: bill verify does that, without a key.

  --key KEY|@FILE    an API key with the scope report
  --month YYYY-MM    the month, in UTC; the current one is open
  -o, --output FILE  the JSON file to write

Exit status: 0 written, 2 the service could not be read.`;

export async function runFetch(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new UsageError("bill fetch takes the service's URL");
  const { month, output } = values;
  if (month === undefined || !MONTH_NAME.test(month)) throw new UsageError("name the month: --month YYYY-MM");
  if (output === undefined) throw new UsageError("name the file to write: -o FILE");
  const key = await readSecret(values.key, "--key");
  const reader = openKeyed(address, key, { maxBytes: MAX_PAGE_BYTES, maxThrottled: MAX_THROTTLED });
  const fetched = await fetchBill((path) => reader.get(path), month);
  await replaceFile(output, `${JSON.stringify(fetched, null, 2)}\n`);
  const { status, count: receipts, lines } = billOf(fetched);
  const what = `${count(receipts, "receipt")} in ${count(lines.length, "chain")}`;
  terminal.print(bold(output), `: the bill of ${month}, ${status}: ${what}`);
  return Exit.holds;
}
