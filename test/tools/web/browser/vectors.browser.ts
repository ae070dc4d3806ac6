// What the page says of vectors of every kind, good or damaged, where a reader lays all files down.
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EvidenceVector, evidenceVectors } from "../../../support/evidence.ts";
import { describeInBrowser, type Picked, useBrowser, type WatchedPage } from "./chromium.ts";
import { NOTHING_PUBLISHED, type PageServer, picked, servePage, vectorFile } from "./page-server.ts";

/** The seal that the receipts of these vectors name. */
const NAMED_SEAL = "seals/1.json";

describeInBrowser("the page, with nothing but what the reader lays down", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage(NOTHING_PUBLISHED);
  });
  afterAll(() => server.close());

  // An unpublished root, one under another's number and the seal before a renumbered one can't be laid down as a file.
  const isLayable = ({ kind, seal, before, previous, published }: EvidenceVector): boolean =>
    seal !== null &&
    (before === undefined || before === NAMED_SEAL) &&
    previous === undefined &&
    !(kind === "bundle" && published !== undefined && published.length < 4);

  /** As a reader would: certificates, request and layers first, then the evidence. */
  const filesOf = ({ layers, file, anchors, request }: EvidenceVector): Picked[] =>
    [anchors, request, layers, file].flatMap((name) => name ?? []).map(picked);

  /** Roots count as published only by the button that says so, which what can't be read has not. */
  async function addRoots({ page }: WatchedPage, { seal, before, published }: EvidenceVector): Promise<void> {
    const roots = [seal, before, published].flatMap((name) => name ?? []);
    const input = page.locator("#repeat input[type=file]");
    if (roots.length === 0 || (await input.count()) === 0) return;
    await input.setInputFiles(roots.map((name) => fileURLToPath(vectorFile(name))));
    await page.locator("main:not(:has(progress)):has(.verdict)").waitFor();
  }

  /**
   * One vector of each kind with each outcome, by the checks that fail: a verdict is drawn alike whatever made them fail. That
   * the page's logic judges all others as it must is in test/agreement, without a browser.
   */
  const shown = Map.groupBy(evidenceVectors.filter(isLayable), ({ kind, expected, failing }) =>
    [kind, expected, ...failing].join(" "),
  );
  const groups = Map.groupBy(
    [...shown.values()].flatMap(([first]) => first ?? []),
    ({ file }) => file.replace(/[-/].*$/, ""),
  );

  test.each([...groups])(
    "judges %s, as the table does",
    async (_group, vectors) => {
      const watched = await open(`${server.url}/verify`);
      for (const each of vectors) {
        await watched.check(...filesOf(each));
        await addRoots(watched, each);
        // What is open depends on what the page brings along; test/agreement compares that check by check.
        const expected = each.expected === "holds_so_far" ? "holds" : each.expected;
        expect(`${each.file}: ${await outcomeOf(watched)}`).toBe(`${each.file}: ${expected}`);
        await watched.page.reload();
      }
    },
    300_000,
  );

  async function outcomeOf({ page }: WatchedPage): Promise<EvidenceVector["expected"]> {
    if ((await page.locator(".verdict.is-broken, .overview.is-broken").count()) > 0) {
      const isUnread = (await page.locator(".problem").count()) > 0;
      return isUnread ? "unreadable" : "does_not_hold";
    }
    return (await page.locator(".problem").count()) > 0 ? "unreadable" : "holds";
  }
});
