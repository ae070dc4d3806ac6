// The answers about a tenant's own chains, and about a chain's sealed heads.
import { expect, test } from "vitest";
import { MAX_CHAINS } from "../../../../contract/limits.ts";
import {
  chainListSchema,
  chainPageSchema,
  MAX_PAGE_HEADS,
} from "../../../../evidence/core/formats/chain-history.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";

const chain = { chain_id: "0123456789abcdef0123456789abcdef", shard: 0 };
const head = { head_index: 0, tree_size: 1, root: `0x${"ab".repeat(32)}`, leaf_index: 0, seal_index: 0 };
const page = { ...chain, heads: [head], next: 1 };

test("both are read as they are, and nothing less is", () => {
  for (const [schema, answer] of [
    [chainListSchema, { chains: [chain] }],
    [chainPageSchema, page],
  ] as const) {
    expect(schema.parse(answer)).toEqual(answer);
    expect(unneededMembers(schema, answer)).toEqual([]);
  }
});

test("a tenant has so many chains at most, and a page so many heads", () => {
  const hasChains = (length: number) =>
    chainListSchema.safeParse({ chains: Array(length).fill(chain) }).success;
  const hasHeads = (length: number) =>
    chainPageSchema.safeParse({ ...page, heads: Array(length).fill(head) }).success;
  expect([hasChains(MAX_CHAINS), hasChains(MAX_CHAINS + 1)]).toEqual([true, false]);
  expect([hasHeads(MAX_PAGE_HEADS), hasHeads(MAX_PAGE_HEADS + 1)]).toEqual([true, false]);
});
