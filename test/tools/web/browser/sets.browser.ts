// The table of sets of files, given to the built page through its inputs: the words that a reader sees are those of the
// table's outcome, strays and summary.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CompanionKind } from "../../../../evidence/reader/session/findings.ts";
import { describeSummary } from "../../../../evidence/reader/text/describe-summary.ts";
import { textIn } from "../../../../evidence/reader/text/text.ts";
import type { Outcome } from "../../../../evidence/reader/verdict.ts";
import { filesOf, type SetRow, setRows } from "../../../agreement/sets.ts";
import { describeInBrowser, useBrowser, type WatchedPage } from "./chromium.ts";
import { json, NOTHING_PUBLISHED, type PageServer, servePage, vector } from "./page-server.ts";

const TEXT = textIn("en");
const ROOTS = "/v1/metachain/roots/";
/** The sets that a page can be given through its inputs: without a published root, a policy, a text or a history by an option. */
const isForInputs = ({ options }: SetRow): boolean =>
  options.seals.length === 0 &&
  [options.policy, options.wording, options.history].every((one) => one === null);

/** Names without folders, each once in its set. */
const nameOf = (file: string): string => file.replaceAll("/", "-");

describeInBrowser("the page, with sets of files", () => {
  const open = useBrowser();
  const scratch = mkdtempSync(join(tmpdir(), "sets-"));
  let server: PageServer;
  let published: SetRow["published"] = null;
  beforeAll(async () => {
    server = await servePage((path) => {
      if (published === null) return NOTHING_PUBLISHED();
      if (path === "/v1/metachain")
        return json({ size: 0, latest: null, roots: `${ROOTS}{index}`, log: null });
      const file = path.startsWith(ROOTS) ? published[Number(path.slice(ROOTS.length))] : null;
      return file == null ? NOTHING_PUBLISHED() : json(JSON.parse(vector(file)));
    });
  });
  afterAll(async () => {
    rmSync(scratch, { recursive: true });
    await server.close();
  });

  test.each(setRows.filter(isForInputs).map((row) => [row.name, row] as const))("%s", async (_, row) => {
    published = row.published;
    const watched = await open(`${server.url}/verify`);
    await give(watched, row);
    expect(await outcomeOn(watched)).toBe(row.expected.outcome);
    expect(await straysOn(watched)).toEqual(new Set(row.expected.strays.map(({ kind }) => kind)));
    expect((await seen(watched, "main")).split(TEXT.overview.notBelieved)).toHaveLength(
      row.expected.not_believed.length + 1,
    );
    await expectSummary(watched, row);
  });

  async function give(watched: WatchedPage, row: SetRow): Promise<void> {
    const { requests, layers, certificates } = row.options;
    const options = [...requests, ...layers, ...certificates].map((file) => ({
      name: nameOf(file),
      content: vector(file),
    }));
    const given = filesOf(row);
    const named = given.filter(({ isInFolder }) => !isInFolder);
    const first = [...options, ...named.map(({ name, bytes }) => ({ name: nameOf(name), content: bytes }))];
    if (first.length > 0) await watched.check(...first);
    const inFolder = given.filter(({ isInFolder }) => isInFolder);
    if (inFolder.length === 0) return;
    const folder = join(scratch, row.name);
    mkdirSync(folder);
    for (const { file, bytes } of inFolder) writeFileSync(join(folder, nameOf(file)), bytes);
    await watched.page.locator("input[webkitdirectory]").first().setInputFiles(folder);
    await watched.page.locator("main:not(:has(progress)):has(.verdict, .problem, .overview)").waitFor();
  }
});

/** As a reader sees it: without the marks around names. */
const seen = async ({ page }: WatchedPage, selector: string): Promise<string> =>
  (await page.locator(selector).allInnerTexts()).join("\n").replace(/[\u2066-\u2069]/g, "");

const isThere = async ({ page }: WatchedPage, selector: string): Promise<boolean> =>
  (await page.locator(selector).count()) > 0;

const HEADLINES: readonly (readonly [RegExp, Outcome])[] = [
  [/^All .* hold\.$/, "holds"],
  [/ hold as far as they can be checked now\.$/, "holds_so_far"],
  [/ do(?:es)? not hold\.$|contradict each other\.$/, "does_not_hold"],
  [/ could not be read\.$/, "unreadable"],
];

async function outcomeOn(watched: WatchedPage): Promise<Outcome | undefined> {
  if (await isThere(watched, "#overview-heading")) {
    const headline = await watched.headline();
    return HEADLINES.find(([pattern]) => pattern.test(headline))?.[1];
  }
  if (await isThere(watched, ".verdict.is-holds")) return "holds";
  if (await isThere(watched, ".verdict.is-open")) return "holds_so_far";
  return (await isThere(watched, ".verdict.is-broken")) ? "does_not_hold" : "unreadable";
}

/** The notes beside the verdict on one file that say more than the list of many. */
const NOTES: readonly (readonly [CompanionKind, string])[] = [
  ["request", "is not this receipt’s."],
  ["certificates", TEXT.companions.certificate],
  ["log_policy", TEXT.companions.log],
  ["policy_layer", "is not the one that this receipt names."],
];

/** The kinds of companions of which the page says that they belong to none of the evidence. */
async function straysOn(watched: WatchedPage): Promise<ReadonlySet<string>> {
  const isMany = await isThere(watched, ".overview");
  const said = await seen(watched, isMany ? ".entry-words" : ".companions");
  const listed = Object.entries(TEXT.overview.stray).filter(([, words]) => said.includes(words));
  const noted = isMany ? [] : NOTES.filter(([, words]) => said.includes(words));
  return new Set([...listed, ...noted].map(([kind]) => kind));
}

/** Of one file the page shows what is missing; of many, every sentence of the summary. */
async function expectSummary(watched: WatchedPage, { expected: { summary } }: SetRow): Promise<void> {
  if (!(await isThere(watched, ".overview"))) {
    expect(await isThere(watched, ".missing")).toBe(summary.missingTurns.length > 0);
    return;
  }
  const section = watched.page.locator(".overview .together", { hasText: TEXT.summary.heading });
  expect(await section.count()).toBe(summary.receipts > 0 ? 1 : 0);
  if (summary.receipts === 0) return;
  const named = JSON.parse(JSON.stringify(summary), (key, value) => (key === "file" ? nameOf(value) : value));
  const { counts, missing, chains, remarks } = describeSummary(TEXT, named);
  const caveats = [...missing, ...(remarks === null ? [] : [remarks.sentence])];
  const lines = [...(remarks?.kinds ?? []).map(({ words }) => words), ...chains];
  const shown = (await section.innerText()).replace(/[\u2066-\u2069]/g, "");
  for (const sentence of [counts, ...caveats, ...lines]) expect(shown).toContain(sentence);
  expect(await section.locator(".caveat").count()).toBe(caveats.length);
  expect(await section.locator("li").count()).toBe(lines.length);
}
