// One headless Chromium a test file, and what a reader does in it.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { BROWSER_PATIENCE_MS, chromiumPath, launchChromium } from "../../../../bench/figures/chromium.ts";

/** Leads here, but is no host that a browser trusts without HTTPS. */
export const PLAIN_HOST = "plain.example";
const ARGUMENTS = [`--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`];

export const describeInBrowser = chromiumPath === null ? describe.skip : describe;

/** A file as a reader picks it. */
export type Picked = { readonly name: string; readonly content: string | Uint8Array };

/** A page that is watched: what it logs, what it throws, and where it connects to. */
export class WatchedPage {
  readonly page: Page;
  readonly complaints: string[] = [];
  readonly connections: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("console", (message) => {
      // That a root is not published is an answer; Chromium logs every 404.
      if (message.type() === "error" && !message.text().includes("404")) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.context().on("request", (request) => this.connections.push(request.url()));
  }

  /** Picks files and waits for what the page says of them. */
  async check(...files: readonly Picked[]): Promise<void> {
    const payload = files.map(({ name, content }) => ({ name, mimeType: "", buffer: Buffer.from(content) }));
    await this.page.locator("input[type=file]").first().setInputFiles(payload);
    await this.page.locator("main:not(:has(progress))").waitFor();
    await this.page.locator(".verdict, .problem, .notice, .overview").first().waitFor();
  }

  /** The same after the page was emptied. */
  async checkAnew(...files: readonly Picked[]): Promise<void> {
    await this.page.getByRole("button", { name: "Start over" }).click();
    await this.check(...files);
  }

  /** The verdict on the piece that is opened. */
  verdict(): Promise<string> {
    return this.page.locator("#verdict-heading").innerText();
  }

  /** The sentence on all files. */
  headline(): Promise<string> {
    return this.page.locator("#overview-heading").innerText();
  }

  /** The line of a file in the list: its words. */
  line(name: string): Promise<string> {
    return this.page.locator(".entry", { hasText: name }).locator(".entry-words").innerText();
  }
}

/** Opens pages in one browser, and holds that none of them complained of anything. */
export function useBrowser() {
  let browser: Browser;
  const opened: WatchedPage[] = [];
  beforeAll(async () => {
    browser = await launchChromium(chromiumPath ?? "", ARGUMENTS);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const complaints = opened.flatMap((watched) => watched.complaints);
    for (const { page } of opened.splice(0)) await page.context().close();
    expect(complaints).toEqual([]);
  });
  return async (url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> => {
    const context = await browser.newContext({
      locale: "en-GB",
      timezoneId: "Europe/Berlin",
      viewport: { width: 1100, height: 800 },
      ...options,
    });
    context.setDefaultTimeout(BROWSER_PATIENCE_MS);
    const watched = new WatchedPage(await context.newPage());
    opened.push(watched);
    await watched.page.goto(url);
    return watched;
  };
}
