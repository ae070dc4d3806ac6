// What the page says of good evidence, and of damaged one.
import { afterAll, beforeAll, expect, test } from "vitest";
import { turnsApart } from "../../../support/evidence.ts";
import { describeInBrowser, type Picked, useBrowser } from "./chromium.ts";
import { type PageServer, pageFile, picked, servePage, vector } from "./page-server.ts";

describeInBrowser("the page, served with the published roots", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage();
  });
  afterAll(() => server.close());
  const openPage = () => open(`${server.url}/verify`);

  test("says that a report holds, and shows the very words that were spoken", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/reminder.json"));
    expect(await watched.verdict()).toBe("This receipt holds.");
    expect(await watched.page.locator("blockquote").innerText()).toContain(
      "Sie sprechen weiterhin mit einem KI-System",
    );
    const facts = await watched.page.locator("#facts").innerText();
    expect(facts).toContain("Notice 2 of this conversation");
    expect(facts).toMatch(/Recorded between .* UTC, signed by .* Timestamp Authority\.$/m);
    expect(await watched.page.locator("#anchor").innerText()).toContain(
      "From this service itself. Weaker evidence",
    );
    expect(await watched.page.locator(".verdict").innerText()).toContain("That is weaker evidence");
  });

  test("gives the openssl line with the real root, and the address of the published one", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/reminder.json"));
    const { merkle_proof } = JSON.parse(vector("receipts/reminder.json"));
    const again = await watched.page.locator("#repeat").innerText();
    expect(again).toContain(`-digest ${merkle_proof.merkle_root.slice(2)}`);
    expect(again).toContain(`${server.url}/v1/metachain/roots/${merkle_proof.cross_tenant_proof.seal_index}`);
  });

  test("says of an answer that is still pending that it holds so far, and what is open", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/greeting-pending.json"));
    expect(await watched.verdict()).toBe("This receipt holds as far as it can be checked now.");
    expect(await watched.page.locator(".verdict").innerText()).toContain(
      "made before its root was published",
    );
    // It is the first of its chain, and names no earlier root: neither is a link or a time.
    const row = (name: string) => watched.page.locator("#checks tr", { hasText: name });
    expect(await row("Link to the receipt before").innerText()).toContain("or is the first of its chain");
    expect(await row("Not before").getAttribute("class")).toBe("is-aside");
    expect(await row("Not before").innerText()).toContain("no time is proven after which it was recorded");
  });

  test("compares a receipt with its request, and lists both with their hashes", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/greeting.json"), picked("requests/greeting.json"));
    expect(await watched.page.locator("tr", { hasText: "Request" }).getAttribute("class")).toBe("is-holds");
    const files = await watched.page.locator("#file").innerText();
    expect(files).toMatch(/request\s+greeting\.json, 298 bytes\s+SHA-256 sha256:[0-9a-f]{64}/);
  });

  test("says next to the verdict that a request is another receipt's, and accuses the receipt of nothing", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/greeting.json"), picked("requests/reminder.json"));
    expect(await watched.verdict()).toBe("This receipt holds.");
    expect(await watched.page.locator(".companions").innerText()).toContain(
      "The request you added (reminder.json) is not this receipt’s.",
    );
    const said = await watched.page.locator("main").innerText();
    expect(said).not.toContain("none of this is proven");
    expect(said).not.toContain("does not hold");
  });

  test("says next to the verdict that a certificate is another authority's, and leaves the timestamp open", async () => {
    const watched = await openPage();
    await watched.check({ name: "other.pem", content: vector("../timestamps/openssl-rsa-ca.pem") });
    await watched.check(picked("receipts/greeting.json"));
    expect(await watched.verdict()).toBe("This receipt holds as far as it can be checked now.");
    expect(await watched.page.locator(".companions").innerText()).toContain(
      "The certificate you added is not the one behind this timestamp; checked with it, the timestamp stays open.",
    );
    expect(await watched.page.locator(".is-broken").count()).toBe(0);
    expect(await watched.page.locator("main").innerText()).not.toContain("none of this is proven");
    expect(await watched.page.locator("#facts").innerText()).toContain("No time is proven.");
  });

  test("names the reader's own certificate where the token leads to it", async () => {
    const watched = await openPage();
    await watched.check(picked("authorities/service.pem"), picked("receipts/greeting.json"));
    expect(await watched.page.locator("#anchor").innerText()).toContain("From you: service.pem");
    expect(await watched.page.locator(".verdict").innerText()).toContain(
      "Believed as you added it: service.pem. The result",
    );
    expect(await watched.page.locator(".verdict").innerText()).not.toContain("weaker evidence");
    expect(await watched.page.locator(".companions").count()).toBe(0);
  });

  test.each([
    ["the bad one first", true],
    ["the bad one last", false],
  ])("of many files says the worst, lists each, and opens what is wrong: %s", async (_, isBadFirst) => {
    const watched = await openPage();
    const bad = picked("damaged/receipt-core-disclosure-subject_hash.json");
    const rest = [picked("receipts/greeting.json"), picked("bundles/conversation.json")];
    await watched.check(...(isBadFirst ? [bad, ...rest] : [...rest, bad]));
    expect(await watched.headline()).toBe("1 of 3 files does not hold.");
    expect(await watched.page.getByRole("status").first().innerText()).toBe("1 of 3 files does not hold.");
    expect(await watched.line("subject_hash.json")).toMatch(/^report · does not hold: .*Content/);
    expect(await watched.line("greeting.json")).toBe("report · holds");
    expect(await watched.line("conversation.json")).toBe("receipts of a conversation · holds");
    expect(await watched.verdict()).toBe("This receipt does not hold.");
    expect(await watched.page.locator(".together").first().innerText()).toContain("One history");
    await watched.page.locator("button.entry", { hasText: "conversation.json" }).click();
    expect(await watched.verdict()).toBe("The record of this conversation holds.");
    expect(await watched.headline()).toBe("1 of 3 files does not hold.");
  });

  test("lists a file that it can't read by name, and hides none of the others", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/greeting.json"), { name: "scan.pdf", content: "%PDF-1.7" });
    expect(await watched.headline()).toBe("1 of 2 files could not be read.");
    expect(await watched.line("scan.pdf")).toContain("This is a PDF.");
    const heard = await watched.page.locator(".overview .unseen").allTextContents();
    expect(heard).toEqual(["could not be read", "holds", "could not be read"]);
    await watched.page.locator("button.entry", { hasText: "greeting.json" }).click();
    expect(await watched.verdict()).toBe("This receipt holds.");
  });

  test("adds files that come later, until the reader starts over", async () => {
    const watched = await openPage();
    await watched.check(picked("damaged/receipt-core-disclosure-subject_hash.json"));
    await watched.check(picked("receipts/greeting.json"));
    expect(await watched.headline()).toBe("1 of 2 files does not hold.");
    await watched.checkAnew(picked("receipts/greeting.json"));
    expect(await watched.verdict()).toBe("This receipt holds.");
    expect(await watched.page.locator(".overview").count()).toBe(0);
  });

  test("shows a conversation as a chain over its published roots, turn by turn", async () => {
    const watched = await openPage();
    await watched.check(picked("bundles/conversation.json"));
    expect(await watched.verdict()).toBe("The record of this conversation holds.");
    expect(await watched.page.locator(".timeline .bead").count()).toBe(4);
    expect(await watched.page.locator("#facts").innerText()).toContain("no later notice followed");
    await watched.page.locator(".timeline .bead").nth(1).click();
    const turn = watched.page.locator("#turn-1");
    await turn.locator("table").waitFor();
    expect(await turn.innerText()).toContain("The root is the one on the list.");
    expect(await watched.page.locator("#turn-1 .path-picture").count()).toBe(1);
  });

  test("never calls a part of a conversation the conversation, and takes its pages together", async () => {
    const watched = await openPage();
    await watched.check(pageOf(3, 4));
    expect(await watched.verdict()).toBe("The records of turns 3 to 4 of this conversation hold.");
    expect(await watched.page.locator(".missing").innerText()).toContain(
      "This is not the whole conversation.",
    );
    await watched.check(pageOf(1, 2));
    expect(await watched.verdict()).toBe("The record of this conversation holds.");
    expect(await watched.page.locator(".missing").count()).toBe(0);
    expect(await watched.page.locator("#file").innerText()).toContain("page-1.json");
    expect(await watched.page.locator("#turns details").count()).toBe(4);
  });

  test("shows which link of a conversation is broken", async () => {
    const watched = await openPage();
    await watched.check(picked("damaged/bundle-turn-dropped.json"));
    expect(await watched.verdict()).toBe("The record of this conversation does not hold.");
    expect(await watched.page.locator(".timeline .rail.is-broken").count()).toBe(1);
    expect(await watched.page.locator(".verdict").innerText()).toContain("Order of the conversation");
  });

  test("shows a sound receipt with a broken link alike in the picture and in the list", async () => {
    const watched = await openPage();
    await watched.check(picked("damaged/bundle-turn-dropped.json"));
    const { page } = watched;
    expect(await page.locator(".timeline .bead.is-broken").count()).toBe(0);
    expect(await page.locator("#turns details.is-broken").count()).toBe(0);
    expect(await page.locator(".timeline .sign.is-unlinked").count()).toBe(1);
    expect(await page.locator("#turns .sign.is-unlinked").count()).toBe(1);
    expect(await page.locator(".timeline .bead").nth(1).getAttribute("aria-label")).toContain(
      "holds, not tied to the turn before it",
    );
    expect(await page.locator("#turns summary").nth(1).innerText()).toContain(
      "not tied to the turn before it",
    );
  });

  test("says of what does not hold neither that it is tied nor that it is proven", async () => {
    const watched = await openPage();
    await watched.check(picked("damaged/bundle-turn-dropped.json"));
    expect(await watched.page.locator("#facts").innerText()).toContain("It does not hold as a whole.");
    expect(await watched.page.locator("#chain p").innerText()).not.toContain("Each receipt is tied");
  });

  test("never lets a record that holds pass for a disclosure that was in order", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/hand-off.json"));
    expect(await watched.page.locator(".caveat").innerText()).toContain("with remarks");
    await watched.checkAnew(picked("bundles/conversation.json"));
    expect(await watched.page.locator(".caveat").innerText()).toContain(
      "recorded 1 of 4 notices with remarks",
    );
    expect(await watched.page.locator(".remarked").allInnerTexts()).toEqual([
      expect.stringContaining("Recorded, with remarks: "),
    ]);
    expect(await watched.page.locator(".timeline .sign.is-remarked").count()).toBe(1);
    await watched.page.locator(".caveat a").click();
    expect(await watched.page.locator("#turn-2").getAttribute("open")).not.toBeNull();
    await watched.checkAnew(picked("receipts/greeting.json"));
    expect(await watched.page.locator(".caveat").count()).toBe(0);
    expect(await watched.page.locator(".verdict").innerText()).toContain(
      "Whether the notice suffices legally was not checked.",
    );
  });

  test("tells at once, above all else, that a certificate was taken", async () => {
    const watched = await openPage();
    await watched.check(picked("authorities/service.pem"));
    expect(await watched.page.locator("main > :first-child").innerText()).toContain(
      "service.pem: certificate",
    );
    expect(await watched.page.locator("#status").innerText()).toContain("service.pem: certificate");
  });

  test("marks the part of a receipt that is wrong, and no other", async () => {
    const watched = await openPage();
    await watched.check(picked("damaged/receipt-core-disclosure-subject_hash.json"));
    expect(await watched.page.locator(".part.is-broken").count()).toBe(1);
    expect(await watched.page.locator(".part.is-broken[open] summary").innerText()).toContain("Receipt");
    expect(await watched.page.locator(".station.is-broken").textContent()).toContain("Receipt");
    expect(await watched.page.locator("#facts h2").innerText()).toBe("What the receipt says");
  });

  test("gives no tick for the receipt that a proof comes without", async () => {
    const watched = await openPage();
    await watched.check(picked("damaged/receipt-proof-only-with-timestamp.json"));
    expect(await watched.verdict()).toBe("This proof holds.");
    const parts = await watched.page.locator(".part").evaluateAll((all) => all.map((part) => part.className));
    expect(parts).toEqual(["part is-open", "part is-holds", "part is-holds", "part is-holds"]);
    expect(await watched.page.locator(".station").first().getAttribute("class")).toBe("station is-open");
  });

  test("checks a published root by itself against the one before", async () => {
    const watched = await openPage();
    await watched.check(picked("seals/2.json"));
    expect(await watched.verdict()).toBe("This published root holds.");
    expect(server.asked).toContain("/v1/metachain/roots/1");
    expect(await watched.page.locator("#facts").innerText()).toMatch(
      /Timestamp made\s+\d.* UTC\s+confirmed by Disclosure Receipts Development Timestamp Authority/,
    );
  });
});

/** The turns from `first` to `last` of the conversation, as the service pages them. */
function pageOf(first: number, last: number): Picked {
  const bundle = JSON.parse(vector("bundles/conversation.json"));
  const cut = (list: unknown[]) => list.slice(first - 1, last);
  const [receipts, requests, proofs] = [bundle.receipts, bundle.requests, bundle.proofs].map(cut);
  const next_turn = last < 4 ? last + 1 : null;
  const content = JSON.stringify({ ...bundle, receipts, requests, proofs, next_turn });
  return { name: `page-${first}.json`, content };
}

describeInBrowser("the page, offline with evidence alone", () => {
  const open = useBrowser();

  test("gives no tick for roots that were compared with the bundle's own copies", async () => {
    const watched = await open(pageFile.href, { offline: true });
    await watched.check(picked("bundles/conversation.json"));
    await watched.page.locator("#turn-1 summary").first().click();
    const row = watched.page.locator("#turn-1 tr", { hasText: "Published root" });
    expect(await row.getAttribute("class")).toBe("is-open");
    expect(await row.innerText()).toContain("so far to that copy alone");
    expect(await watched.page.locator("#part-1-root").getAttribute("class")).toContain("is-open");
    expect(await watched.page.locator("#part-1-timestamp").textContent()).toContain("which was not checked");
    const station = watched.page.locator("#turn-1 .station", { hasText: "Timestamp" });
    expect(await station.textContent()).toContain("its time is not proven");
  });

  test("says of files that hold by themselves and contradict each other that they do not hold", async () => {
    const watched = await open(pageFile.href, { offline: true });
    const turns = turnsApart("forged/subtree-forked.json");
    await watched.check(...turns.map((content, i) => ({ name: `turn-${i}.json`, content })));
    expect(await watched.headline()).toBe("Each file holds by itself, but they contradict each other.");
    expect(await watched.page.locator(".together .is-broken").count()).toBe(1);
  });
});
