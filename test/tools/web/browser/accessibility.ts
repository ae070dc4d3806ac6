// Finds what keeps a page from its readers: the violations that axe knows, and a page wider than its window.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Everything that axe finds, with everything opened. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.locator("details:not([open]) > summary").evaluateAll((all) => {
    for (const summary of all) (summary as HTMLElement).click();
  });
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    type Violation = { id: string; nodes: { html: string }[] };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
