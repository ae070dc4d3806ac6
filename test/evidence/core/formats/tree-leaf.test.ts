import { expect, test } from "vitest";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import {
  formatTreeLeaf,
  parseTreeLeaf,
  treeLeafSchema,
} from "../../../../evidence/core/formats/tree-leaf.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";

const leaf = {
  leafIndex: 3,
  leafHash: new Uint8Array(32).fill(0xab),
  leftPath: [new Uint8Array(32).fill(0x01), new Uint8Array(32).fill(0x02)],
};
const kept = {
  leaf_index: 3,
  leaf_hash: `0x${"ab".repeat(32)}`,
  left_path: [`0x${"01".repeat(32)}`, `0x${"02".repeat(32)}`],
};

test("a leaf is kept as JSON, its hashes in hex and its path in order, and comes back as it was", () => {
  expect(formatTreeLeaf(leaf)).toEqual(kept);
  expect(parseTreeLeaf(kept)).toEqual(leaf);
});

test("what is kept is read as it is, and nothing less is", () => {
  expect(treeLeafSchema.parse(kept)).toEqual(kept);
  expect(unneededMembers(treeLeafSchema, kept)).toEqual([]);
});

test("a hash in another form is refused", () => {
  for (const wrong of [{ leaf_hash: "ab" }, { left_path: [`sha256:${"01".repeat(32)}`] }]) {
    expect(treeLeafSchema.safeParse({ ...kept, ...wrong }).success).toBe(false);
    expect(() => parseTreeLeaf({ ...kept, ...wrong })).toThrow(
      expect.toSatisfy((error) => isDisclosureError(error, "malformed")),
    );
  }
});
