// Evidence made to harm its reader: it must not run, reach out, hang or crash the page.
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalBytes } from "../../../../evidence/core/canonical-json.ts";
import { formatDigest, hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import { notice } from "../../../support/notice.ts";
import { describeInBrowser, type Picked, useBrowser } from "./chromium.ts";
import { type PageServer, servePage, vector } from "./page-server.ts";

const SCRIPT = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"'\u202E`;
const parsed = (name: string) => JSON.parse(vector(name));
const file = (value: unknown, name = "hostile.json"): Picked => ({
  name,
  content: typeof value === "string" ? value : JSON.stringify(value),
});

/** The value with every text in it replaced. */
function everywhere(value: unknown, text: string): unknown {
  if (typeof value === "string") return text;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => everywhere(each, text));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, everywhere(each, text)]));
}

/** A conversation as long as the service hands out at once; only its size is of interest. */
function longBundle(turns: number): unknown {
  const bundle = parsed("bundles/conversation.json");
  const repeat = (list: unknown[]) => Array.from({ length: turns }, (_, i) => list[i % list.length]);
  const [receipts, requests, proofs] = [bundle.receipts, bundle.requests, bundle.proofs].map(repeat);
  return { ...bundle, receipts, requests, proofs };
}

describeInBrowser("hostile evidence", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage();
  });
  afterAll(() => server.close());
  const openPage = () => open(`${server.url}/verify`);

  test("has nothing run that stands in any of its fields, or in the file's name", async () => {
    const watched = await openPage();
    const receipt = parsed("receipts/reminder.json");
    const bundle = parsed("bundles/conversation.json");
    const scripted = { ...receipt, receipts: [everywhere(receipt.receipts[0], SCRIPT)], [SCRIPT]: SCRIPT };
    scripted.tsa_timestamp.tsa_url = SCRIPT;
    const scriptedBundle = {
      ...bundle,
      requests: everywhere(bundle.requests, SCRIPT),
      receipts: everywhere(bundle.receipts, SCRIPT),
    };
    for (const evidence of [scripted, scriptedBundle, everywhere(receipt, SCRIPT), { [SCRIPT]: 1 }]) {
      await watched.check(file(evidence, `${SCRIPT}.json`));
      for (const opener of await watched.page.locator("button.entry").all()) await opener.click();
      await watched.page.locator("summary").evaluateAll((all) => {
        for (const summary of all) (summary as HTMLElement).click();
      });
      expect(await watched.page.locator("main img, main script, main iframe").count()).toBe(0);
    }
    expect(await watched.page.evaluate(() => "hacked" in globalThis)).toBe(false);
  });

  test("could not get a script past the browser even if the page built markup from it", async () => {
    const { page, complaints } = await openPage();
    const refused = await page.evaluate(() => {
      try {
        document.body.innerHTML = "<b>markup</b>";
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toBe(true);
    expect(complaints.splice(0).join()).toContain("TrustedHTML");
  });

  test("is never asked for anything: no address in it is fetched, only this origin's roots by number", async () => {
    const watched = await openPage();
    const receipt = parsed("receipts/reminder.json");
    receipt.tsa_timestamp.tsa_url = "http://127.0.0.1:1/elsewhere";
    await watched.check(
      file({ ...receipt, metachain: "https://elsewhere.example/v1/metachain", roots: "//elsewhere.example" }),
    );
    const asked = watched.connections.filter((url) => !url.startsWith("blob:") && !url.startsWith("data:"));
    expect(asked.map((url) => url.replace(server.url, ""))).toEqual([
      "/verify",
      expect.stringMatching(/^\/(v1|tsa)/),
      expect.stringMatching(/^\/(v1|tsa)/),
      expect.stringMatching(/^\/(v1|tsa)/),
    ]);
    const roots = [0, 1].map((index) => `${server.url}/v1/metachain/roots/${index}`);
    expect(new Set(asked.slice(1))).toEqual(new Set([...roots, `${server.url}/tsa/certificate.pem`]));
    expect(await watched.page.locator("a[href*='elsewhere'], a[href*='127.0.0.1:1']").count()).toBe(0);
  });

  test("can't make the page connect elsewhere: the browser refuses", async () => {
    const { page, complaints } = await openPage();
    const answer = await page.evaluate(() =>
      fetch("https://example.org/").then(
        () => "sent",
        () => "refused",
      ),
    );
    expect(answer).toBe("refused");
    expect(complaints.splice(0).join()).toContain("Content Security Policy");
  });

  test.each([
    ["nine megabytes", () => " ".repeat(9 * 1024 * 1024), "larger than any receipt"],
    ["seven million opened brackets", () => "[".repeat(7_000_000), "not well-formed JSON"],
    [
      "a hundred thousand nested objects",
      () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
      "not well-formed JSON",
    ],
    ["a token of seven megabytes", () => tokenOf("A".repeat(7_000_000)), "far longer than any receipt"],
    ["a path of a hundred thousand hashes", () => pathOf(100_000), "far longer than any receipt"],
    [
      "a million empty objects",
      () => `{"merkle_proof":{"a":[${"{},".repeat(1_000_000)}{}]}}`,
      "far longer than any receipt",
    ],
    [
      "half a million members",
      () => `{"merkle_proof":{${Array.from({ length: 500_000 }, (_, i) => `"${i}":0`).join()}}}`,
      "damaged beyond reading",
    ],
  ])("of %s is turned away by name, and the page is still there", async (_, content, message) => {
    const watched = await openPage();
    await watched.check(file(content()));
    // A file that the page had to give up on, because its worker took too long, would have another message.
    expect(await watched.page.locator(".problem").innerText()).toContain(message);
    expect(await watched.page.locator(".problem h2").innerText()).toBe("“hostile.json” could not be read.");
    await watched.check({ name: "good.json", content: vector("receipts/reminder.json") });
    expect(await watched.headline()).toBe("1 of 2 files could not be read.");
    expect(await watched.verdict()).toBe("This receipt holds.");
  });

  test.each(["", "no language"])(
    "whose layer gives the language of a wording as %j is shown like any other",
    async (language) => {
      const watched = await openPage();
      const layer = parsed("layers/service.json");
      for (const wording of layer.wordings) wording.language = language;
      const receipt = parsed("receipts/reminder.json");
      receipt.receipts[0].policy.digest = formatDigest(hashBytes(canonicalBytes(layer)));
      await watched.check(file(receipt), file(layer, "layer.json"));
      expect(await watched.verdict()).toBe("This receipt does not hold.");
      expect(await watched.page.locator("#facts").innerText()).toMatch(
        language === "" ? /Language\s+–/ : /Language\s+no language/,
      );
    },
  );

  test("of the largest token that is looked at, full of ASN.1, is read to its verdict before the page gives up", async () => {
    const watched = await openPage();
    const der = Buffer.concat([
      Buffer.from([0x30, 0x82, 0xbf, 0xfc]),
      Buffer.alloc(0xbffc, Buffer.from([0x05, 0x00])),
    ]);
    await watched.check(file(tokenOf(der.toString("base64"))));
    // It has more values than are judged, and a newer timestamp renews it.
    expect(await watched.verdict()).toBe("This receipt holds.");
  });

  test("of five hundred receipts leaves the page alive while it is checked", async () => {
    const watched = await openPage();
    await watched.page.evaluate(() => {
      const gaps = { longest: 0, last: performance.now() };
      Object.assign(globalThis, { gaps });
      setInterval(() => {
        // What comes with the verdict is the drawing of five hundred turns, and no longer the checking.
        if (document.querySelector(".verdict") !== null) return;
        gaps.longest = Math.max(gaps.longest, performance.now() - gaps.last);
        gaps.last = performance.now();
      }, 10);
    });
    const start = Date.now();
    await watched.check(file(longBundle(500)));
    const gap = await watched.page.evaluate(
      () => (globalThis as unknown as { gaps: { longest: number } }).gaps.longest,
    );
    const whole = Date.now() - start;
    notice(`500 receipts: ${whole} ms, longest pause of the page ${Math.round(gap)} ms`);
    // A share, not a time: on a busy machine both grow. A page that checks by itself pauses for nearly all of it.
    expect(gap / whole).toBeLessThan(0.5);
    expect(await watched.page.locator(".folded details").count()).toBeGreaterThanOrEqual(500);
  });
});

function tokenOf(token: string): string {
  const receipt = parsed("receipts/reminder.json");
  receipt.tsa_timestamp.timestamp_token = token;
  return JSON.stringify(receipt);
}

function pathOf(length: number): string {
  const receipt = parsed("receipts/reminder.json");
  receipt.merkle_proof.event_inclusion_proof.path = Array(length).fill(`0x${"ab".repeat(32)}`);
  return JSON.stringify(receipt);
}
