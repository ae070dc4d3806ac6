// The pictures for README and docs/verifier.md. Written only when asked for, `SCREENSHOTS=1 npm run test:web`: they
// hold no time and no port, but another machine has other fonts.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "./chromium.ts";
import { type PageServer, servePage, vector } from "./page-server.ts";

const FOLDER = new URL("../../../../docs/images/", import.meta.url);
const MAX_BYTES = 200_000;
const MINUTE_MS = 60_000;

/** The commonest of forgeries: the disclosure would have come a minute earlier. */
const ISSUED_AT = /(?<="issued_at": ")[^"]+/;
const backdated = (receipt: string): string =>
  receipt.replace(ISSUED_AT, (time) => new Date(Date.parse(time) - MINUTE_MS).toISOString());

describeInBrowser("a screenshot", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage();
  });
  afterAll(() => server.close());

  const good = { name: "receipt.json", content: vector("receipts/reminder.json") };
  const forged = { name: "damaged.json", content: backdated(vector("receipts/reminder.json")) };
  const conversation = { name: "conversation.json", content: vector("bundles/conversation.json") };

  test.each([
    ["verify-holds", [good], 1480],
    ["verify-damaged", [forged], 1260],
    ["verify-bundle", [conversation], 1490],
    ["verify-many", [good, forged, conversation], 900],
  ] as const)("%s is small enough for a README", async (name, files, height) => {
    const watched = await open(`${server.url}/verify`, {
      viewport: { width: 1000, height },
      timezoneId: "UTC",
    });
    await watched.check(...files);
    await watched.page.evaluate(() => scrollTo(0, 0));
    const picture = await watched.page.screenshot();
    expect(picture.length).toBeLessThan(MAX_BYTES);
    if (process.env.SCREENSHOTS === "1") writeFileSync(new URL(`${name}.png`, FOLDER), picture);
  });
});
