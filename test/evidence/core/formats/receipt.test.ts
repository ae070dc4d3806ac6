import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  answerAuthenticationSchema,
  hashOutput,
  hashReceiptCore,
  inFormatOrder,
  labelAfter,
  NO_PREVIOUS_HASH,
  RECEIPT_LEAF_BYTES,
  type Receipt,
  receiptCoreSchema,
  receiptLeaf,
  receiptSchema,
  shownReceiptSchema,
  withoutAuthentication,
} from "../../../../evidence/core/formats/receipt.ts";
import { formatDigest } from "../../../../evidence/core/merkle/hash.ts";
import { jcs } from "../../../support/plain-json.ts";
import { plainLeaf } from "../../../support/receipt-leaf.ts";
import { canonicalCore, canonicalPolicy, receipt } from "../../../support/receipts.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const core = withoutAuthentication(receipt);

describe("the hashes that anyone recomputes", () => {
  const hashOf = (...parts: (string | Buffer)[]): Buffer => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest();
  };

  test("the leaf of a first turn is a label of its own core, and the hash of the canonical core", () => {
    const coreHash = hashOf(canonicalCore);
    const leaf = Buffer.concat([hashOf("disclosure-receipt/1/first-turn\n", coreHash), coreHash]);
    expect(Buffer.from(receiptLeaf(core))).toEqual(leaf);
    expect(leaf).toHaveLength(RECEIPT_LEAF_BYTES);
    expect(formatDigest(hashReceiptCore(core))).toBe(`sha256:${sha256(Buffer.concat([Buffer.of(0), leaf]))}`);
  });

  test("the leaf of a later turn has the label after the turn before", () => {
    const later = { ...core, previous_turn_hash: `sha256:${"0f".repeat(32)}` };
    const label = hashOf("disclosure-receipt/1/turn-after\n", Buffer.alloc(32, 0x0f));
    expect(Buffer.from(receiptLeaf(later))).toEqual(Buffer.concat([label, hashOf(jcs(later))]));
  });

  test("who has a receipt knows the label of the one that follows it in its conversation", () => {
    const next = { ...core, turn: 3, previous_turn_hash: formatDigest(hashReceiptCore(core)) };
    expect(receiptLeaf(next).subarray(0, 32)).toEqual(labelAfter(hashReceiptCore(core)));
    expect(receiptLeaf(core).subarray(0, 32)).not.toEqual(labelAfter(hashReceiptCore(core)));
  });

  test.each([
    ["a text", { previous_turn_hash: "x" }],
    ["upper case", { previous_turn_hash: `sha256:${"A".repeat(64)}` }],
    ["a node", { previous_turn_hash: `0x${"a".repeat(64)}` }],
    ["a newline more", { previous_turn_hash: `sha256:${"a".repeat(64)}\n` }],
    ["a number", { previous_turn_hash: 0 }],
    ["false", { previous_turn_hash: false }],
    ["a list", { previous_turn_hash: [`sha256:${"a".repeat(64)}`] }],
    ["nothing", { previous_turn_hash: undefined }],
  ])("a core whose previous_turn_hash is %s has no leaf hash", (_, change) => {
    const malformed = expect.objectContaining({ code: "malformed" });
    expect(() => hashReceiptCore({ ...core, ...change })).toThrow(malformed);
    expect(() => hashReceiptCore([])).toThrow(malformed);
  });

  test("the leaf hash covers every member of the core, and none of the authentication", () => {
    const changed = { ...core, previous_turn_hash: `sha256:${"b".repeat(64)}` };
    const names = Object.keys(core).filter((name) => name !== "previous_turn_hash");
    const cores = [core, changed, ...names.map((name) => ({ ...core, [name]: "x" }))];
    const hashes = cores.map((one) => formatDigest(hashReceiptCore(one)));
    expect(new Set(hashes).size).toBe(Object.keys(core).length + 1);
    const forged = { ...receipt, signature: `${"B".repeat(43)}=`, key_id: "other" };
    expect(hashReceiptCore(withoutAuthentication(forged))).toEqual(hashReceiptCore(core));
  });

  test("the output hash is SHA-256 over event, policy, turn and verdict in that order, and nothing else", () => {
    const canonical = `{"event_id":"${receipt.event_id}","policy":${canonicalPolicy},"turn":2,"verdict":"MODIFY"}`;
    expect(hashOutput(receipt)).toBe(`sha256:${sha256(canonical)}`);
    const { verdict, turn, policy, event_id } = receipt;
    expect(hashOutput({ verdict, turn, policy, event_id })).toBe(hashOutput(receipt));
  });

  test.each([
    { event_id: "00000000-0002-8000-8000-000000000000" },
    { policy: { ...receipt.policy, wording_id: "other" } },
    { policy: { ...receipt.policy, findings: ["method_unknown", "wording_unknown"] } },
    { turn: 3 },
    { verdict: "ALLOW" as const },
  ])("the output hash changes with %j", (change) => {
    expect(hashOutput({ ...receipt, ...change })).not.toBe(hashOutput(receipt));
  });

  test("the first receipt of a chain links to 64 zeros, which is a digest like any other", () => {
    expect(NO_PREVIOUS_HASH).toBe(`sha256:${"0".repeat(64)}`);
    const first = { ...receipt, sequence: 0, previous_hash: NO_PREVIOUS_HASH };
    expect(receiptSchema.parse(first)).toEqual(first);
  });

  test("each receipt links to the leaf hash of the one before, so no change to an old one goes unseen", () => {
    const second = { ...core, sequence: 2, previous_hash: formatDigest(hashReceiptCore(core)) };
    const leaf = Buffer.concat([Buffer.of(0), plainLeaf(core)]);
    expect(receiptCoreSchema.parse(second).previous_hash).toBe(`sha256:${sha256(leaf)}`);
    const changed = { ...core, verdict: "ALLOW" };
    expect(formatDigest(hashReceiptCore(changed))).not.toBe(second.previous_hash);
  });
});

describe("withoutAuthentication", () => {
  test("takes away the three members that authenticate, and leaves the receipt as it was", () => {
    expect(Object.keys(receipt).filter((name) => !(name in core))).toEqual([
      "auth_mechanism",
      "key_id",
      "signature",
    ]);
    expect(receipt.signature).toBe(`${"A".repeat(43)}=`);
  });

  test("keeps members that we don't know, so that an added one changes the hash", () => {
    const raw = JSON.parse('{"a":1,"__proto__":{"b":2},"signature":"s","nested":{"signature":"kept"}}');
    expect(JSON.stringify(withoutAuthentication(raw))).toBe(
      '{"a":1,"__proto__":{"b":2},"nested":{"signature":"kept"}}',
    );
    expect(hashReceiptCore(withoutAuthentication({ ...receipt, note: "" }))).not.toEqual(
      hashReceiptCore(core),
    );
  });

  test("takes what has no authentication as it is", () => {
    expect(withoutAuthentication({ a: 1 })).toEqual({ a: 1 });
  });
});

describe("the receipt's format", () => {
  test("reads a whole receipt", () => {
    expect(receiptSchema.parse(receipt)).toEqual(receipt);
  });

  const bad: [keyof Receipt, unknown][] = [
    ["event_id", "1"],
    ["chain_id", "0123"],
    ["chain_id", "tenant-acme"],
    ["sequence", -1],
    ["sequence", 0.5],
    ["sequence", "1"],
    ["sequence", 2 ** 53],
    ["turn", 0],
    ["verdict", "allow"],
    ["input_hash", `0x${"0".repeat(64)}`],
    ["output_hash", `sha256:${"0".repeat(63)}`],
    ["previous_hash", null],
    ["previous_turn_hash", ""],
    ["issued_at", "2026-09-01T12:00:00Z"],
    ["issued_at", "2026-09-01T12:00:00.000+02:00"],
    ["issued_at", "2026-09-01T12:00:00.000000Z"],
    ["issued_at", "2026-02-30T12:00:00.000Z"],
    ["disclosure", { ...receipt.disclosure, article_50_clause: "2" }],
    ["policy", { ...receipt.policy, findings: null }],
    ["receipt_format_version", "2.0"],
    ["verifiability", "unverifiable"],
    ["auth_mechanism", "ed25519"],
    ["key_id", ""],
    ["signature", "A".repeat(44)],
    ["signature", `${"A".repeat(42)}=`],
    ["signature", `${"A".repeat(44)}=`],
    ["signature", `${"A".repeat(43)}=A`],
  ];

  test.each(bad)("refuses %s %j", (name, value) => {
    const { success, error } = receiptSchema.safeParse({ ...receipt, [name]: value });
    expect(success).toBe(false);
    expect(error?.issues.map(({ path }) => path[0])).toEqual([name]);
  });

  test.each(Object.keys(receipt))("refuses a receipt without %s", (name) => {
    const { [name]: _, ...rest } = receipt as Record<string, unknown>;
    expect(receiptSchema.safeParse(rest).success).toBe(false);
  });
});

describe("a receipt as evidence shows it", () => {
  const codeOf = ({ auth_mechanism, key_id, signature }: Receipt) => ({ auth_mechanism, key_id, signature });
  const names = ["auth_mechanism", "key_id", "signature"];

  test("has its authentication, or is the core alone", () => {
    expect(shownReceiptSchema.parse(receipt)).toEqual(receipt);
    expect(shownReceiptSchema.parse(core)).toEqual(core);
  });

  test.each(names)("is refused with a part of its authentication: without %s, or with it alone", (name) => {
    const [rest, alone] = [false, true].map((isWanted) =>
      Object.fromEntries(Object.entries(codeOf(receipt)).filter(([each]) => (each === name) === isWanted)),
    );
    for (const part of [rest, alone]) {
      const { error } = shownReceiptSchema.safeParse({ ...core, ...part });
      expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["auth_mechanism"]);
    }
  });

  test("an answer has all three, or null in their place, and never lacks one", () => {
    const none = { auth_mechanism: null, key_id: null, signature: null };
    for (const code of [codeOf(receipt), none]) {
      expect(answerAuthenticationSchema.parse(code)).toEqual(code);
      expect(unneededMembers(answerAuthenticationSchema, code)).toEqual([]);
    }
  });
});

describe("the order of the format", () => {
  const reversed = (value: object): object =>
    Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, isObject(member) ? reversed(member) : member]),
    );
  const isObject = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);

  test.each([
    ["a receipt", core],
    ["the first receipt, recorded after no seal", { ...core, recorded_after: null }],
    [
      "one whose caller stated a time",
      { ...core, disclosure: { ...core.disclosure, disclosed_at: "2026-09-01T12:00:00Z" } },
    ],
  ])("is that of %s, whatever order its members came in", (_, ordered) => {
    const other = reversed(ordered) as typeof core;
    expect(JSON.stringify(other)).not.toBe(JSON.stringify(ordered));
    expect(JSON.stringify(inFormatOrder(other))).toBe(JSON.stringify(ordered));
  });
});
