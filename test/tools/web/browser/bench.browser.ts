// The browser's row of `npm run bench verify`: reports are really verified in it, so one that does not hold ends the bench.
import { expect, test } from "vitest";
import { verifyInBrowser } from "../../../../bench/figures/in-browser.ts";
import { buildManyReceipts } from "../../../../bench/many-receipts.ts";
import { describeInBrowser } from "./chromium.ts";

const RUNS = { runs: 1, times: 1 };

describeInBrowser("the bench's page", () => {
  const many = buildManyReceipts(3, 2);

  test("verifies reports with their published seal, and says which browser it was", async () => {
    const measured = await verifyInBrowser(many, RUNS);
    expect(measured?.version).toMatch(/^\d+\./);
    expect(measured?.rates.every((rate) => rate > 0)).toBe(true);
  });

  test("refuses a report that does not hold", async () => {
    const [first = "", ...others] = many.texts;
    const texts = [first.replace('"sequence":0', '"sequence":1'), ...others];
    await expect(verifyInBrowser({ ...many, texts }, RUNS)).rejects.toThrow("receipt 0 does not hold");
  });
});
