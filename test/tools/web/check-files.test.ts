import { describe, expect, test } from "vitest";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { hasReason } from "../../../evidence/reader/verdict.ts";
import { companionsOf, overviewOf } from "../../../tools/web/checked.ts";
import type { Source } from "../../../tools/web/given-file.ts";
import { turnsApart } from "../../support/evidence.ts";
import { readBytes, readEvidence } from "../../support/vector-files.ts";
import { check, entryNamed, evidenceNamed, metachain, sourceOf, vectorSource } from "./files.ts";

const served = {
  metachain,
  serviceAnchors: parseCertificatesPem(new TextDecoder().decode(readBytes("authorities/service.pem"))),
};
const damaged = vectorSource("damaged/receipt-core-disclosure-subject_hash.json");
const DAMAGED = "receipt-core-disclosure-subject_hash.json";
const good = vectorSource("receipts/greeting.json");
const reminder = vectorSource("receipts/reminder.json");
const other = sourceOf("other.pem", readBytes("../timestamps/openssl-rsa-ca.pem"));

/** The turns from `first` to `last` of the conversation, as the service pages them. */
function page(first: number, last: number) {
  const bundle = readEvidence("bundles/conversation.json") as Record<string, unknown[]>;
  const cut = (name: string) => bundle[name]?.slice(first - 1, last);
  const cuts = { receipts: cut("receipts"), requests: cut("requests"), proofs: cut("proofs") };
  const next_turn = last < 4 ? last + 1 : null;
  return sourceOf(`page-${first}.json`, JSON.stringify({ ...bundle, ...cuts, next_turn }));
}

describe("many files", () => {
  test.each([
    ["first", [damaged, good]],
    ["last", [good, damaged]],
    ["in the middle", [good, damaged, reminder]],
  ])("are as bad as the worst of them, which comes %s", async (_, files) => {
    const checked = await check(files, served);
    expect(overviewOf(checked)).toEqual({ outcome: "does_not_hold", count: 1, all: files.length });
    expect(evidenceNamed(checked, DAMAGED).verdict.outcome).toBe("does_not_hold");
    expect(evidenceNamed(checked, "greeting.json").verdict.outcome).toBe("holds");
  });

  test("hold all, and together, where each of them holds", async () => {
    const checked = await check([good, reminder, vectorSource("bundles/conversation.json")], served);
    expect(overviewOf(checked)).toEqual({ outcome: "holds", count: 3, all: 3 });
    expect(checked.together?.checks.map(({ name, ok }) => [name, ok])).toContainEqual(["one_history", true]);
  });

  test("of which one can't be read are all listed, with the reason and the name of that one", async () => {
    const checked = await check([sourceOf("scan.pdf", "%PDF-1.7 scan"), good], served);
    expect(overviewOf(checked)).toEqual({ outcome: "unreadable", count: 1, all: 2 });
    expect(entryNamed(checked, "scan.pdf")).toMatchObject({ kind: "unreadable", problem: { reason: "pdf" } });
    expect(evidenceNamed(checked, "greeting.json").verdict.outcome).toBe("holds");
  });

  test.each([
    ["", "empty"],
    ["%PDF-1.7", "pdf"],
    ['{"type":"about:blank","title":"No or unknown API key","status":401}', "refusal"],
    ["{", "not_json"],
    ['{"hello":1}', "unknown"],
  ])("name what %j is", async (content, reason) => {
    const checked = await check([sourceOf("file.json", content)]);
    expect(entryNamed(checked, "file.json")).toMatchObject({ kind: "unreadable", problem: { reason } });
  });

  test("that are pages of one conversation are one entry that names them, in whichever order they come", async () => {
    const checked = await check([page(3, 4), good, page(1, 2)], served);
    const entry = evidenceNamed(checked, "page-3.json");
    expect(entry.files.map(({ name }) => name)).toEqual(["page-1.json", "page-3.json"]);
    expect(entry.examination.turns).toHaveLength(4);
    expect(overviewOf(checked)).toEqual({ outcome: "holds", count: 3, all: 3 });
  });

  test("that contradict each other do not hold, though each does by itself", async () => {
    const names = ["turn-0.json", "turn-1.json"];
    const turns = turnsApart("forged/subtree-forked.json");
    const checked = await check(turns.map((text, i) => sourceOf(names[i] ?? "", text)));
    for (const name of names) expect(evidenceNamed(checked, name).verdict.outcome).toBe("holds_so_far");
    expect(overviewOf(checked)).toMatchObject({ outcome: "does_not_hold", all: 2 });
    expect(checked.together?.checks.map(({ name, ok }) => [name, ok])).toContainEqual(["one_history", false]);
  });

  test("leave out one that took too long, and check the others", async () => {
    const { digest } = (await check([good])).entries[0]?.files[0] ?? expect.unreachable();
    const checked = await check([good, reminder], { ...served, stopped: new Map([[digest, "too_slow"]]) });
    expect(entryNamed(checked, "greeting.json")).toMatchObject({
      kind: "unreadable",
      problem: { reason: "too_slow" },
    });
    expect(overviewOf(checked)?.outcome).toBe("unreadable");
    expect(evidenceNamed(checked, "reminder.json").verdict.outcome).toBe("holds");
  });
});

describe("a file beyond the limits", () => {
  const withToken = (length: number): string => {
    const report = readEvidence("receipts/greeting.json") as { tsa_timestamp: { timestamp_token: string } };
    report.tsa_timestamp.timestamp_token = "A".repeat(length);
    return JSON.stringify(report);
  };

  test.each([
    ["a list of a hundred thousand", `{"proofs":[${"{},".repeat(100_000)}{}]}`, "part_too_large"],
    ["a token of two megabytes", withToken(2_000_000), "part_too_large"],
    ["twenty megabytes", " ".repeat(20 * 1024 * 1024), "too_large"],
  ])("is refused by name, before it is read: %s", async (_, content, reason) => {
    const checked = await check([sourceOf("huge.json", content), good], served);
    expect(entryNamed(checked, "huge.json")).toMatchObject({ kind: "unreadable", problem: { reason } });
    expect(evidenceNamed(checked, "greeting.json").verdict.outcome).toBe("holds");
  });
});

describe("what belongs to a receipt", () => {
  test("is checked with it, and listed with it", async () => {
    const root: Source = { ...vectorSource("seals/0.json"), as: "seal" };
    const files = [good, vectorSource("requests/greeting.json"), root];
    const checked = await check([...files, vectorSource("authorities/service.pem")]);
    const entry = evidenceNamed(checked, "greeting.json");
    expect(entry.verdict.outcome).toBe("holds");
    expect(entry.examination.turns[0]?.checks.find(({ name }) => name === "input_hash")?.ok).toBe(true);
    expect(companionsOf(checked.entries, entry).map(({ kind }) => kind)).toEqual([
      "request",
      "certificates",
      "seal",
    ]);
    expect(overviewOf(checked)).toEqual({ outcome: "holds", count: 1, all: 1 });
  });

  test("does not count as published where it is a root that merely lies beside the receipt", async () => {
    const files = [good, vectorSource("seals/0.json"), vectorSource("authorities/service.pem")];
    const checked = await check(files);
    const { verdict } = evidenceNamed(checked, "greeting.json");
    expect(verdict.open.map(({ name, reason }) => [name, reason])).toEqual([["published_root", "not_given"]]);
    expect(overviewOf(checked)).toEqual({ outcome: "holds_so_far", count: 2, all: 2 });
  });

  test("is found by its hash among many requests, and none of another receipt here is a stray", async () => {
    const requests = ["reminder", "greeting", "goodbye"].map((name) => vectorSource(`requests/${name}.json`));
    const checked = await check([good, reminder, ...requests.slice(0, 2)], served);
    for (const name of ["greeting.json", "reminder.json"]) {
      const { examination, request } = evidenceNamed(checked, name);
      expect(request).not.toBeNull();
      expect(hasReason(examination, "other_request")).toBe(false);
    }
    const [alone] = (
      await check([good, reminder, vectorSource("requests/greeting.json")], served)
    ).entries.filter((entry) => entry.files[0]?.name === "reminder.json");
    expect(alone?.kind === "report" && hasReason(alone.examination, "other_request")).toBe(false);
  });

  test("a request of another receipt is named a stray, and leaves the verdict as it is", async () => {
    const checked = await check([good, vectorSource("requests/reminder.json")], served);
    expect(evidenceNamed(checked, "greeting.json").verdict).toMatchObject({ outcome: "holds", failed: [] });
    expect(entryNamed(checked, "reminder.json")).toMatchObject({ kind: "request", use: "stray" });
  });

  test("a certificate of another authority is named a stray, and leaves the timestamp open", async () => {
    const checked = await check([good, other], served);
    const { verdict } = evidenceNamed(checked, "greeting.json");
    expect(verdict).toMatchObject({ outcome: "holds_so_far", failed: [] });
    expect(verdict.open.map(({ name, reason }) => [name, reason])).toEqual([
      ["timestamp", "other_authority"],
    ]);
    expect(entryNamed(checked, "other.pem")).toMatchObject({ kind: "certificates", use: "stray" });
  });

  test("two certificates of which one fits leave nothing open", async () => {
    const checked = await check([good, other, vectorSource("authorities/service.pem")], served);
    expect(overviewOf(checked)?.outcome).toBe("holds");
  });

  test("a damaged root is a subject of its own, however good the receipt", async () => {
    const seal = readEvidence("seals/0.json") as { receipt_count: number };
    const changed = sourceOf("root.json", JSON.stringify({ ...seal, receipt_count: seal.receipt_count + 1 }));
    const checked = await check([good, changed], served);
    expect(overviewOf(checked)).toMatchObject({ outcome: "does_not_hold", count: 1 });
  });
});

describe("the certificates", () => {
  const sourcesOf = async (...question: Parameters<typeof check>) =>
    (await check(...question)).usedAnchors.map(({ source }) => source);

  test("of the reader come before all others", async () => {
    expect(await sourcesOf([good, vectorSource("authorities/service.pem")], served)).toEqual([
      { kind: "reader", file: "service.pem" },
    ]);
  });

  test("that the service names for itself are called its own word", async () => {
    expect(await sourcesOf([good], served)).toEqual([{ kind: "service" }]);
  });

  test("leave a timestamp open that leads to none of them, and a damaged one wrong", async () => {
    const open = await check([good], { metachain });
    expect(evidenceNamed(open, "greeting.json").verdict).toMatchObject({
      outcome: "holds_so_far",
      failed: [],
    });
    const wrong = await check([vectorSource("damaged/receipt-timestamp-of-another-root.json")], {
      metachain,
    });
    expect(overviewOf(wrong)?.outcome).toBe("does_not_hold");
  });

  test("are not used where the browser verifies no signatures", async () => {
    const checked = await check([good], { ...served, isSecure: false });
    expect(evidenceNamed(checked, "greeting.json").verdict.open.map(({ name }) => name)).toEqual([
      "timestamp",
    ]);
  });
});

test("a bundle's roots are proven only by what is published, not by its own copies of them", async () => {
  const { entries } = await check([vectorSource("bundles/conversation.json")]);
  const [entry] = entries;
  const turns = entry?.kind === "bundle" ? entry.examination.turns : [];
  expect(turns).toHaveLength(4);
  for (const { checks } of turns)
    expect(checks.find(({ name }) => name === "published_root")?.ok).not.toBe(true);
});
