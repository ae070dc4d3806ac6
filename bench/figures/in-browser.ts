// Verifies reports in Chromium by the code that Node ran, built as the pages of tools/web/ are.
import type { Browser, Page } from "playwright-core";
import { buildScript } from "../../build/web.ts";
import { formatBase64 } from "../../evidence/core/bytes.ts";
import { listen } from "../../host/server/http-server.ts";
import type { ManyReceipts } from "../many-receipts.ts";
import { medianOf } from "../measuring.ts";
import { BROWSER_PATIENCE_MS, chromiumPath, launchChromium } from "./chromium.ts";
import type { GivenReports, WithReportPage } from "./report-page.ts";

const SCRIPT = new URL("./report-page.ts", import.meta.url);
const SCRIPT_PATH = "/page.js";
const DOCUMENT = `<!doctype html><title>reports</title><script src="${SCRIPT_PATH}"></script>`;

export interface BrowserRuns {
  readonly runs: number;
  /** How often a run verifies all reports: the system counts a process's time in hundredths of a second. */
  readonly times: number;
}

export interface InBrowser {
  /** Receipts a second of processor time: the median of the runs, and the best. */
  readonly rates: readonly [median: number, best: number];
  readonly version: string;
}

/** Null where no Chromium is installed. */
export async function verifyInBrowser(many: ManyReceipts, runs: BrowserRuns): Promise<InBrowser | null> {
  if (chromiumPath === null) return null;
  const [browser, script] = [await launchChromium(chromiumPath), await buildScript(SCRIPT)];
  // Browsers verify signatures for pages of this machine and of HTTPS alone.
  const server = await listen(({ url }) =>
    url === SCRIPT_PATH
      ? { status: 200, headers: { "content-type": "text/javascript; charset=utf-8" }, body: script }
      : { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: DOCUMENT },
  );
  try {
    const page = await openPage(browser, server.url, many);
    const seconds = await secondsOfRuns(browser, page, runs);
    const all = seconds.map((each) => (many.texts.length * runs.times) / each);
    return { rates: [medianOf(all), Math.max(...all)], version: browser.version() };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function openPage(browser: Browser, url: string, many: ManyReceipts): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_PATIENCE_MS);
  await page.goto(url);
  const { texts, seal, trustAnchors } = many;
  const given: GivenReports = { texts, seal, trustAnchors: trustAnchors.map(formatBase64) };
  await page.evaluate((all) => (globalThis as unknown as WithReportPage).reportPage.open(all), given);
  return page;
}

/** The processor time of each run, after one that only warms up. */
async function secondsOfRuns(browser: Browser, page: Page, { runs, times }: BrowserRuns): Promise<number[]> {
  const system = await browser.newBrowserCDPSession();
  const taken = async (): Promise<number> => {
    const { processInfo } = await system.send("SystemInfo.getProcessInfo");
    const pages = processInfo.filter(({ type }) => type === "renderer");
    return pages.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const run = (): Promise<void> =>
    page.evaluate((often) => (globalThis as unknown as WithReportPage).reportPage.verifyAll(often), times);
  await run();
  const seconds: number[] = [];
  for (let round = 0; round < runs; round++) {
    const before = await taken();
    await run();
    seconds.push((await taken()) - before);
  }
  return seconds;
}
