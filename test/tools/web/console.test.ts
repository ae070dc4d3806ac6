// The console's list keeps one page and no gap, and its links lead the verifier to one report of its own origin.
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  CONSOLE_PAGE_RECEIPTS,
  CONSOLE_PATHS,
  type ConsoleReceiptPage,
  consoleReceiptPageSchema,
} from "../../../contract/console.ts";
import { CONCERNS } from "../../../service/audit/concerns.ts";
import { ask } from "../../../tools/web/console/ask.ts";
import { ReceiptPages } from "../../../tools/web/console/receipt-pages.ts";
import { consoleTextIn } from "../../../tools/web/console/text.ts";
import { linkedReport } from "../../../tools/web/event-link.ts";
import { answerOf } from "./console-world.ts";

const pageAt = (total: number, before: string | null = null): ConsoleReceiptPage =>
  consoleReceiptPageSchema.parse(
    answerOf(CONSOLE_PATHS.receipts, new URLSearchParams(before === null ? {} : { before }), total),
  );
const numbers = (pages: ReceiptPages): number[] => pages.receipts.map(({ sequence }) => sequence);

function listOf(total: number): ReceiptPages {
  const pages = new ReceiptPages();
  pages.show(pageAt(total));
  return pages;
}

describe("the list", () => {
  test("takes in what is new at its top, and lets as many go at its end", () => {
    const pages = listOf(100);
    expect(pages.takeNews(pageAt(103).receipts)).toBe(3);
    expect(numbers(pages)).toEqual(Array.from({ length: CONSOLE_PAGE_RECEIPTS }, (_, i) => 102 - i));
  });

  test("goes on behind its last receipt, also after news: none is passed over", () => {
    const pages = listOf(100);
    pages.takeNews(pageAt(103).receipts);
    const last = numbers(pages).at(-1) ?? 0;
    const before = pages.goOlder();
    pages.show(pageAt(103, before));
    expect(numbers(pages)[0]).toBe(last - 1);
  });

  test("a short list grows, and goes on once it is full", () => {
    const pages = listOf(3);
    expect(pages.page?.next).toBeNull();
    expect(pages.takeNews(pageAt(5).receipts)).toBe(2);
    expect([numbers(pages).length, pages.page?.next]).toEqual([5, null]);
    for (let total = 6; total <= CONSOLE_PAGE_RECEIPTS + 1; total++) pages.takeNews(pageAt(total).receipts);
    expect(pages.page?.next).toBe(pages.receipts.at(-1)?.place);
  });

  test("takes in nothing twice, and on an older page nothing at all", () => {
    const pages = listOf(100);
    expect(pages.takeNews(pageAt(100).receipts)).toBe(0);
    pages.show(pageAt(100, pages.goOlder()));
    expect(pages.takeNews(pageAt(110).receipts)).toBe(0);
    expect(pages.isNewest).toBe(false);
  });

  test("must be read again where nothing of what came is known", () => {
    const pages = listOf(100);
    expect(pages.takeNews(pageAt(100 + 2 * CONSOLE_PAGE_RECEIPTS).receipts)).toBeNull();
  });

  test("goes back page by page, and to the newest at once", () => {
    const pages = listOf(200);
    const second = pages.goOlder();
    pages.show(pageAt(200, second));
    const third = pages.goOlder();
    expect(pages.goNewer()).toBe(second);
    expect(third).not.toBe(second);
    expect(pages.goNewer()).toBeNull();
    pages.goOlder();
    pages.goNewest();
    expect([pages.isNewest, pages.before]).toEqual([true, null]);
  });

  test("puts receipts of one time in the server's order", () => {
    const [first, second] = pageAt(2).receipts;
    if (first === undefined || second === undefined) throw new Error("there are two");
    const at = (chain: string, sequence: number) => ({
      ...first,
      event_id: `${chain}${sequence}`,
      place: `${first.issued_at}~${chain.repeat(32)}~${sequence}`,
      sequence,
    });
    const pages = new ReceiptPages();
    pages.show({ ...pageAt(2), receipts: [second] });
    pages.takeNews([at("a", 1), at("b", 0), at("a", 2)]);
    expect(pages.receipts.map(({ event_id }) => event_id)).toEqual(["b0", "a2", "a1", second.event_id]);
  });
});

describe("a link to the verifier", () => {
  afterEach(() => vi.unstubAllGlobals());
  const ID = "bf613dd1-8153-8838-a000-00000000001d";

  test("is read from the page's own origin, from one path", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (url: URL) => {
      asked.push(url.href);
      return new Response("{}");
    });
    const source = linkedReport(`#event=${ID}`, "http://127.0.0.1:8788");
    expect(source?.name).toBe(`${ID}.json`);
    expect(new TextDecoder().decode(await source?.read())).toBe("{}");
    expect(asked).toEqual([`http://127.0.0.1:8788/console/reports/${ID}`]);
  });

  test("fails as a file that can't be read, where no console serves it", async () => {
    vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }));
    await expect(linkedReport(`#event=${ID}`, "https://receipts.example")?.read()).rejects.toThrow(
      "no console",
    );
  });

  test.each([
    "",
    "#",
    "#checks",
    `#event=${ID}/../../table`,
    `#event=/${ID}`,
    `#event=https://evil.example/${ID}`,
    `#event=${ID.toUpperCase()}`,
    `#event=${ID}&event=${ID}`,
    `#report=${ID}`,
  ])("%j names no report", (fragment) => {
    expect(linkedReport(fragment, "http://127.0.0.1:8788")).toBeNull();
  });

  test("names none for a page that was saved", () => {
    expect(linkedReport(`#event=${ID}`, null)).toBeNull();
  });
});

describe("an answer", () => {
  afterEach(() => vi.unstubAllGlobals());
  const problemOf = async (answer: () => Promise<Response>): Promise<unknown> => {
    vi.stubGlobal("fetch", answer);
    return ask("/console/receipts", consoleReceiptPageSchema).catch(({ problem }) => problem);
  };

  test("that does not come is told from one that says why, and from one that can't be read", async () => {
    expect(await problemOf(() => Promise.reject(new TypeError("refused")))).toBeNull();
    const unavailable = '{"problem":"ledger_unavailable"}';
    expect(await problemOf(async () => new Response(unavailable, { status: 503 }))).toBe(
      "ledger_unavailable",
    );
    expect(await problemOf(async () => new Response("<html>", { status: 502 }))).toBe("502");
    expect(await problemOf(async () => new Response('{"receipts":"many"}'))).toBe("malformed");
  });
});

test.each(["de", "en"] as const)("every concern has its words: %s", (language) => {
  expect(Object.keys(consoleTextIn(language).findings.concerns)).toEqual([...CONCERNS]);
});
