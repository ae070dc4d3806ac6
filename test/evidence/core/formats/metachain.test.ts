import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { formatHex } from "../../../../evidence/core/bytes.ts";
import {
  type ChainHead,
  chainHeadEntry,
  chainHeadLabel,
  hashChainHead,
  MAX_TOKEN_BYTES,
  metachainSchema,
  ownTimestamp,
  PENDING_TIMESTAMP,
  type Seal,
  sealSchema,
  timestampsOf,
  tsaTimestampSchema,
} from "../../../../evidence/core/formats/metachain.ts";
import { MAX_PATH_LENGTH, nodeSchema, pathSchema } from "../../../../evidence/core/formats/shapes.ts";
import { consistencyShape } from "../../../support/rfc9162.ts";

const HEX = "0123456789abcdef".repeat(4);
const NODE = `0x${HEX}`;
const head = { chain_id: "0123456789abcdef0123456789abcdef", head_index: 3, tree_size: 5, root: NODE };

const seal: Seal = {
  index: 1,
  merkle_root: NODE,
  tree_size: 9,
  previous_root: NODE,
  previous_tree_size: 4,
  consistency_path: [NODE],
  receipt_count: 0,
  sealed_at: "2026-09-01T12:00:00.000Z",
  tsa_timestamp: {
    status: "included",
    timestamp_token: "AAAA",
    tsa_url: "https://tsa.example/",
    covers: "merkle_root",
  },
  additional_timestamps: [PENDING_TIMESTAMP],
};

const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

describe("a chain head's leaf in the metachain", () => {
  const label = sha256(Buffer.from(`{"chain_id":"${head.chain_id}","head_index":3}`));
  const commitment = sha256(
    Buffer.from(`{"chain_id":"${head.chain_id}","head_index":3,"root":"${NODE}","tree_size":5}`),
  );

  test("is the leaf hash over label and commitment, 64 bytes", () => {
    expect(formatHex(chainHeadLabel(head.chain_id, 3))).toBe(label.toString("hex"));
    expect(Buffer.from(chainHeadEntry(head))).toEqual(Buffer.concat([label, commitment]));
    expect(formatHex(hashChainHead(head))).toBe(sha256(Uint8Array.of(0), label, commitment).toString("hex"));
  });

  test("has a label of the chain and the number alone, so that two heads of one number meet in the log", () => {
    const other = { ...head, tree_size: 6, root: `0xf${HEX.slice(1)}` };
    const labelOf = (each: ChainHead) => formatHex(chainHeadEntry(each).subarray(0, 32));
    expect(labelOf(other)).toBe(labelOf(head));
    expect(labelOf({ ...head, head_index: 4 })).not.toBe(labelOf(head));
  });

  test("covers chain, number, size and root, and nothing that comes with them", () => {
    const changed = [
      { ...head, chain_id: `f${head.chain_id.slice(1)}` },
      { ...head, head_index: 4 },
      { ...head, tree_size: 6 },
      { ...head, root: `0xf${HEX.slice(1)}` },
    ];
    expect(new Set([head, ...changed].map((each) => formatHex(hashChainHead(each)))).size).toBe(5);
    const more = { ...head, tenant: "acme" };
    expect(hashChainHead(more)).toEqual(hashChainHead(head));
  });
});

describe("a seal's format", () => {
  const firstSeal = { ...seal, index: 0, previous_root: null, previous_tree_size: 0, consistency_path: [] };

  test.each([
    ["a later seal", seal],
    ["the first seal", firstSeal],
    ["a seal whose timestamp is still to come", { ...seal, tsa_timestamp: PENDING_TIMESTAMP }],
  ])("reads %s", (_, value) => {
    expect(sealSchema.parse(value)).toEqual(value);
  });

  const bad: [keyof Seal, unknown][] = [
    ["index", -1],
    ["merkle_root", null],
    ["merkle_root", HEX],
    ["tree_size", 0],
    ["tree_size", 1.5],
    ["previous_root", ""],
    ["previous_tree_size", -1],
    ["consistency_path", [NODE, "0x"]],
    ["consistency_path", null],
    ["receipt_count", "0"],
    ["sealed_at", "2026-09-01T12:00:00Z"],
    ["tsa_timestamp", null],
    ["tsa_timestamp", { ...seal.tsa_timestamp, timestamp_token: "AAA" }],
    ["tsa_timestamp", { ...seal.tsa_timestamp, status: "late" }],
    ["tsa_timestamp", { ...seal.tsa_timestamp, covers: "receipt" }],
    ["additional_timestamps", {}],
  ];

  test.each(bad)("refuses %s %j", (name, value) => {
    const { success, error } = sealSchema.safeParse({ ...seal, [name]: value });
    expect(success).toBe(false);
    expect(error?.issues.map(({ path }) => path[0])).toEqual([name]);
  });

  test.each(Object.keys(seal))("refuses a seal without %s", (name) => {
    const { [name]: _, ...rest } = seal as Record<string, unknown>;
    expect(sealSchema.safeParse(rest).success).toBe(false);
  });
});

test("the metachain's own answer has its size, its latest seal or null, where the roots are, and its log or null", () => {
  const roots = "/v1/metachain/roots/{index}";
  const log = {
    origin: "a.example/log",
    vkey: "a.example/log+0+AQ==",
    checkpoint: "/v1/metachain/checkpoint",
  };
  const heads = [null, seal].flatMap((latest) => [null, log].map((named) => ({ latest, log: named })));
  for (const head of heads) {
    expect(metachainSchema.parse({ size: 2, roots, ...head })).toEqual({ size: 2, roots, ...head });
  }
  for (const wrong of [{ roots: "/v1/roots/{index}" }, { log: undefined }, { log: { ...log, vkey: null } }]) {
    const head = { size: 2, latest: null, roots, log, ...wrong };
    expect(metachainSchema.safeParse(head).success).toBe(false);
  }
});

test("a pending timestamp is one that the format reads", () => {
  expect(tsaTimestampSchema.parse(PENDING_TIMESTAMP)).toEqual(PENDING_TIMESTAMP);
});

describe("the timestamps of a seal", () => {
  const own = seal.tsa_timestamp;
  const [first, second] = [
    { ...own, timestamp_token: "BBBB" },
    { ...own, timestamp_token: "CCCC" },
  ];
  const pending = { ...seal, tsa_timestamp: PENDING_TIMESTAMP };

  test("are its own, the additional ones, and the later ones, in this order", () => {
    const published = { ...seal, additional_timestamps: [first] };
    expect(timestampsOf(published, [second])).toEqual([own, first, second]);
    expect(timestampsOf(published)).toEqual([own, first]);
  });

  test.each([
    ["its own, where it was published with one", seal, [first, second], own],
    ["the first later one, where it was not", pending, [first, second], first],
    ["a pending one, where none came yet", pending, [], PENDING_TIMESTAMP],
  ])("have one that stands for it: %s", (_, of, later, expected) => {
    expect(ownTimestamp(of, later)).toEqual(expected);
  });
});

test("a token may have 64 KiB, and no more", () => {
  const withToken = (bytes: number) => ({
    ...seal.tsa_timestamp,
    timestamp_token: Buffer.alloc(bytes).toString("base64"),
  });
  expect(tsaTimestampSchema.safeParse(withToken(MAX_TOKEN_BYTES)).success).toBe(true);
  expect(tsaTimestampSchema.safeParse(withToken(MAX_TOKEN_BYTES + 3)).success).toBe(false);
});

test.each([HEX, `0x${HEX.toUpperCase()}`, `0x${HEX}0`, `0x${HEX.slice(1)}`, `sha256:${HEX}`, `0x${HEX}\n`])(
  "%j is not a node",
  (text) => {
    expect(nodeSchema.safeParse(NODE).success).toBe(true);
    expect(nodeSchema.safeParse(text).success).toBe(false);
  },
);

test("a path may be as long as the longest between two sizes that a number holds, and no longer", () => {
  expect(consistencyShape(3, Number.MAX_SAFE_INTEGER)).toHaveLength(MAX_PATH_LENGTH);
  expect(pathSchema.safeParse(Array(MAX_PATH_LENGTH).fill(NODE)).success).toBe(true);
  expect(pathSchema.safeParse(Array(MAX_PATH_LENGTH + 1).fill(NODE)).success).toBe(false);
});
