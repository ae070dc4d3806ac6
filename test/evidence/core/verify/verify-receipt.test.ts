import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../../evidence/core/canonical-json.ts";
import { evidenceSchema } from "../../../../evidence/core/formats/evidence.ts";
import { PENDING_TIMESTAMP } from "../../../../evidence/core/formats/metachain.ts";
import { NO_PREVIOUS_HASH } from "../../../../evidence/core/formats/receipt.ts";
import { verifyReceipt } from "../../../../evidence/core/verify/verify-receipt.ts";
import {
  type EvidenceVector,
  evidenceVector,
  type Verdict,
  verifyAs,
  verifyVector,
} from "../../../support/evidence.ts";
import { leavesOf, nudged, type Pointer, withValue } from "../../../support/json-leaves.ts";
import { evidenceFor, forgeReceipts } from "../../../support/lying-service.ts";
import { readEvidence, readReceipt, readSeal } from "../../../support/vector-files.ts";

const TOKEN = "/tsa_timestamp/timestamp_token";
/** What a reader without the key must take as it is said. */
const STATED: readonly Pointer[] = [
  "/auth_mechanism",
  "/key_id",
  "/signature",
  "/receipts/0/key_id",
  "/receipts/0/signature",
  "/tsa_timestamp/tsa_url",
  // A reader who knows the log's key judges them.
  "/log_checkpoint",
  "/log_signed_root",
];
/** The head's hash too, where the head is another receipt than this one. */
const HEAD_HASH = "/evidence_chain/head_hash";

const BASES: readonly (readonly [string, readonly Pointer[]])[] = [
  ["receipts/hand-off.json", [...STATED, HEAD_HASH]],
  ["receipts/goodbye.json", STATED],
  ["receipts/greeting.json", STATED],
  ["receipts/hand-off-pending.json", STATED],
  ["receipts/together-c-pending.json", [...STATED, HEAD_HASH]],
  ["receipts/goodbye-unstamped.json", STATED],
];

const isRefused = (verdict: Verdict): boolean => verdict === null || !verdict.valid;

/** The words of the check that reads the token: root and time are in them. */
/** Some changes leave a token that can't be judged, such as one that names another certificate. It proves nothing. */
const isLeftOpen = (verdict: Verdict): boolean =>
  verdict?.checks.find(({ name }) => name === "timestamp")?.ok === null;
const provedTime = (verdict: Verdict): string | undefined =>
  verdict?.checks.find(({ name }) => name === "timestamp")?.detail;

/** Refused, unless only the key's holder could tell. A token may differ in what its signature leaves open. */
async function expectRefusal(
  vector: EvidenceVector,
  stated: readonly Pointer[],
  pointer: Pointer,
  changed: JsonValue,
): Promise<void> {
  const verdict = await verifyAs(vector, changed);
  if (stated.includes(pointer)) return expect(verdict).toMatchObject({ valid: true });
  if (pointer === TOKEN && !isRefused(verdict)) {
    if (isLeftOpen(verdict)) return;
    return expect(provedTime(verdict)).toBe(provedTime(await verifyVector(vector)));
  }
  expect(isRefused(verdict), `${pointer} was changed unseen`).toBe(true);
  if (verdict !== null) expect(verdict.checks.filter(({ ok }) => ok === false)[0]?.detail).toMatch(/\w/);
}

describe.each(BASES)("the receipt in %s", (file, stated) => {
  const vector = evidenceVector(file);
  const original = readEvidence(file);
  const leaves = leavesOf(original);

  test("is refused when any one value in it is changed a little", async () => {
    expect(leaves.length).toBeGreaterThan(30);
    for (const { pointer, value } of leaves) {
      const isMalformed = stated.includes(pointer) && value === null;
      if (isMalformed) continue;
      // A place in the middle: the ends of some texts carry no information, such as the padding of base64.
      const seed = typeof value === "string" ? Math.floor(value.length / 2) : 0;
      await expectRefusal(vector, stated, pointer, withValue(original, pointer, nudged(value, seed)));
    }
  });

  test("is refused when one value is changed at any place", async () => {
    const hashed = leaves.filter(({ pointer, value }) => !stated.includes(pointer) && value !== null);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...hashed), fc.nat(), async ({ pointer, value }, seed) => {
        await expectRefusal(vector, stated, pointer, withValue(original, pointer, nudged(value, seed)));
      }),
      { numRuns: 100 },
    );
  });

  test("is refused when a value is any other JSON, and nothing throws", async () => {
    const hashed = leaves.filter(({ pointer }) => !stated.includes(pointer));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...hashed), fc.jsonValue(), async ({ pointer, value }, other) => {
        fc.pre(JSON.stringify(other) !== JSON.stringify(value) && !Object.is(other, -0));
        const changed = withValue(original, pointer, other as JsonValue);
        expect(isRefused(await verifyAs(vector, changed)), `${pointer} was changed unseen`).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test("says of a request with any one value changed that it is another, and stays as good as it was", async () => {
    const evidence = evidenceSchema.parse(original);
    const request = readEvidence(vector.request ?? "");
    for (const { pointer, value } of leavesOf(request)) {
      const changed = withValue(request, pointer, nudged(value, 1));
      const { checks } = await verifyReceipt(evidence, { request: changed });
      expect(checks.find(({ name }) => name === "input_hash")).toEqual({
        name: "input_hash",
        ok: null,
        detail: "the request that was given is not the one behind this receipt",
        reason: "other_request",
      });
    }
  });
});

describe("a receipt in which more than one value was changed", () => {
  const vector = evidenceVector("receipts/hand-off.json");

  test("is refused when a forger recomputes every hash but can't publish a root", async () => {
    const mine = readReceipt("receipts/greeting.json");
    const theirs = readReceipt("receipts/hand-off.json");
    // A whole honest receipt, relabelled as sealed with the other.
    const cross = theirs.merkle_proof.cross_tenant_proof;
    const forged = { ...mine, merkle_proof: { ...mine.merkle_proof, cross_tenant_proof: cross } };
    const verdict = await verifyAs({ ...vector, request: "requests/greeting.json" }, forged);
    expect(verdict?.checks.filter(({ ok }) => ok === false).map(({ name }) => name)).toEqual([
      "merkle_root",
      "published_root",
    ]);
  });
});

describe("verifyReceipt", () => {
  test("takes the receipt as it came, so that a member which a parser would drop is hashed", async () => {
    const text = JSON.stringify(readEvidence("receipts/hand-off.json"));
    const added = JSON.parse(
      text.replace('"verdict"', '"__proto__":{"verdict":"ALLOW"},"verdict"'),
    ) as unknown;
    const { valid, checks } = await verifyReceipt(evidenceSchema.parse(added));
    expect(valid).toBe(false);
    expect(checks.find(({ name }) => name === "leaf_hash")).toMatchObject({ ok: false });
  });

  test.each<[what: string, receipt: unknown]>([
    ["null", null],
    ["a text", "receipt"],
    ["a number", 7],
    ["a list", []],
  ])("reads no evidence in which the receipt is %s", (_what, receipt) => {
    const evidence = readEvidence("receipts/hand-off.json") as object;
    expect(evidenceSchema.safeParse({ ...evidence, receipts: [receipt] }).success).toBe(false);
  });

  test("holds for a receipt and its proof without the event id that an answer has beside them", async () => {
    const { event_id: _e, ...part } = readReceipt("receipts/hand-off.json");
    expect((await verifyReceipt(evidenceSchema.parse(part))).valid).toBe(true);
  });

  test("holds for a bare proof and its head where nothing sealed names the chain", async () => {
    const { merkle_proof, evidence_chain } = readReceipt("receipts/hand-off-pending.json");
    const { valid } = await verifyReceipt(evidenceSchema.parse({ merkle_proof, evidence_chain }));
    expect(valid).toBe(true);
  });

  test("makes no check of the token without an anchor, and refuses what is no token all the same", async () => {
    const evidence = evidenceSchema.parse(readEvidence("receipts/hand-off.json"));
    const timestampOf = async (subject: typeof evidence) =>
      (await verifyReceipt(subject)).checks.find(({ name }) => name === "timestamp")?.ok;
    expect(await timestampOf(evidence)).toBeNull();
    const { tsa_timestamp } = evidence;
    if (tsa_timestamp === undefined) throw new Error("the vector has a timestamp");
    expect(await timestampOf({ ...evidence, tsa_timestamp: PENDING_TIMESTAMP })).toBeNull();
    const nonsense = { ...tsa_timestamp, timestamp_token: "AAAA" };
    expect(await timestampOf({ ...evidence, tsa_timestamp: nonsense })).toBe(false);
  });

  test("says with what the published root was compared", async () => {
    const evidence = evidenceSchema.parse(readEvidence("receipts/hand-off.json"));
    const { seal_index: index = 0 } =
      readReceipt("receipts/hand-off.json").merkle_proof.cross_tenant_proof ?? {};
    const seal = readSeal(`seals/${index}.json`);
    const detailOf = async (sealCopy?: typeof seal, knowledge = {}) => {
      const { checks } = await verifyReceipt({ ...evidence, ...(sealCopy && { sealCopy }) }, knowledge);
      return checks.find(({ name }) => name === "published_root")?.detail;
    };
    expect(await detailOf()).toBe(`not compared with the published root ${index}`);
    expect(await detailOf(seal)).toBe("compared only with the bundle's own copy of the seal");
    expect(await detailOf(seal, { seal })).toBe(`the root is that of seal ${index}`);
    expect(await detailOf({ ...seal, tree_size: 99 })).toBe(
      `the bundle's seal ${index} has a different root`,
    );
    expect(await detailOf(undefined, { seal: { ...seal, tree_size: 99 } })).toBe(
      `a different root is published under ${index}`,
    );
  });

  test("names every check once, in an order that readers can rely on", async () => {
    const { checks } = await verifyReceipt(evidenceSchema.parse(readEvidence("receipts/hand-off.json")));
    expect(checks.map(({ name }) => name)).toEqual([
      "receipt_format",
      "event_id",
      "input_hash",
      "output_hash",
      "policy",
      "leaf_hash",
      "links",
      "event_inclusion",
      "evidence_chain",
      "merkle_root",
      "published_root",
      "timestamp",
      "recorded_after",
    ]);
  });
});

describe("a receipt whose service lies, and hashes its lies as it should", () => {
  const OTHER_DIGEST = `sha256:${"5".repeat(64)}`;

  const checksOf = async (lies: Parameters<typeof forgeReceipts>[0], index: number) => {
    const { checks } = await verifyReceipt(evidenceFor(forgeReceipts(lies), index));
    return checks.filter(({ ok }) => ok === false).map(({ name, detail }) => `${name}: ${detail}`);
  };

  test("holds where it tells the truth", async () => {
    for (const index of [0, 1, 2, 3, 4]) expect(await checksOf([{}, {}, {}, {}, {}], index)).toEqual([]);
  });

  test("is refused where the event id is a UUID, and none that says a place", async () => {
    const [truth] = forgeReceipts([{}]);
    for (const event_id of ["017f22e2-79b0-7cc3-98c4-dc0c0c07398f", truth?.event_id.toUpperCase() ?? ""])
      expect(await checksOf([{ event_id }], 0)).toEqual([
        "event_id: the event id does not name this place of this chain",
      ]);
  });

  test("is refused where the first receipt links back, or a later one doesn't", async () => {
    const reason = ["links: only the first receipt has none before it"];
    expect(await checksOf([{ previous_hash: OTHER_DIGEST }], 0)).toEqual(reason);
    expect(await checksOf([{}, {}, { previous_hash: NO_PREVIOUS_HASH }], 2)).toEqual(reason);
  });

  test("is refused where the first turn links back, or a later one doesn't", async () => {
    const reason = ["links: only the first turn has none before it"];
    expect(await checksOf([{ previous_turn_hash: OTHER_DIGEST }], 0)).toEqual(reason);
    expect(await checksOf([{}, {}, { previous_turn_hash: null }], 2)).toEqual(reason);
  });

  test("is refused where it links to another than its neighbour in the tree, at every odd place", async () => {
    for (const place of [1, 3]) {
      const lies = Array.from({ length: 5 }, (_, i) => (i === place ? { previous_hash: OTHER_DIGEST } : {}));
      expect(await checksOf(lies, place)).toEqual(["links: the receipt does not link to the one before it"]);
    }
  });
});
