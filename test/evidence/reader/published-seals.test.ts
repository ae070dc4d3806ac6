// Published roots as a reader's program reads them: what it remembers of them, and whose fault an error is.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { evidenceSchema } from "../../../evidence/core/formats/evidence.ts";
import { TimestampVerifier } from "../../../evidence/core/timestamps/timestamp-verifier.ts";
import { Examiner } from "../../../evidence/reader/examine.ts";
import { verifyEvidence } from "../../../evidence/reader/index.ts";
import type { MetachainSource } from "../../../evidence/reader/metachain.ts";
import { PublishedSeals } from "../../../evidence/reader/published-seals.ts";
import { readEvidence, readSeal } from "../../support/vector-files.ts";
import { headOf, SEALS, vector } from "../../tools/cli/command-line.ts";

const NOW = "2030-01-01T00:00:00.000Z";

/** The seals of the vectors; `fault` gives what is thrown at one of them, or at the head. */
function newSource(fault: (at: number | "head") => unknown) {
  const asked: (number | "head")[] = [];
  const ask = async (at: number | "head", read: () => Uint8Array): Promise<Uint8Array> => {
    asked.push(at);
    const error = fault(at);
    if (error !== undefined) throw error;
    return read();
  };
  const source: MetachainSource = {
    name: "vectors",
    head: () => ask("head", () => Buffer.from(headOf(SEALS))),
    root: (index) => ask(index, () => readFileSync(vector(`seals/${index}.json`))),
    timestamp: async () => null,
  };
  return { asked, source, published: new PublishedSeals(source) };
}

const unreachable = new DisclosureError("publication_unavailable", "can't be reached");
const unforeseen = new TypeError("a mistake of ours");

test("a metachain that can't be reached is asked once, however many roots are wanted", async () => {
  const { asked, published } = newSource(() => unreachable);
  for (const index of [0, 1, 1, 2]) await expect(published.get(index)).rejects.toBe(unreachable);
  expect(asked).toEqual([0]);
});

test("a root that is wrong says nothing of the others, and each is read once", async () => {
  const malformed = new DisclosureError("malformed", "no seal");
  const { asked, published } = newSource((at) => (at === 0 ? malformed : undefined));
  for (let i = 0; i < 2; i++) {
    await expect(published.get(0)).rejects.toBe(malformed);
    expect(await published.get(1)).toMatchObject({ index: 1 });
  }
  expect(asked).toEqual([0, 1]);
});

test("a mistake of ours says nothing of the metachain: other roots are read", async () => {
  const { published } = newSource((at) => (at === 0 ? unforeseen : undefined));
  await expect(published.get(0)).rejects.toBe(unforeseen);
  expect(await published.get(1)).toMatchObject({ index: 1 });
});

test("a search for a renewal finds none where the metachain can't be read, and hides no mistake of ours", async () => {
  const search = (error: unknown) =>
    newSource((at) => (at === "head" ? error : undefined)).published.renewal(
      0,
      new TimestampVerifier([]),
      NOW,
    );
  expect(await search(unreachable)).toBeNull();
  await expect(search(unforeseen)).rejects.toBe(unforeseen);
});

test("a mistake of ours is no metachain that can't be read, which leaves checks open", async () => {
  const receipt = evidenceSchema.parse(readEvidence("receipts/hand-off.json"));
  const examine = (error: unknown) => {
    const { published } = newSource(() => error);
    return new Examiner({ requests: [], published, trustAnchors: [], now: NOW }).examine({
      kind: "report",
      receipt,
    });
  };
  expect(await examine(unreachable)).toMatchObject({ kind: "report", unavailable: "can't be reached" });
  await expect(examine(unforeseen)).rejects.toBe(unforeseen);
});

test("the library calls a receipt `holds_so_far` where the metachain can't be read, and says so", async () => {
  const { source } = newSource(() => unreachable);
  const evidence = readEvidence("receipts/hand-off.json");
  expect(await verifyEvidence(evidence, { source, now: NOW, trustAnchors: [] })).toMatchObject({
    outcome: "holds_so_far",
    unavailable: "can't be reached",
  });
});

test("a host that publishes no metachain is not believed that a root is missing", async () => {
  const empty = emptyList(() => Promise.reject(unreachable));
  await expect(new PublishedSeals(empty).get(7)).rejects.toBe(unreachable);
});

test("a list that ends before a number may be older than what names it, but for the service's own", async () => {
  const list = emptyList(async () => Buffer.from(headOf(SEALS)));
  const published = new PublishedSeals(list);
  expect([await published.get(SEALS - 1), await published.get(SEALS)]).toEqual([null, "too_new"]);
  expect(await new PublishedSeals({ ...list, isServices: true }).get(SEALS)).toBeNull();
});

test("a mirror that grew between two answers lacks nothing", async () => {
  const { source } = newSource(() => undefined);
  let answers = 0;
  const grown = { ...source, root: async (at: number) => (answers++ === 0 ? null : source.root(at)) };
  expect(await new PublishedSeals(grown).get(1)).toMatchObject({ index: 1 });
});

const emptyList = (head: MetachainSource["head"]): MetachainSource => ({
  name: "empty",
  head,
  root: async () => null,
  timestamp: async () => null,
});

test("a seal that the reader names as published comes before the host's", async () => {
  const seal = { ...readSeal("seals/1.json"), receipt_count: 99 };
  const published = new PublishedSeals(null, { given: new Map([[1, seal]]) });
  expect(await published.get(1)).toBe(seal);
  expect(await published.get(2)).toBeUndefined();
});
