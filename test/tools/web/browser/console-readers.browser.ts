// The console for operators of every kind, over 100,000 receipts: in German, by keyboard alone, on a phone, in the dark.
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSOLE_PAGE_RECEIPTS } from "../../../../contract/console.ts";
import { answerOf, MANY, OVERVIEW } from "../console-world.ts";
import { overflowOf, violationsOn } from "./accessibility.ts";
import { describeInBrowser, useBrowser } from "./chromium.ts";
import { serveConsolePage } from "./console-server.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const FOLDER = new URL("../../../../docs/images/", import.meta.url);
const MAX_PICTURE_BYTES = 200_000;
/** Far more than the page has, and far fewer than its receipts. */
const MAX_NODES = 3_000;

const nodesOf = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);
const rowsOf = (page: Page): Promise<number> => page.locator("#receipt-rows tr").count();

describeInBrowser("the console", () => {
  const open = useBrowser();
  let server: Awaited<ReturnType<typeof serveConsolePage>>;
  beforeAll(async () => {
    server = await serveConsolePage();
  });
  afterAll(() => server.close());
  const openPage = async (options = {}, url = server.url) => {
    const watched = await open(url, options);
    await watched.page.locator("#chains").waitFor();
    return watched;
  };

  test("keeps one page of 100,000 receipts, however many pages the reader goes through", async () => {
    const { page } = await openPage();
    const first = await nodesOf(page);
    expect(await rowsOf(page)).toBe(CONSOLE_PAGE_RECEIPTS);
    for (let i = 1; i <= 20; i++) {
      await page.getByRole("button", { name: "Older" }).click();
      const oldest = MANY - CONSOLE_PAGE_RECEIPTS * i - 1;
      await page.locator(`tr[data-event$="${oldest.toString(16).padStart(12, "0")}"]`).waitFor();
    }
    expect(await rowsOf(page)).toBe(CONSOLE_PAGE_RECEIPTS);
    expect(await nodesOf(page)).toBeLessThan(Math.min(MAX_NODES, first * 1.2));
    expect(await page.locator("#receipt-note").innerText()).toContain("These are older receipts.");
    await page.getByRole("button", { name: "Newest" }).click();
    await page.locator(`tr[data-event$="${(MANY - 1).toString(16).padStart(12, "0")}"]`).waitFor();
  });

  test("keeps one page while thousands of receipts come", async () => {
    let total = MANY - 5_000;
    const growing = await serveConsolePage((path, question) => {
      if (question.has("watch")) total += 10;
      return answerOf(path, question, total);
    });
    const { page } = await openPage({}, growing.url);
    const before = await nodesOf(page);
    const firstRow = page.locator("#receipt-rows tr").first();
    const was = await firstRow.getAttribute("data-event");
    for (let i = 0; i < 3; i++) await page.waitForResponse(/watch=1/);
    await expect.poll(() => firstRow.getAttribute("data-event")).not.toBe(was);
    expect(await rowsOf(page)).toBe(CONSOLE_PAGE_RECEIPTS);
    expect(await nodesOf(page)).toBeLessThan(before * 1.2);
    await growing.close();
  });

  test("shows the receipts of one tenant or verdict alone, with that tenant's days and chains", async () => {
    const { page } = await openPage();
    await page.getByLabel("Verdict").selectOption("BLOCK");
    await expect
      .poll(() => page.locator("#receipt-rows .mark").allInnerTexts())
      .toEqual(Array.from({ length: CONSOLE_PAGE_RECEIPTS }, () => expect.stringContaining("BLOCK")));
    await page.getByLabel("Tenant", { exact: true }).selectOption("stadtwerke");
    await page.locator("#chains-heading", { hasText: "Chains of stadtwerke" }).waitFor();
    const rows = await page.locator("#receipt-rows").innerText();
    expect(rows).toContain("stadtwerke");
    expect(rows).not.toMatch(/acme|ALLOW/);
    await page.getByRole("button", { name: "Show acme" }).click();
    await page.locator("#days-heading", { hasText: "acme by day" }).waitFor();
  });

  test("says what it shows in pictures in tables as well, which stay open", async () => {
    const { page } = await openPage();
    await page.getByText("The seals as a table").click();
    await page.waitForResponse(/console\/seals/);
    const seals = page.locator("#seal-table tbody tr");
    expect(await seals.count()).toBe(40);
    expect(await seals.first().innerText()).toMatch(/939[\s\S]*witness\.example\/one/);
    expect(await page.locator("#seals svg").getAttribute("aria-label")).toContain("40 seals");
    expect(await page.locator("#tenants").innerText()).toMatch(/9,120 of 10,000 \(91\.2%\)\s*nearly used up/);
  });

  test("names every concern in words", async () => {
    const concerns = ["receipts_wait", "quorum_missing", "something_new"];
    const worried = await serveConsolePage((path, question) =>
      path === "/console/overview" ? { ...OVERVIEW, concerns } : answerOf(path, question),
    );
    const { page } = await openPage({}, worried.url);
    expect(await page.locator("#findings").innerText()).toMatch(
      /3 things need attention\.[\s\S]*Receipts have waited[\s\S]*quorum[\s\S]*something_new/,
    );
    await worried.close();
  });

  test("says all is well of what was checked alone, and of whom it counts where that is not all", async () => {
    const unchecked = { ...OVERVIEW.tokens[0], holds: null, detail: "no certificate", valid_until: null };
    const partial = await serveConsolePage((path, question) => {
      const answer = answerOf(path, question);
      if (path === "/console/overview") return { ...OVERVIEW, tokens: [...OVERVIEW.tokens, unchecked] };
      return path === "/console/tenants" ? { ...(answer as object), left_out: 7 } : answer;
    });
    const { page } = await openPage({}, partial.url);
    const findings = await page.locator("#findings").innerText();
    expect(findings).toContain("Nothing needs attention, as far as it was checked.");
    expect(findings).not.toContain("All is well.");
    expect(await page.locator(".figures").innerText()).toMatch(/63,854\s+of 3 tenants alone/);
    await partial.close();
  });

  test("never says that there was no receipt yet where all were removed", async () => {
    const removed = { receipts: [], next: null, removed: 3, damaged: 0, chains_left_out: 0 };
    const old = await serveConsolePage((path, question) =>
      path === "/console/receipts" ? removed : answerOf(path, question),
    );
    const { page } = await openPage({}, old.url);
    await page.locator("#receipt-notes p").waitFor();
    expect(await page.locator("#receipt-notes").innerText()).toBe(
      "Removed under retention, and so not shown: 3.",
    );
    await old.close();
  });

  test("lets a tenant be chosen before the days of any were read", async () => {
    const slow = await serveConsolePage((path, question) =>
      path === "/console/days" ? undefined : answerOf(path, question),
    );
    const watched = await open(slow.url);
    await watched.page.getByRole("button", { name: "Show acme" }).click();
    await expect.poll(() => watched.page.getByLabel("Tenant", { exact: true }).inputValue()).toBe("acme");
    await slow.close();
  });

  test("says that a deployment can't be read, by its code, and shows it once it can", async () => {
    let isDown = true;
    const down = await serveConsolePage((path, question) =>
      isDown ? { status: 503, body: '{"problem":"ledger_unavailable"}' } : answerOf(path, question),
    );
    const watched = await open(down.url);
    await watched.page.locator(".trouble").waitFor();
    expect(await watched.page.locator(".trouble").innerText()).toContain("(ledger_unavailable)");
    isDown = false;
    await watched.page.locator("#chains").waitFor();
    await watched.page.locator(".trouble").waitFor({ state: "detached" });
    // Chromium logs every 503.
    watched.complaints.length = 0;
    await down.close();
  });

  test("is German for whoever reads German", async () => {
    const { page } = await openPage({ locale: "de-DE" });
    expect(await page.locator("h1").innerText()).toBe("Konsole von receipts-production");
    expect(await page.locator("#findings").innerText()).toContain("Alles in Ordnung.");
    expect(await page.locator("#tenants").innerText()).toContain("9.120 von 10.000");
    const words = await page.locator("main").innerText();
    expect(words).not.toMatch(/\b(?:Receipts|Newest|Tenant|Check|Turn)\b/);
    await page.getByRole("button", { name: "English" }).click();
    expect(await page.locator("h1").innerText()).toBe("Console of receipts-production");
    expect(await rowsOf(page)).toBe(CONSOLE_PAGE_RECEIPTS);
  });

  test("can be used by keyboard alone: skip, choose, page, and no focus is lost to what comes", async () => {
    const { page } = await openPage();
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the receipts");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("choose-tenant");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("choose-verdict");
    await page.keyboard.press("m");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("pause");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Go on" }).waitFor();
    expect(await focused()).toBe("pause");
    await page.waitForResponse(/console\/overview/);
    expect(await focused()).toBe("pause");
    for (let i = 0; i < CONSOLE_PAGE_RECEIPTS; i++) await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("#receipt-rows") !== null)).toBe(true);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("go-older");
    const older = page.waitForResponse(/before=/);
    await page.keyboard.press("Enter");
    await older;
    await page.getByText("These are older receipts.").waitFor();
    expect(await focused()).toBe("go-older");
  });

  test.each([
    ["light", {}],
    ["dark", { colorScheme: "dark" as const }],
    ["phone", PHONE],
    ["phone in the dark", { ...PHONE, colorScheme: "dark" as const }],
    ["narrow phone, in German", { ...PHONE, viewport: { width: 320, height: 700 }, locale: "de-DE" }],
    ["common phone, in German", { ...PHONE, viewport: { width: 360, height: 780 }, locale: "de-DE" }],
  ])("is accessible, and fits: %s", async (_, options) => {
    const { page } = await openPage(options);
    expect(await violationsOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  });

  test("moves nothing for whoever wants no motion", async () => {
    const { page } = await openPage({ reducedMotion: "reduce" });
    const name = await page.evaluate(() => {
      const row = document.querySelector("#receipt-rows tr");
      row?.classList.add("arrived");
      return row === null ? null : getComputedStyle(row).animationName;
    });
    expect(name).toBe("none");
  });

  test("has a picture that is small enough for its page", async () => {
    const { page } = await openPage({ viewport: { width: 1100, height: 1250 }, timezoneId: "UTC" });
    const picture = await page.screenshot();
    expect(picture.length).toBeLessThan(MAX_PICTURE_BYTES);
    if (process.env.SCREENSHOTS === "1") writeFileSync(new URL("console.png", FOLDER), picture);
  });
});
