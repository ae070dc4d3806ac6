// The status page in a real browser: it shows a service's answers to every kind of reader, and asks for nothing else.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen, type Reply } from "../../../../host/server/http-server.ts";
import { ANSWERS, bodyOf, LOG, WITNESSES } from "../status-world.ts";
import { overflowOf, violationsOn } from "./accessibility.ts";
import { describeInBrowser, useBrowser } from "./chromium.ts";

const PAGE = new URL("../../../../dist/web/", import.meta.url);
const readBuilt = (name: string): string => readFileSync(new URL(name, PAGE), "utf8");
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Answers the paths of `answers`; the page is at the root. */
function serve(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const reply = (path: string): Reply => {
    if (path === "/")
      return {
        status: 200,
        headers: JSON.parse(readBuilt("status.headers.json")),
        body: readBuilt("status.html"),
      };
    const answer = answers[path];
    return answer === undefined ? { status: 404 } : { status: 200, body: bodyOf(answer) };
  };
  const listening = listen(({ url = "" }) => {
    asked.push(url);
    return reply(url);
  });
  return listening.then(({ url, close }) => ({ url, close, asked }));
}

describeInBrowser("the status page", () => {
  const open = useBrowser();
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve(ANSWERS);
  });
  afterAll(() => server.close());
  const openPage = async (options = {}, url = server.url) => {
    const watched = await open(`${url}/`, options);
    await watched.page.locator("#links").waitFor();
    return watched;
  };

  test("shows the newest root with its age, the log with its witnesses, countries and capabilities", async () => {
    const { page } = await openPage();
    expect(await page.locator("#roots").innerText()).toMatch(
      /Newest root\s+(?:\d+ \w+ ago|no\. 3)[\s\S]*Published roots\s+4/,
    );
    expect(await page.locator("#roots a").getAttribute("href")).toBe("/v1/metachain/roots/3");
    for (const witness of WITNESSES) expect(await page.locator("#log").innerText()).toContain(witness);
    const germany = page.locator("#jurisdictions tr", { hasText: "Germany" });
    expect(await germany.innerText()).toContain("active");
    expect(await germany.getByRole("link", { name: "all versions" }).getAttribute("href")).toBe(
      "/v1/policy/DE",
    );
    const capabilities = await page.locator("#capabilities").innerText();
    expect(capabilities).toContain("in controlled testing");
    expect(capabilities).toMatch(/Public receipt verifier[\s\S]*not available/);
  });

  test("says that it checks nothing, and leads to the page that does", async () => {
    const { page } = await openPage();
    expect(await page.locator(".reading").innerText()).toContain("This page checks none of them.");
    expect(await page.getByRole("link", { name: "Check a receipt" }).getAttribute("href")).toBe("/verify");
    expect(await page.locator(".state").count()).toBe(0);
  });

  test("asks its own host for four documents, and no other host for anything", async () => {
    const before = server.asked.length;
    const watched = await openPage();
    expect(new Set(server.asked.slice(before))).toEqual(new Set(["/", ...Object.keys(ANSWERS)]));
    expect(watched.connections.every((url) => url.startsWith(server.url))).toBe(true);
    const policy = await watched.page.locator("meta[http-equiv]").getAttribute("content");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https:|\*/);
  });

  test("of a new service says what is not there yet, and shows the rest", async () => {
    const { "/v1/status": status, "/v1/metachain": head } = ANSWERS;
    const fresh = await serve({
      "/v1/status": status,
      "/v1/metachain": { ...(head as object), size: 0, latest: null },
    });
    const { page } = await openPage({}, fresh.url);
    expect(await page.locator("#roots").innerText()).toContain("No root is published yet.");
    expect(await page.locator("#log").innerText()).toContain("No checkpoint is published yet");
    expect(await page.locator("#jurisdictions").innerText()).toMatch(
      /Germany\s+active[\s\S]*has not published/,
    );
    await fresh.close();
  });

  test.each([
    ["recent", LOG.quorum.at, "en-GB", / ago\s/, []],
    [
      "old",
      "2026-11-22T08:00:00.000Z",
      "en-GB",
      / ago\s/,
      [/more than 3 hours since enough witnesses signed/],
    ],
    ["old", "2026-11-22T08:00:00.000Z", "de-DE", /vor /, [/mehr als 3 Stunden her/]],
    ["none", null, "en-GB", /none of the newest checkpoints/, []],
    ["none", null, "de-DE", /keiner der neuesten Kontrollpunkte/, []],
    ["not_asked", null, "en-GB", /asks no witness/, []],
    ["unknown", null, "de-DE", /konnte seine Kontrollpunkte nicht lesen/, []],
    ["of_a_new_kind", null, "en-GB", /of_a_new_kind/, []],
  ])("says of a quorum that is %s (%s, %s) how old it is, or why it does not know", async (...row) => {
    const [status, at, locale, words, notices] = row;
    const quorum = { status, at, tree_size: at === null ? null : LOG.quorum.tree_size };
    const body = { ...(ANSWERS["/v1/status"] as object), log: { ...LOG, quorum } };
    const own = await serve({ ...ANSWERS, "/v1/status": body });
    const { page } = await openPage({ locale }, own.url);
    expect(await page.locator("#log").innerText()).toMatch(words);
    const told = await page.locator("#log .stale").allInnerTexts();
    expect(told).toEqual(notices.map((notice) => expect.stringMatching(notice)));
    const isFine = ["recent", "not_asked"].includes(status);
    expect(await page.locator("#log .doubt").count()).toBe(isFine ? 0 : 1);
    expect(await violationsOn(page)).toEqual([]);
    await own.close();
  });

  test("says of an answer that it can't read, by name, that it could not, and shows the rest", async () => {
    const damaged = await serve({ ...ANSWERS, "/v1/metachain": '{"size": "many"}' });
    const { page } = await openPage({}, damaged.url);
    expect(await page.locator("#roots").innerText()).toContain(
      "Could not be read: the head is not as the format says",
    );
    expect(await page.locator("#jurisdictions").innerText()).toContain("Germany");
    await damaged.close();
  });

  test("is German for whoever reads German, and by keyboard alone English in two steps", async () => {
    const { page } = await openPage({ locale: "de-DE" });
    expect(await page.locator("h1").innerText()).toBe("Belege für KI-Hinweise");
    expect(await page.locator("#capabilities").innerText()).toContain("in kontrollierter Erprobung");
    expect(await page.locator("main [lang=en]").count()).toBe(0);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.locator("h1").innerText()).toBe("Receipts for AI notices");
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  test("reads again when it is asked to, and keeps the focus there", async () => {
    const { page } = await openPage();
    const before = server.asked.length;
    await page.getByRole("button", { name: "Read again" }).press("Enter");
    await page.locator("#again:focus").waitFor();
    expect(server.asked.slice(before).toSorted()).toEqual(Object.keys(ANSWERS).toSorted());
  });

  test.each([
    ["light", {}],
    ["dark", { colorScheme: "dark" as const }],
    ["phone", PHONE],
    ["narrow phone, in German", { ...PHONE, viewport: { width: 320, height: 700 }, locale: "de-DE" }],
  ])("is accessible, and fits: %s", async (_, options) => {
    const { page } = await openPage(options);
    expect(await violationsOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  });
});
