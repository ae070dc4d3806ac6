// A long conversation, whose pages the service hands out one by one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  hashReceiptCore,
  type Receipt,
  withoutAuthentication,
} from "../../../evidence/core/formats/receipt.ts";
import { formatNode } from "../../../evidence/core/merkle/hash.ts";
import {
  appendLeaf,
  buildInclusionPath,
  rootAt,
  type TreeLeaf,
} from "../../../evidence/core/merkle/merkle-tree.ts";
import { forgeReceipts } from "../../support/lying-service.ts";
import { newFolder, receipts, start } from "./command-line.ts";

const TURNS = 500;
const PAGE_TURNS = 125;
const ID = "call-long";
/** The most bytes of a page. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Every receipt with its path in the tree of all. */
function writePages(): string[] {
  const chain = forgeReceipts(Array.from({ length: TURNS }, () => ({})));
  const leaves: TreeLeaf[] = [];
  for (const receipt of chain)
    leaves.push(appendLeaf(leaves.at(-1) ?? null, hashReceiptCore(withoutAuthentication(receipt))));
  const proofs = chain.map((receipt, i) => proofOf(receipt, i, leaves));
  const folder = newFolder();
  return Array.from({ length: TURNS / PAGE_TURNS }, (_, page) => {
    const [from, to] = [page * PAGE_TURNS, (page + 1) * PAGE_TURNS];
    const text = JSON.stringify({
      interaction_id: ID,
      receipts: chain.slice(from, to),
      requests: chain.slice(from, to).map(() => null),
      proofs: proofs.slice(from, to),
      seals: [],
      next_turn: to < TURNS ? to + 1 : null,
    });
    expect(text.length).toBeLessThan(MAX_PAGE_BYTES);
    const file = join(folder, `page-${page + 1}.json`);
    writeFileSync(file, text);
    return file;
  });
}

function proofOf(receipt: Receipt, index: number, leaves: readonly TreeLeaf[]) {
  const [leaf, head] = [leaves[index], leaves.at(-1)];
  if (leaf === undefined || head === undefined) throw new Error("no such receipt");
  const root = formatNode(rootAt(head));
  const path = buildInclusionPath(index, leaves.length, (place) => leaves[place] ?? head).map(formatNode);
  const event_inclusion_proof = {
    leaf_hash: formatNode(leaf.leafHash),
    leaf_index: index,
    tree_size: leaves.length,
    path,
    root,
  };
  const merkle_proof = {
    status: "pending",
    merkle_root: root,
    event_inclusion_proof,
    cross_tenant_proof: null,
  };
  const evidence_chain = {
    chain_id: receipt.chain_id,
    head_hash: formatNode(head.leafHash).replace("0x", "sha256:"),
    sequence: TURNS - 1,
  };
  return { event_id: receipt.event_id, evidence_chain, merkle_proof };
}

const pages = writePages();

test("its pages are joined: every turn links to the one before, whichever page it is on", async () => {
  const { status, stdout } = await receipts("verify", ...pages.toReversed());
  expect(status).toBe(0);
  expect(stdout).toContain(`Conversation ${ID}: turns 1 to 500 follow one another without a gap (`);
  expect(stdout).toMatch(/✓ {2}turn_links +499 links from turn to turn/);
  expect(stdout).not.toContain("Not among these files");
});

test("its pages are verified in little memory", async () => {
  const { status, stderr } = await start(["verify", ...pages], "", {
    NODE_OPTIONS: "--max-old-space-size=64",
  }).ended;
  expect([status, stderr]).toEqual([0, ""]);
});

test("a page that is missing is named, and nothing is joined over the gap", async () => {
  const { stdout } = await receipts("verify", ...pages.slice(0, 1), ...pages.slice(2));
  expect(stdout).toContain(
    `Not among these files: turns 126 to 250 of a conversation with 500 turns or more (${ID}).`,
  );
  expect(stdout).not.toContain("follow one another");
});
