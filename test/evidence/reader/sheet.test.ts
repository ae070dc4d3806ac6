import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { describeAnchors } from "../../../evidence/reader/anchors.ts";
import { type Evidence, parseEvidence } from "../../../evidence/reader/evidence.ts";
import { Examiner } from "../../../evidence/reader/examine.ts";
import { PublishedSeals } from "../../../evidence/reader/published-seals.ts";
import { formatDocument, formatNode } from "../../../evidence/reader/sheet/html.ts";
import type { SheetInputs } from "../../../evidence/reader/sheet/model.ts";
import { buildSheet, titleOf } from "../../../evidence/reader/sheet/sheet.ts";
import type { Language } from "../../../evidence/reader/text/languages.ts";
import { evidenceFile } from "../../agreement/rows.ts";
import { readSeal } from "../../support/vector-files.ts";

const CHECKED_AT = new Date("2026-11-27T02:17:30Z");
const trustAnchors = parseCertificatesPem(readFileSync(evidenceFile("authorities/service.pem"), "utf8"));
const given = new Map([0, 1, 2, 3].map((index) => [index, readSeal(`seals/${index}.json`)]));
const DIGEST = `sha256:${"ab".repeat(32)}`;

const read = (name: string): Evidence => parseEvidence(new Uint8Array(readFileSync(evidenceFile(name))));

const sheetOf = async (
  evidence: Evidence,
  language: Language = "en",
  requests: readonly unknown[] = [],
): Promise<string> =>
  formatNode(buildSheet(await sheetInputs(evidence, "report.json", { language, requests })));

async function sheetInputs(
  evidence: Evidence,
  name: string,
  { language = "en", requests = [] }: { language?: Language; requests?: readonly unknown[] } = {},
): Promise<SheetInputs> {
  const published = new PublishedSeals(null, { given });
  const examiner = new Examiner({ requests, published, trustAnchors, now: CHECKED_AT.toISOString() });
  return {
    evidence,
    examination: await examiner.examine(evidence),
    files: [{ name, kind: evidence.kind, size: 4_711, digest: DIGEST }],
    request: requests[0],
    anchors: describeAnchors(trustAnchors),
    source: "https://receipts.example",
    checkedAt: CHECKED_AT,
    timeZone: "Europe/Berlin",
    program: "disclosure-receipts 0.1.0",
    language,
  };
}

const receiptIn = (evidence: Evidence): { event_id?: unknown } => {
  if (evidence.kind === "seal" || evidence.kind === "bundle") throw new Error("this is no receipt");
  return evidence.receipt.receipts?.[0] ?? {};
};

describe("the evidence sheet", () => {
  test("says for which receipt it is, in its head and at the foot of every page", async () => {
    const report = read("receipts/hand-off.json");
    const number = String(receiptIn(report).event_id);
    expect(titleOf({ evidence: report, language: "en" })).toBe(`Receipt ${number}`);
    expect((await sheetOf(report)).split(number).length - 1).toBeGreaterThanOrEqual(3);
    expect(await sheetOf(report)).toMatch(new RegExp(`<tfoot>.*${number}.*</tfoot>`));
  });

  test("has no control character of a stranger's, and nothing that reorders what stands beside it", async () => {
    const evidence = read("receipts/hand-off.json");
    const policy = receiptIn(evidence) as { policy: { jurisdiction: string } };
    policy.policy.jurisdiction = "\u202eED\u009b";
    const html = formatDocument(
      "en",
      "report\u001b[2J\u202e.json",
      buildSheet(await sheetInputs(evidence, "\u001b]0;pwn\u0007\u2066.json")),
    );
    expect(html).toContain("\\u{1b}]0;pwn\\u{7}\\u{2066}.json");
    expect(html.match(/(?!\n)[\p{Cc}\p{Cf}]/gu)).toBeNull();
  });

  test("shows what the caller states, as the caller's word, and no time where none is stated", async () => {
    const goodbye = read("receipts/goodbye.json");
    const { disclosure } = receiptIn(goodbye) as { disclosure: { disclosed_at?: string } };
    const row = /<dt>Notice given<\/dt><dd>.*?<time datetime="(.*?)">.*?as the caller states/;
    expect(row.exec(await sheetOf(goodbye))?.[1]).toBe(disclosure.disclosed_at);
    disclosure.disclosed_at = "<b>at noon</b>";
    expect(await sheetOf(goodbye)).toContain(
      "<bdi>&lt;b&gt;at noon&lt;/b&gt;</bdi><small>as the caller states",
    );
    expect(await sheetOf(read("receipts/hand-off.json"))).not.toContain("Notice given");
  });

  test("names every file with its SHA-256, the place of the roots, the program, and the certificates", async () => {
    const sheet = await sheetOf(read("receipts/hand-off.json"));
    for (const part of [
      "report.json",
      "4,711 bytes",
      DIGEST.slice(7),
      "https://receipts.example",
      "disclosure-receipts 0.1.0",
    ])
      expect(sheet).toContain(part);
    for (const { fingerprint } of describeAnchors(trustAnchors))
      expect(sheet).toContain(fingerprint.slice(7));
  });

  test("names conversation and agent where the request behind the receipt was given", async () => {
    const bundle = read("bundles/conversation.json");
    if (bundle.kind !== "bundle") throw new Error("this is no bundle");
    const [receipt] = bundle.bundle.receipts;
    const [request] = bundle.bundle.requests;
    const report = read("receipts/greeting.json");
    expect(receiptIn(report).event_id).toBe(receipt?.event_id);
    const sheet = await sheetOf(report, "en", [request]);
    expect(sheet).toContain(bundle.bundle.interaction_id);
    expect(sheet).toContain(String((request as { agent_identity: string }).agent_identity));
    expect(await sheetOf(report)).toContain("not known: no matching request was given");
  });

  test("tells when, by whom and why a conversation's identifiers were erased, once", async () => {
    const bundle = read("bundles/conversation.json");
    if (bundle.kind !== "bundle") throw new Error("this is no bundle");
    const erasure = {
      erased_at: "2026-11-22T10:00:00.000Z",
      erased_by: "officer",
      ground: "order",
    } as const;
    const erasures = bundle.bundle.receipts.map(() => erasure);
    const sheet = await sheetOf({ ...bundle, bundle: { ...bundle.bundle, erasures } });
    expect(sheet.split("by officer (an authority or a court ordered it)")).toHaveLength(2);
    expect(await sheetOf(bundle)).not.toContain("were erased");
  });

  test("lists each turn of a conversation with its number and leaf hash", async () => {
    const bundle = read("bundles/conversation.json");
    if (bundle.kind !== "bundle") throw new Error("this is no bundle");
    const sheet = await sheetOf(bundle);
    for (const { event_id } of bundle.bundle.receipts) expect(sheet).toContain(String(event_id));
    for (const { merkle_proof } of bundle.bundle.proofs)
      expect(sheet).toContain(merkle_proof.event_inclusion_proof.leaf_hash);
  });

  test("never calls a part of a conversation the conversation, and says which turns are missing", async () => {
    const sheet = await sheetOf(read("damaged/bundle-stated-begin.json"));
    expect(sheet).toContain("The records of turns 2 to 4 of this conversation hold.");
    expect(sheet).toContain("This is not the whole conversation. Not here: turn 1.");
    expect(sheet).not.toContain("The record of this conversation");
    expect(await sheetOf(read("bundles/conversation.json"))).toContain(
      "The record of this conversation holds.",
    );
  });

  test("shows UTC and then the reader's own time", async () => {
    expect(await sheetOf(read("receipts/hand-off.json"))).toMatch(
      /27 November 2026 at 02:17:30 UTC<\/time> \(03:17:30 /,
    );
  });

  test("shows no time and calls nothing proven of a receipt that does not hold", async () => {
    const sheet = await sheetOf(read("damaged/receipt-core-turn.json"));
    expect(sheet).toContain("does not hold");
    expect(sheet).toContain("none of this is proven");
    expect(sheet).toContain("No time is proven.");
  });

  test("is in German where that is asked for, without words of a recorded call", async () => {
    const sheet = await sheetOf(read("receipts/hand-off.json"), "de");
    expect(sheet).toContain("Prüfblatt");
    expect(sheet).not.toContain("Aufgezeichnet");
  });

  test("lets no text of a file become markup", async () => {
    const evil = "<script>alert(1)</script>\"'&";
    const report = JSON.parse(readFileSync(evidenceFile("receipts/hand-off.json"), "utf8"));
    report.receipts[0].event_id = evil;
    report.receipts[0].disclosure.disclosure_method = evil;
    const evidence = parseEvidence(utf8(JSON.stringify(report)));
    const document = formatDocument("en", titleOf({ evidence, language: "en" }), await buildEvil(evidence));
    expect(document).not.toContain("<script");
    expect(document).toContain("&lt;script&gt;");
  });
});

async function buildEvil(evidence: Evidence) {
  const examiner = new Examiner({
    requests: [],
    published: new PublishedSeals(null),
    trustAnchors,
    now: CHECKED_AT.toISOString(),
  });
  return buildSheet({
    evidence,
    examination: await examiner.examine(evidence),
    files: [{ name: "<img src=x>", kind: evidence.kind, size: 1, digest: DIGEST }],
    request: undefined,
    anchors: [],
    source: null,
    checkedAt: CHECKED_AT,
    timeZone: "UTC",
    program: "disclosure-receipts",
    language: "en",
  });
}
