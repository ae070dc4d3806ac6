// A chain's history as a folder, chosen and dropped: the receipt's list of checks, and the words of the verdict.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fingerprintOf } from "../../../../evidence/core/formats/tenant-anchor.ts";
import { ANCHOR, EVIDENCE, HONEST, historyFilesOf } from "../../../agreement/histories.ts";
import { CHAIN, vectorHistory } from "../../../support/vector-history.ts";
import { describeInBrowser, useBrowser, type WatchedPage } from "./chromium.ts";
import { type PageServer, servePage, vector } from "./page-server.ts";

const RECEIPT = { name: "reminder.json", content: vector("receipts/reminder.json") };
const OPEN_POINT = "Heads in the public log: The head was not looked for in the public log.";

describeInBrowser("the folder of a history", () => {
  const open = useBrowser();
  const scratch = mkdtempSync(join(tmpdir(), "history-"));
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage();
  });
  afterAll(async () => {
    rmSync(scratch, { recursive: true });
    await server.close();
  });

  function folderWith(name: string, files: ReadonlyMap<string, Uint8Array>): string {
    for (const [path, bytes] of files) {
      const file = join(scratch, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    return join(scratch, name);
  }

  const settled = ({ page }: WatchedPage) => page.locator("main:not(:has(progress)):has(.verdict)").waitFor();

  async function expectFound(watched: WatchedPage): Promise<void> {
    await watched.page.locator("tr", { hasText: "History of the chain" }).waitFor();
    expect(await watched.verdict()).toBe("This receipt holds as far as it can be checked now.");
    expect(await watched.page.locator(".verdict li").allInnerTexts()).toEqual([OPEN_POINT]);
    expect(await watched.page.locator("tr", { hasText: "History of the chain" }).innerText()).toContain(
      "The receipt is consistent with this history of its chain",
    );
    expect(await watched.page.locator("#file").innerText()).toContain("good/history.json");
  }

  test("is chosen with a button, and the receipt is found in it", async () => {
    const watched = await open(`${server.url}/verify`);
    await watched.check(RECEIPT);
    expect(await watched.verdict()).toBe("This receipt holds.");
    const folder = folderWith("good", vectorHistory(CHAIN));
    await watched.page.locator("input[webkitdirectory]").setInputFiles(folder);
    await expectFound(watched);
  });

  test("is dropped on the page, and the receipt is found in it", async () => {
    const watched = await open(`${server.url}/verify`);
    await watched.check(RECEIPT);
    const folder = folderWith("good", vectorHistory(CHAIN));
    const devtools = await watched.page.context().newCDPSession(watched.page);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await devtools.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
    await expectFound(watched);
  });

  test("is held against the tenant whose fingerprint the reader enters, in either language", async () => {
    const watched = await open(`${server.url}/verify`);
    const { page } = watched;
    await watched.check({ name: "own.json", content: JSON.stringify(EVIDENCE) });
    await page.locator("input[webkitdirectory]").setInputFiles(folderWith("own", historyFilesOf(HONEST)));
    const field = page.getByLabel("Whose history is it? The tenant’s fingerprint");
    const line = () => page.locator("tr", { has: page.getByText(/^(?:Tenant|Mandant)$/) }).innerText();
    await field.fill("sha256:5");
    await field.press("Enter");
    expect(await page.getByRole("alert").innerText()).toContain("64 lower-case hex digits");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill(fingerprintOf(ANCHOR));
    await field.press("Enter");
    await settled(watched);
    expect(await line()).toContain("The chain is one of the tenant with this fingerprint.");
    expect(await field.inputValue()).toBe(fingerprintOf(ANCHOR));
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.getByLabel("Der Fingerabdruck des Mandanten").fill(fingerprintOf("6".repeat(32)));
    await page.getByRole("button", { name: "Prüfen", exact: true }).click();
    await settled(watched);
    expect(await line()).toContain("gehört zu einem anderen Mandanten");
    expect(await watched.verdict()).toBe("Dieser Beleg hält der technischen Prüfung nicht stand.");
  });

  test("that was changed does not hold, and is named, while the receipt's own verdict stays", async () => {
    const files = vectorHistory(CHAIN);
    const tile = `chains/${CHAIN}/entries/000.p/10`;
    const bytes = Uint8Array.from(files.get(tile) ?? expect.unreachable());
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    const folder = folderWith("changed", files.set(tile, bytes));
    const watched = await open(`${server.url}/verify`);
    await watched.check(RECEIPT);
    await watched.page.locator("input[webkitdirectory]").setInputFiles(folder);
    await watched.page.locator(".overview").waitFor();
    expect(await watched.headline()).toBe("1 of 2 files does not hold.");
    expect(await watched.line("changed/history.json")).toContain("This history contradicts itself");
    await watched.page.locator(".entry", { hasText: "reminder.json" }).click();
    await settled(watched);
    expect(await watched.verdict()).toBe("This receipt holds.");
  });
});
