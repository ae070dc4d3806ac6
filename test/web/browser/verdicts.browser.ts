// What the page says of good evidence, and of every damaged vector.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EvidenceVector, evidenceVectors } from "../../support/evidence.ts";
import { describeInBrowser, type Picked, useBrowser, type WatchedPage } from "./chromium.ts";
import { NOTHING_PUBLISHED, type PageServer, servePage, vector } from "./page-server.ts";

const picked = (name: string): Picked => ({ name: name.replace(/^.*\//, ""), content: vector(name) });

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
    expect(await watched.page.locator("#facts").innerText()).toContain("Turn 2 of the conversation");
    expect(await watched.page.locator("#anchor").innerText()).toContain(
      "From this service itself. Weaker evidence",
    );
    expect(await watched.page.locator(".verdict").innerText()).toContain("That is weaker evidence");
  });

  test("gives the openssl line with the real root, and the address of the published one", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/reminder.json"));
    const { merkle_proof } = JSON.parse(vector("receipts/reminder.json"));
    const again = await watched.page.locator("#again").innerText();
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
  });

  test("compares a receipt with its request", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/greeting.json"), picked("requests/greeting.json"));
    expect(await watched.page.locator("tr", { hasText: "Request" }).getAttribute("class")).toBe("is-holds");
    await watched.check(picked("receipts/greeting.json"), picked("requests/reminder.json"));
    expect(await watched.verdict()).toBe("This receipt does not hold.");
  });

  test("names the reader's own certificate, and says so if the token does not lead to it", async () => {
    const watched = await openPage();
    await watched.check(picked("authorities/service.pem"), picked("receipts/greeting.json"));
    expect(await watched.page.locator("#anchor").innerText()).toContain("From you: service.pem");
    expect(await watched.page.locator(".verdict").innerText()).not.toContain("weaker evidence");
    await watched.check({ name: "other.pem", content: vector("../timestamps/openssl-rsa-ca.pem") });
    await watched.page
      .getByText("The timestamp does not lead to the certificate used here")
      .first()
      .waitFor();
    expect(await watched.verdict()).toBe("This receipt does not hold.");
  });

  test("shows a conversation as a chain over its published roots, turn by turn", async () => {
    const watched = await openPage();
    await watched.check(picked("bundles/conversation.json"));
    expect(await watched.verdict()).toBe("This conversation holds.");
    expect(await watched.page.locator(".timeline .bead").count()).toBe(4);
    await watched.page.locator(".timeline .bead").nth(1).click();
    const turn = watched.page.locator("#turn-1");
    await turn.locator("table").waitFor();
    expect(await turn.innerText()).toContain("Leads to the enclosed root.");
    expect(await watched.page.locator("#turn-1 .path-picture").count()).toBe(1);
  });

  test("never calls a part of a conversation the conversation, and takes its pages together", async () => {
    const watched = await openPage();
    await watched.check(pageOf(3, 4));
    expect(await watched.verdict()).toBe("Turns 3 to 4 of this conversation hold.");
    expect(await watched.page.locator(".missing").innerText()).toContain(
      "This is not the whole conversation.",
    );
    await watched.check(pageOf(1, 2));
    await watched.page.getByRole("heading", { name: "This conversation holds." }).waitFor();
    expect(await watched.page.locator(".missing").count()).toBe(0);
    expect(await watched.page.locator("#file").innerText()).toContain("page-1.json");
    expect(await watched.page.locator("#turns details").count()).toBe(4);
  });

  test("shows which link of a conversation is broken", async () => {
    const watched = await openPage();
    await watched.check(picked("damaged/bundle-turn-dropped.json"));
    expect(await watched.verdict()).toBe("This conversation does not hold.");
    expect(await watched.page.locator(".timeline .rail.is-broken").count()).toBe(1);
    expect(await watched.page.locator(".verdict").innerText()).toContain("Order of the conversation");
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
    expect(await watched.page.locator(".caveat").innerText()).toContain("recorded with remarks");
    await watched.check(picked("bundles/conversation.json"));
    await watched.page.locator("#turns").waitFor();
    expect(await watched.page.locator(".caveat").innerText()).toContain("1 of 4 was recorded with remarks");
    expect(await watched.page.locator(".remarked").allInnerTexts()).toEqual([
      expect.stringContaining("Recorded, with remarks: "),
    ]);
    await watched.check(picked("receipts/greeting.json"));
    await watched.page.getByRole("heading", { name: "This receipt holds." }).waitFor();
    expect(await watched.page.locator(".caveat").count()).toBe(0);
  });

  test("tells at once, above all else, that a certificate was taken", async () => {
    const watched = await openPage();
    await watched.check(picked("authorities/service.pem"));
    expect(await watched.page.locator("main > :first-child").innerText()).toContain("Certificate added.");
    expect(await watched.page.locator("#status").innerText()).toContain("Certificate added.");
  });

  test("marks the part of a receipt that is wrong, and no other", async () => {
    const watched = await openPage();
    await watched.check(picked("damaged/receipt-core-disclosure-subject_hash.json"));
    expect(await watched.page.locator(".part.is-broken").count()).toBe(1);
    expect(await watched.page.locator(".part.is-broken[open] summary").innerText()).toContain("Receipt");
    expect(await watched.page.locator(".station.is-broken").textContent()).toContain("Receipt");
    expect(await watched.page.locator("#facts h2").innerText()).toBe("What the receipt says");
  });

  test("checks a published root by itself against the one before", async () => {
    const watched = await openPage();
    await watched.check(picked("seals/2.json"));
    expect(await watched.verdict()).toBe("This published root holds.");
    expect(server.asked).toContain("/v1/metachain/roots/1");
  });

  test("shows no earlier verdict under what could not be read", async () => {
    const watched = await openPage();
    await watched.check(picked("receipts/greeting.json"));
    await watched.check({ name: "broken.json", content: "{" });
    await watched.page.locator(".problem").waitFor();
    expect(await watched.page.locator(".verdict").count()).toBe(0);
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

describeInBrowser("the page, with nothing but what the reader lays down", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage(NOTHING_PUBLISHED);
  });
  afterAll(() => server.close());

  // An unpublished root and the seal before a renumbered one can't be laid down as a file.
  const isLayable = ({ kind, seal, previous, published }: EvidenceVector): boolean =>
    seal !== null &&
    previous === undefined &&
    !(kind === "bundle" && published !== undefined && published.length < 4);

  /** As a reader would: certificates, request and roots first, then the evidence. */
  const filesOf = ({ anchors, request, seal, published, file }: EvidenceVector): Picked[] =>
    [anchors, request, seal, ...(published ?? []), file].flatMap((name) => (name ? [picked(name)] : []));

  const groups = Map.groupBy(evidenceVectors.filter(isLayable), ({ file }) => file.replace(/[-/].*$/, ""));

  test.each([...groups.keys()])(
    "judges every vector of %s as the table does",
    async (group) => {
      const watched = await open(`${server.url}/verify`);
      for (const each of groups.get(group) ?? []) {
        await watched.check(...filesOf(each));
        expect(`${each.file}: ${await outcomeOf(watched)}`).toBe(`${each.file}: ${each.expected}`);
        await watched.page.reload();
      }
    },
    300_000,
  );

  async function outcomeOf({ page }: WatchedPage): Promise<EvidenceVector["expected"]> {
    if ((await page.locator(".problem").count()) > 0) return "unreadable";
    return (await page.locator(".verdict.is-broken").count()) > 0 ? "does_not_hold" : "holds";
  }
});
