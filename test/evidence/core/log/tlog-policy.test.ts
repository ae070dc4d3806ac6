// Policies of C2SP tlog-policy: what they ask for, and which are refused.
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../../evidence/core/bytes.ts";
import { formatNoteKey, noteKey, SIGNATURE_TYPE } from "../../../../evidence/core/log/note.ts";
import { isQuorum, parsePolicy } from "../../../../evidence/core/log/tlog-policy.ts";
import { hashBytes } from "../../../../evidence/core/merkle/hash.ts";

const key = (name: string, type: number): string => formatNoteKey(noteKey(name, type, hashBytes(utf8(name))));
const shortKey = (type: number): string => formatNoteKey(noteKey("a", type, new Uint8Array(31)));
const log = (name: string): string => `log ${key(name, SIGNATURE_TYPE.ed25519)}`;
const witness = (name: string): string => `witness ${name} ${key(name, SIGNATURE_TYPE.cosignature)}`;
const GROUPS = [
  ...["x1", "x2", "x3", "y1", "y2"].map(witness),
  "group x 2 x1 x2 x3",
  "  group\ty any y1   y2",
  "group all-of all x y",
];

describe("a quorum", () => {
  test.each([
    ["all-of", ["x1", "x3", "y2"], true],
    ["all-of", ["x1", "x2", "x3"], false],
    ["all-of", ["x1", "y1", "y2"], false],
    ["x", ["x1", "x2"], true],
    ["y", [], false],
    ["y2", ["y2"], true],
    ["none", [], true],
  ])("%s with %j: %s", (quorum, cosigned, expected) => {
    const policy = parsePolicy([...GROUPS, `quorum ${quorum}`].join("\n"));
    expect(isQuorum(policy, new Set(cosigned))).toBe(expected);
  });

  test("groups of groups cost no more than their lines", () => {
    const nested = Array.from({ length: 500 }, (_, i) => `group g${i + 1} any g${i}`);
    const text = [witness("w"), "group g0 all w", ...nested, "quorum g500"].join("\n");
    expect(isQuorum(parsePolicy(text), new Set())).toBe(false);
  });
});

test("a policy holds logs and witnesses with their addresses", () => {
  const policy = parsePolicy(`# ours\n\n${log("a/b")} https://a/b\n${witness("w")} https://w\nquorum none\n`);
  expect(policy.logs).toMatchObject([{ key: { name: "a/b" }, url: "https://a/b" }]);
  expect(policy.witnesses).toMatchObject([{ name: "w", url: "https://w" }]);
});

test.each([
  ["no quorum", [log("a")]],
  ["two quorums", ["quorum none", "quorum none"]],
  ["a quorum of a later line", ["quorum w", witness("w")]],
  ["a group that holds itself", [witness("w"), "group g any g w", "quorum g"]],
  ["a group without members", ["group g any", "quorum g"]],
  ["a threshold above its members", [witness("w"), "group g 2 w", "quorum g"]],
  ["a threshold of zero", [witness("w"), "group g 0 w", "quorum g"]],
  ["a threshold that is no number", [witness("w"), "group g 1.5 w", "quorum g"]],
  ["a member twice", [witness("w"), "group g 2 w w", "quorum g"]],
  ["a witness in two groups", [witness("v"), witness("w"), "group g any v w", "group h any v", "quorum h"]],
  [
    "a witness that counts directly and through a group",
    [witness("v"), witness("w"), "group g any v w", "group h 2 v g", "quorum h"],
  ],
  ["a group in two groups", [witness("w"), "group g any w", "group h any g", "group i any g", "quorum i"]],
  ["a name twice", [witness("w"), "group w any w", "quorum w"]],
  ["a witness called none", [witness("none"), "quorum none"]],
  ["a key under two names", [witness("w"), `witness v ${key("w", SIGNATURE_TYPE.cosignature)}`, "quorum w"]],
  ["a log's key twice", [log("a"), log("a"), "quorum none"]],
  ["one key as a log's and as a witness's", [log("a"), witness("a"), "quorum none"]],
  ["a witness's key as a log's", [`log ${key("a", SIGNATURE_TYPE.cosignature)}`, "quorum none"]],
  ["a log's key as a witness's", [`witness w ${key("a", SIGNATURE_TYPE.ed25519)}`, "quorum none"]],
  ["a word too many", [`${log("a")} https://a b`, "quorum none"]],
  ["another kind of line", ["mirror a", "quorum none"]],
  ["a key that is none", ["log a+b+c", "quorum none"]],
  ["a key of 31 bytes", [`log ${shortKey(SIGNATURE_TYPE.ed25519)}`, "quorum none"]],
  ["a witness's key of 31 bytes", [`witness w ${shortKey(SIGNATURE_TYPE.cosignature)}`, "quorum w"]],
])("with %s a policy is refused", (_, lines) => {
  expect(() => parsePolicy(lines.join("\n"))).toThrow(expect.objectContaining({ code: "malformed" }));
});

test("what an editor put into a policy is named", () => {
  const lines = [`${log("a")} https://a`, "# ours", "quorum none"];
  expect(() => parsePolicy(lines.join("\r\n"))).toThrow(
    "line 1 of the policy: it ends with CR LF, and lines of a policy end with LF alone",
  );
  expect(() => parsePolicy(`\uFEFF${lines.join("\n")}`)).toThrow(
    "line 1 of the policy: it begins with a byte order mark",
  );
  expect(parsePolicy(lines.join("\n").replace("ours\n", "ours\r\n")).logs).toHaveLength(1);
});

test("a key of a type that nobody here verifies may have any length", () => {
  const { logs } = parsePolicy(`log ${shortKey(0xff)}\nquorum none\n`);
  expect(logs[0]?.key.publicKey).toHaveLength(31);
});
