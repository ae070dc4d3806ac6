// Links to reports, as the console has them: each opens its report, and says so where nobody has it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSOLE_REPORTS_PATH } from "../../../../contract/console.ts";
import { describeInBrowser, useBrowser } from "./chromium.ts";
import { json, type PageServer, servePage, vector } from "./page-server.ts";

const ID = "62d395ff-c7bd-8f5d-b000-00000000000";
const REPORTS: Readonly<Record<string, string>> = {
  [`${CONSOLE_REPORTS_PATH}/${ID}1`]: "receipts/reminder.json",
  [`${CONSOLE_REPORTS_PATH}/${ID}2`]: "damaged/receipt-core-disclosure-subject_hash.json",
};

describeInBrowser("a link of the console", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage((path) => {
      const report = REPORTS[path];
      return report === undefined ? { status: 404 } : json(JSON.parse(vector(report)));
    });
  });
  afterAll(() => server.close());

  test("opens its report, and another one in the same tab opens its own alone", async () => {
    const { page } = await open(`${server.url}/verify#event=${ID}1`);
    const heading = page.locator("#verdict-heading");
    await heading.filter({ hasText: "This receipt holds as far as" }).waitFor();
    await page.evaluate((hash) => location.replace(hash), `#event=${ID}2`);
    await heading.filter({ hasText: "This receipt does not hold." }).waitFor();
    expect(await page.locator(".overview").count()).toBe(0);
    expect(await page.locator("#file").innerText()).toContain(`${ID}2.json`);
  });

  test("says of a report that nobody has here that it could not be had", async () => {
    const { page } = await open(`${server.url}/verify#event=${ID}3`);
    expect(await page.locator(".problem").innerText()).toContain("It could not be had:");
  });
});
