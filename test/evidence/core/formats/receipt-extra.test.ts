// The extra of a receipt's .tlog-proof: one text for one meaning, and a head that follows from the receipt alone.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../../evidence/core/bytes.ts";
import { canonicalBytes } from "../../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import { withoutAuthentication } from "../../../../evidence/core/formats/receipt.ts";
import {
  formatReceiptExtra,
  headOfExtra,
  parseReceiptExtra,
  receiptExtra,
} from "../../../../evidence/core/formats/receipt-extra.ts";
import { plainLeaf } from "../../../support/receipt-leaf.ts";
import { canonicalCore, receipt } from "../../../support/receipts.ts";

const [LEFT, RIGHT] = ["ab".repeat(32), "cd".repeat(32)];
const extra = receiptExtra({
  event_inclusion_proof: { leaf_index: 1, path: [`0x${LEFT}`, `0x${RIGHT}`], tree_size: 3 },
  head_index: 5,
  receipt: withoutAuthentication(receipt),
  seal_index: 7,
});
const canonical = `{"event_inclusion_proof":{"leaf_index":1,"path":["0x${LEFT}","0x${RIGHT}"],"tree_size":3},"format":"disclosure-receipt/1","head_index":5,"receipt":${canonicalCore},"seal_index":7}`;

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const isMalformed = (message: string) =>
  expect.toSatisfy((error) => isDisclosureError(error, "malformed") && error.message.includes(message));

test("an extra is written as the canonical text of its members and its format, and read back", () => {
  expect(new TextDecoder().decode(formatReceiptExtra(extra))).toBe(canonical);
  expect(parseReceiptExtra(utf8(canonical))).toEqual(extra);
});

test("members of the receipt that we don't know stay in it, because they are hashed", () => {
  const more = utf8(canonical.replace('"verifiable"', '"verifiable","zeta":{"a":1}'));
  expect(formatReceiptExtra(parseReceiptExtra(more))).toEqual(more);
});

describe("an extra is not read", () => {
  test.each([
    ["with a space before it", ` ${canonical}`],
    ["with a line end", `${canonical}\n`],
    ["with a number in another spelling", canonical.replace('"seal_index":7', '"seal_index":7.0')],
    [
      "with its members in another order",
      `{"seal_index":7,${canonical.slice(1).replace(',"seal_index":7', "")}`,
    ],
  ])("%s: the text is not canonical", (_, text) => {
    expect(() => parseReceiptExtra(utf8(text))).toThrow(isMalformed("not canonical JSON"));
  });

  test.each([
    ["empty", new Uint8Array()],
    ["cut off", utf8(canonical.slice(0, -1))],
    ["not UTF-8", Uint8Array.of(0xff)],
  ])("that is %s: it is not JSON", (_, bytes) => {
    expect(() => parseReceiptExtra(bytes)).toThrow(isMalformed("not JSON"));
  });

  const { event_inclusion_proof: proof } = extra;
  test.each([
    ["this", null],
    ["this", []],
    ["this", { ...extra, more: 1 }],
    ["format", { ...extra, format: "disclosure-receipt/2" }],
    ["format", { ...extra, format: "" }],
    ["head_index", { ...extra, head_index: -1 }],
    ["receipt", { ...extra, receipt: [] }],
    ["receipt", { ...extra, receipt: null }],
    ["seal_index", { ...extra, seal_index: "7" }],
    ["event_inclusion_proof", { ...extra, event_inclusion_proof: { ...proof, more: 1 } }],
    ["event_inclusion_proof.leaf_index", { ...extra, event_inclusion_proof: { ...proof, leaf_index: -1 } }],
    ["event_inclusion_proof.tree_size", { ...extra, event_inclusion_proof: { ...proof, tree_size: 0 } }],
    ["event_inclusion_proof.path.0", { ...extra, event_inclusion_proof: { ...proof, path: [LEFT] } }],
  ])("where it has something else, and the error names the place: %s", (place, value) => {
    expect(() => parseReceiptExtra(canonicalBytes(value))).toThrow(
      isMalformed(`the extra of the proof is not a receipt's: ${place}`),
    );
  });

  test.each(Object.keys(extra))("without %s", (name) => {
    const rest = Object.fromEntries(Object.entries(extra).filter(([each]) => each !== name));
    expect(() => parseReceiptExtra(canonicalBytes(rest))).toThrow(isMalformed(name));
  });
});

describe("the head to which a receipt leads", () => {
  const leaf = sha256(Uint8Array.of(0), plainLeaf(withoutAuthentication(receipt)));
  const below = sha256(Uint8Array.of(1), Buffer.from(LEFT, "hex"), leaf);
  const root = sha256(Uint8Array.of(1), below, Buffer.from(RIGHT, "hex"));

  test("has the chain of the receipt, the size of the proof, and the root above the receipt's leaf hash", () => {
    expect(headOfExtra(extra)).toEqual({
      leafHash: `0x${leaf.toString("hex")}`,
      head: { chain_id: receipt.chain_id, head_index: 5, tree_size: 3, root: `0x${root.toString("hex")}` },
    });
  });

  test.each([
    ["a receipt of another place", { receipt: { ...extra.receipt, sequence: 0 } }],
    [
      "a proof of another place",
      { event_inclusion_proof: { ...extra.event_inclusion_proof, leaf_index: 0 } },
    ],
    ["a receipt without a place", { receipt: {} }],
    ["a receipt of no chain", { receipt: { ...extra.receipt, chain_id: "acme" } }],
    ["a tree that does not hold it", { event_inclusion_proof: { leaf_index: 1, path: [], tree_size: 1 } }],
    ["a path that is too short", { event_inclusion_proof: { leaf_index: 1, path: [], tree_size: 3 } }],
  ])("is none for %s", (_, change) => {
    expect(() => headOfExtra({ ...extra, ...change })).toThrow(
      expect.toSatisfy((error) => isDisclosureError(error, "proof_invalid")),
    );
  });
});
