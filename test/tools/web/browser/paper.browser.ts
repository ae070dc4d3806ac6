// The printed evidence sheet says as little as the page: what a result rests on, and where nothing could be compared.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "./chromium.ts";
import { type PageServer, picked, servePage } from "./page-server.ts";

/** The words of the sheet that would be printed. */
async function printed(page: Page): Promise<string> {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  return (await page.locator(".evidence-sheet").textContent()) ?? "";
}

describeInBrowser("a printed sheet", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage(() => ({ status: 503 }));
  });
  afterAll(() => server.close());

  test("of an example says that it is one", async () => {
    const { page } = await open(`${server.url}/verify`);
    await page.getByRole("button", { name: "Open an example" }).click();
    await page.locator(".verdict").waitFor();
    expect(await printed(page)).toContain("This is an example.");
  });

  test("names no host whose roots could not be read, and the files that were believed", async () => {
    const watched = await open(`${server.url}/verify`);
    await watched.check(picked("receipts/reminder.json"), picked("authorities/service.pem"));
    const sheet = await printed(watched.page);
    expect(sheet).toContain("nowhere: nothing was compared with the published roots");
    expect(sheet).toContain("Believed as you added it: service.pem.");
    // Chromium logs every 503.
    watched.complaints.length = 0;
  });
});
