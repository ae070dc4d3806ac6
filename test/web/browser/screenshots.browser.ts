// The pictures for README and docs/verifier.md. Written only when asked for, `SCREENSHOTS=1 npm run test:web`: they
// hold no time and no port, but another machine has other fonts.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "./chromium.ts";
import { type PageServer, servePage, vector } from "./page-server.ts";

const FOLDER = new URL("../../../docs/images/", import.meta.url);
const MAX_BYTES = 150_000;

describeInBrowser("a screenshot", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage();
  });
  afterAll(() => server.close());

  test.each([
    ["verify-holds", "receipts/reminder.json", 1420],
    ["verify-damaged", "damaged/receipt-core-verdict.json", 1330],
    ["verify-bundle", "bundles/conversation.json", 1530],
  ])("%s is small enough for a README", async (name, file, height) => {
    const viewport = { width: 1000, height };
    const watched = await open(`${server.url}/verify`, { viewport });
    await watched.check({ name: "receipt.json", content: vector(file) });
    await watched.page.evaluate(() => scrollTo(0, 0));
    const picture = await watched.page.screenshot();
    expect(picture.length).toBeLessThan(MAX_BYTES);
    if (process.env.SCREENSHOTS === "1") writeFileSync(new URL(`${name}.png`, FOLDER), picture);
  });
});
