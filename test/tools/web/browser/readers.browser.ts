// Readers of every kind: in German, by keyboard alone, by screen reader, on a phone, in the dark, on paper, offline.
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readReceipt } from "../../../support/vector-files.ts";
import { overflowOf, violationsOn } from "./accessibility.ts";
import { describeInBrowser, PLAIN_HOST, useBrowser } from "./chromium.ts";
import { type PageServer, pageFile, picked, servePage, vector, vectorFile } from "./page-server.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describeInBrowser("a reader", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage();
  });
  afterAll(() => server.close());
  const address = () => `${server.url}/verify`;

  test("whose browser asks for German reads German, and can switch without losing the result", async () => {
    const { page, ...watched } = await openAs({ locale: "de-AT" });
    await watched.check(picked("receipts/reminder.json"));
    const [receipt] = readReceipt("receipts/reminder.json").receipts;
    expect(await page.locator("#verdict-heading").innerText()).toBe(
      "Dieser Beleg hält der technischen Prüfung stand.",
    );
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    expect(await page.locator("#facts").innerText()).toContain(
      new Intl.DateTimeFormat("de", { dateStyle: "long", timeZone: "Europe/Berlin" }).format(
        new Date(receipt?.issued_at ?? Number.NaN),
      ),
    );
    await page.getByRole("button", { name: "English" }).click();
    expect(await page.locator("#verdict-heading").innerText()).toBe("This receipt holds.");
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  test("whose browser is three years old reads as well", async () => {
    const watched = await open("about:blank");
    await watched.page.addInitScript(() => {
      for (const [holder, name] of [
        [Blob.prototype, "bytes"],
        [Promise, "withResolvers"],
        [Map, "groupBy"],
        [Object, "groupBy"],
        [URL, "parse"],
        [Uint8Array, "fromBase64"],
        [Uint8Array, "fromHex"],
      ] as const)
        Reflect.deleteProperty(holder, name);
    });
    await watched.page.goto(address());
    await watched.check(picked("bundles/conversation.json"));
    expect(await watched.verdict()).toBe("The record of this conversation holds.");
  });

  test("follows a link in German whatever the browser asks for", async () => {
    const { page } = await open(`${address()}?lang=de`);
    expect(await page.locator("h1").innerText()).toBe("Einen Beleg über einen KI-Hinweis prüfen");
  });

  test("can do everything by keyboard: paste, check, open a part of the picture", async () => {
    const { page } = await open(address());
    await tabTo(page, "Paste text instead");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.insertText(vector("receipts/reminder.json"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".verdict").waitFor();
    expect(await focusedText(page)).toBe("This receipt holds.");
    await tabTo(page, "Published root no. 1");
    await page.keyboard.press("Enter");
    expect(await page.locator("#part-0-root").getAttribute("open")).not.toBeNull();
    expect(await focusedText(page)).toContain("Published root no. 1");
  });

  test("pastes onto the page itself", async () => {
    const { page } = await open(address());
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, vector("receipts/reminder.json"));
    await page.locator(".verdict").waitFor();
    expect(await page.locator("#file").innerText()).toContain("pasted text");
  });

  test("drops a file anywhere", async () => {
    const { page } = await open(address());
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "dropped.json"));
      document.body.dispatchEvent(
        new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true }),
      );
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, vector("receipts/reminder.json"));
    await page.locator(".verdict").waitFor();
    expect(await page.locator("#file").innerText()).toContain("dropped.json");
    expect(await page.locator("body.receiving").count()).toBe(0);
  });

  test("drops text as well, which a field keeps for itself", async () => {
    const { page } = await open(address());
    const drop = (selector: string, text: string): Promise<boolean> =>
      page.evaluate(
        ([selector = "", text = ""]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData("text", text);
          const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
          return document.querySelector(selector)?.dispatchEvent(event) ?? false;
        },
        [selector, text],
      );
    expect(await drop("#paste", "{}")).toBe(true);
    expect(await drop("main", vector("receipts/reminder.json"))).toBe(false);
    await page.locator(".verdict").waitFor();
    expect(await page.locator("#file").innerText()).toContain("pasted text");
  });

  test("hears the verdict: it is announced, and it gets the focus", async () => {
    const watched = await open(address());
    await watched.check(picked("receipts/reminder.json"));
    expect(await watched.page.getByRole("status").innerText()).toBe("This receipt holds.");
    expect(await focusedText(watched.page)).toBe("This receipt holds.");
  });

  // Colours and language don't depend on each other: each is met with every file.
  for (const [colorScheme, locale] of [
    ["light", "en-GB"],
    ["dark", "de-DE"],
  ] as const) {
    test.each([
      [],
      ["receipts/reminder.json"],
      ["receipts/greeting-pending.json"],
      ["damaged/receipt-core-disclosure-subject_hash.json"],
      ["bundles/conversation.json"],
      ["damaged/bundle-stated-begin.json"],
      ["damaged/bundle-turn-dropped.json"],
      ["damaged/receipt-unreadable-cut.json"],
      ["seals/2.json"],
      ["authorities/service.pem"],
      ["receipts/greeting.json", "requests/reminder.json", "../timestamps/openssl-rsa-ca.pem"],
      ["receipts/greeting.json", "damaged/bundle-turn-dropped.json", "damaged/receipt-unreadable-cut.json"],
    ])(`meets no barrier in ${colorScheme} colours, ${locale}, with %s`, async (...files) => {
      const watched = await open(address(), { colorScheme, locale, bypassCSP: true });
      if (files.length > 0) await watched.check(...files.map(picked));
      expect(await violationsOn(watched.page)).toEqual([]);
    });
  }

  test.each(["receipts/reminder.json", "bundles/conversation.json", "damaged/bundle-turns-swapped.json"])(
    "on a phone never scrolls sideways through %s",
    async (file) => {
      const watched = await open(address(), PHONE);
      expect(await overflowOf(watched.page)).toBe(0);
      await watched.check(picked(file));
      await watched.page.locator("summary").evaluateAll((all) => {
        for (const summary of all) (summary as HTMLElement).click();
      });
      expect(await overflowOf(watched.page)).toBe(0);
      const heights = await watched.page
        .locator("button:visible")
        .evaluateAll((all) => all.map((one) => one.clientHeight));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
    },
  );

  test("prints an evidence sheet on A4: which receipt, its files, every check, and no controls", async () => {
    const watched = await open(address());
    await watched.check(picked("receipts/reminder.json"), picked("requests/reminder.json"));
    const { receipts } = JSON.parse(vector("receipts/reminder.json"));
    const number: string = receipts[0].event_id;
    expect(await watched.page.title()).toBe(`Receipt ${number}`);
    await watched.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await watched.page.emulateMedia({ media: "print" });
    expect(await watched.page.locator("button:visible").count()).toBe(0);
    expect(await watched.page.locator("main:visible").count()).toBe(0);
    const sheet = await watched.page.locator(".evidence-sheet").innerText();
    expect(sheet).toContain("That is weaker evidence: it shows that the service agrees with itself.");
    for (const words of [number, "call-2026-000117", "reminder.json"]) expect(sheet).toContain(words);
    expect(sheet.match(/SHA-256 [0-9a-f]{64}/g)?.length).toBe(3);
    const pdf = await watched.page.pdf({ preferCSSPageSize: true });
    const pages = pdf.toString("latin1").match(/\/MediaBox *\[0 0 59[45][\d.]* 84[12]/g) ?? [];
    expect(pages.length).toBeGreaterThanOrEqual(1);
    expect(pages.length).toBeLessThanOrEqual(3);
    await watched.page.evaluate(() => dispatchEvent(new Event("afterprint")));
    expect(await watched.page.locator(".evidence-sheet").count()).toBe(0);
  });

  test("keeps the language that was chosen, and is not stopped where nothing can be kept", async () => {
    const { page } = await open(address());
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.reload();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, "localStorage", {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      }),
    );
    await page.reload();
    await page.getByRole("button", { name: "Deutsch" }).click();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
  });

  test("reads each time in UTC and in the own zone", async () => {
    const watched = await open(address());
    await watched.check(picked("receipts/reminder.json"));
    const facts = await watched.page.locator("#facts").innerText();
    const issuedAt = new Date(JSON.parse(vector("receipts/reminder.json")).receipts[0].issued_at);
    const clock = (timeZone: string): string => issuedAt.toLocaleTimeString("en-GB", { timeZone });
    expect(facts).toContain(`at ${clock("UTC")} UTC`);
    expect(facts).toContain(`${clock("Europe/Berlin")} CET`);
  });

  test.each([
    ["Open an example", "This receipt holds."],
    ["Open a forged one", "This receipt does not hold."],
  ])("without a receipt can %s, about which no host is asked", async (button, verdict) => {
    const watched = await open(address());
    await watched.page.getByRole("button", { name: button }).click();
    await watched.page.locator(".verdict").waitFor();
    expect(await watched.verdict()).toBe(verdict);
    expect(await watched.page.locator(".notice").innerText()).toContain("This is an example.");
    expect(await watched.page.locator(".verdict").innerText()).not.toContain("Believed as you added it");
    expect(watched.connections.filter((url) => url.includes("/v1/") || url.includes("/tsa/"))).toEqual([]);
    await watched.check(picked("receipts/greeting.json"));
    expect(await watched.page.locator(".notice, .overview").count()).toBe(0);
  });

  test("can compare a text with the digest that the receipt names", async () => {
    const watched = await open(address());
    await watched.check(picked("receipts/reminder.json"));
    await watched.page.getByText("Compare with a text").click();
    const wording = await watched.page.locator("blockquote").innerText();
    const field = watched.page.getByLabel("The text of the notice, word for word");
    for (const [text, answer] of [
      [`${wording}\n`, "This is the text whose digest is recorded."],
      [`${wording}!`, "This is not the text"],
    ] as const) {
      await field.fill(text);
      await watched.page.getByRole("button", { name: "Compare" }).click();
      expect(await watched.page.locator(".compared").innerText()).toContain(answer);
    }
  });

  test("with a saved copy and no network is told what could not be checked", async () => {
    const watched = await open(pageFile.href, { offline: true });
    await watched.check(picked("receipts/reminder.json"));
    expect(await watched.verdict()).toBe("This receipt holds as far as it can be checked now.");
    const said = await watched.page.locator(".verdict").innerText();
    expect(said).toContain("Not compared: this saved page connects to nothing.");
    expect(said).toContain("It leads to none of the timestamp authorities that this program knows");
    expect(watched.connections.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:"))).toEqual(
      [],
    );
  });

  test("with a saved copy and part of a conversation is told that it is a part", async () => {
    const watched = await open(pageFile.href, { offline: true });
    await watched.check(picked("damaged/bundle-stated-begin.json"));
    expect(await watched.verdict()).toMatch(/^The records of turns 2 to 4 of this conversation hold as far/);
    expect(await watched.page.locator(".missing").innerText()).toContain("Not here: turn 1.");
  });

  test("of a host without HTTPS is told that timestamps can't be checked there, and that nothing else is wrong", async () => {
    const watched = await open(address().replace("127.0.0.1", PLAIN_HOST));
    await watched.check(picked("receipts/reminder.json"));
    expect(await watched.verdict()).toBe("This receipt holds as far as it can be checked now.");
    expect(await watched.page.locator(".verdict li").allInnerTexts()).toEqual([
      expect.stringMatching(/^Timestamp: Browsers check signatures only on pages that came over HTTPS/),
      expect.stringMatching(/^Not before: Browsers check signatures only on pages that came over HTTPS/),
    ]);
    expect(watched.complaints.splice(0).join()).toContain("Cross-Origin-Opener-Policy");
  });

  test("with a saved copy, a root and a certificate gets the full verdict offline", async () => {
    const watched = await open(pageFile.href, { offline: true });
    await watched.check(picked("receipts/reminder.json"), picked("authorities/service.pem"));
    await watched.page
      .locator("#repeat input[type=file]")
      .setInputFiles(fileURLToPath(vectorFile("seals/1.json")));
    await watched.page.locator("#verdict-heading", { hasText: "This receipt holds." }).waitFor();
    expect(await watched.page.locator("#part-0-root").textContent()).toContain("the file you added");
    // Nobody but the files says so, and whoever forges a receipt can forge them too.
    expect(await watched.page.locator(".verdict").innerText()).toContain(
      "Believed as you added it: service.pem, 1.json.",
    );
  });

  async function openAs(options: Parameters<typeof open>[1]) {
    const watched = await open(address(), options);
    return { page: watched.page, check: watched.check.bind(watched) };
  }
});

const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

/** Presses Tab until the focus is on something with this text. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    if ((await focusedText(page)).includes(text)) return;
  }
  throw new Error(`Tab never reaches ${text}`);
}
