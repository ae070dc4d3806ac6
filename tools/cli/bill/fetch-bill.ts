// Fetches the bill of a month over the API, page by page, and joins its pages to one bill. What comes back is judged when it
// is verified.
import { USAGE_PATH } from "../../../contract/public-paths.ts";
import {
  canonicalize,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "../../../evidence/core/canonical-json.ts";
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { readPages } from "../../../evidence/core/pages.ts";
import { billOf } from "../../../evidence/reader/bill.ts";
import { MAX_BILL_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { inCircles, unavailable } from "../metachain/http-reader.ts";

/** The bytes of an answer; null for a 404. Throws `publication_unavailable`. */
export type GetPage = (path: string) => Promise<Uint8Array | null>;

/** An open bill may grow between two of its pages, with every seal; then it is fetched from its first page on again. */
const MAX_TRIES = 5;

/** Throws `publication_unavailable` where the service has no such bill, or it grows faster than it can be fetched. */
export async function fetchBill(get: GetPage, month: string): Promise<JsonValue> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    const pages = await fetchPages(get, month);
    if (pages !== null) return joinPages(pages);
  }
  throw unavailable("the bill grew while its pages were fetched; try again");
}

interface Page {
  readonly bill: Bill;
  /** As it came: its receipts are judged by their hashes. */
  readonly raw: JsonObject;
}

/** Null where two pages are not of one bill. */
async function fetchPages(get: GetPage, month: string): Promise<Page[] | null> {
  let bytes = 0;
  const getWithinBill: GetPage = async (path) => {
    const answer = await get(path);
    bytes += answer?.length ?? 0;
    // The pages are kept until the last one is there, which the service names: no more than any reader takes.
    if (bytes > MAX_BILL_BYTES) throw unavailable(`the bill is larger than ${MAX_BILL_BYTES} bytes`);
    return answer;
  };
  const read = (shard: number) =>
    fetchPage(getWithinBill, `${USAGE_PATH}?month=${month}&from_shard=${shard}`);
  const nextOf = ({ bill }: Page): number | null => bill.next_shard;
  const pages: Page[] = [];
  for await (const page of readPages({ first: 0, read, nextOf, refuse: inCircles("the bill") })) {
    if (page.bill.month !== month)
      throw unavailable(`the service answers with the bill of ${page.bill.month}`);
    if (commonOf(pages[0] ?? page) !== commonOf(page)) return null;
    pages.push(page);
  }
  return pages;
}

async function fetchPage(get: GetPage, path: string): Promise<Page> {
  const bytes = await get(path);
  if (bytes === null) throw unavailable("the service has no such bill");
  const raw = parseJson(bytes);
  return { bill: await naming(path, async () => billOf(raw)), raw: raw as JsonObject };
}

/** Gives the part that all pages of a bill say alike. */
function commonOf({ raw }: Page): string {
  const { lines: _l, made_at: _m, next_shard: _n, ...common } = raw;
  return canonicalize(common);
}

/** The lines of all pages. The last page was made when all of them held. */
function joinPages(pages: readonly Page[]): JsonValue {
  const [last = {}] = pages.slice(-1).map(({ raw }) => raw);
  return { ...last, lines: pages.flatMap(({ raw }) => raw.lines as readonly JsonValue[]) };
}
