// Each fact by itself shows a fork: where it alone is contradicted, nothing else would.
import { describe, expect, test } from "vitest";
import { SeenHistory } from "../../../clients/client/chain-memory.ts";
import { ClientError } from "../../../clients/client/errors.ts";
import type { Receipt, ReceiptCore } from "../../../evidence/core/formats/receipt.ts";
import type { ProvenReceipt } from "../../../evidence/core/verify/facts.ts";
import { evidenceFor, forgeReceipts, linkTo } from "../../support/lying-service.ts";
import { readReceipt } from "../../support/vector-files.ts";

const OTHER_DIGEST = `sha256:${"5".repeat(64)}`;
const OTHER_NODE = `0x${"5".repeat(64)}`;

/** What the service answers for one of these receipts, in the tree of them all. */
function proven(chain: readonly Receipt[], index: number) {
  const [receipt, head] = [chain[index], chain.at(-1)];
  if (receipt === undefined || head === undefined) throw new Error("no such receipt");
  const { merkle_proof } = evidenceFor(chain, index);
  const evidence_chain = { chain_id: head.chain_id, head_hash: linkTo(head), sequence: chain.length - 1 };
  return { receipts: [receipt], evidence_chain, merkle_proof };
}

/** The name of the fact that the second contradicts; null where both go together. */
function contradicted(first: ProvenReceipt, second: ProvenReceipt): unknown {
  const memory = new SeenHistory();
  memory.learn(first);
  try {
    memory.learn(second);
    return null;
  } catch (error) {
    if (error instanceof ClientError) return (error.evidence as { fact: unknown }).fact;
    throw error;
  }
}

/** The same conversation on a chain of its own. */
const elsewhere = (...lies: Partial<ReceiptCore>[]) =>
  forgeReceipts(lies.map((lie) => ({ ...lie, chain_id: "f".repeat(32) })));

describe("a fork is noticed", () => {
  const chain = forgeReceipts([{}, {}, {}, {}]);
  const [{ chain_id } = { chain_id: "" }] = chain;
  const report = readReceipt("receipts/hand-off.json");
  const { cross_tenant_proof: cross } = report.merkle_proof;
  if (cross === null) throw new Error("the report is sealed");

  test("by a head that was named and is another receipt", () => {
    const first = proven(chain, 0);
    const named = { ...first, evidence_chain: { ...first.evidence_chain, head_hash: OTHER_DIGEST } };
    expect(contradicted(named, proven(chain, 3))).toBe(`${chain_id}/0/3`);
  });

  test("by another root of one size of the chain", () => {
    const first = proven(chain, 0);
    const proof = { ...first.merkle_proof.event_inclusion_proof, root: OTHER_NODE };
    const second = { ...first, merkle_proof: { ...first.merkle_proof, event_inclusion_proof: proof } };
    expect(contradicted(first, second)).toBe(`${chain_id}/size/4`);
  });

  test("by another root of one size of the metachain, under whatever seal", () => {
    const moved = { ...cross, seal_index: cross.seal_index + 1, root: OTHER_NODE };
    const second = { ...report, merkle_proof: { ...report.merkle_proof, cross_tenant_proof: moved } };
    expect(contradicted(report, second)).toBe(`metachain/size/${cross.tree_size}`);
  });

  test("by a receipt that is another than the one that was seen sealed", () => {
    const receipts = report.receipts.map((receipt) => ({ ...receipt, key_id: "another", turn: 9 }));
    const { chain_id: sealed, sequence } = report.evidence_chain;
    const leaf = report.merkle_proof.event_inclusion_proof.leaf_index;
    expect(sequence).not.toBe(leaf);
    expect(contradicted(report, { ...report, receipts })).toBe(`${sealed}/0/${leaf}`);
  });

  test("by two receipts that follow one turn, on whichever chains", () => {
    const [truth, others] = [forgeReceipts([{}, {}]), elsewhere({}, {})];
    const { previous_turn_hash = null } = truth[1] ?? {};
    const sameLink = elsewhere({}, { previous_turn_hash });
    expect(contradicted(proven(truth, 1), proven(sameLink, 1))).toBe(
      `turn-after/0x${previous_turn_hash?.slice("sha256:".length)}`,
    );
    expect(contradicted(proven(truth, 1), proven(others, 1))).toBeNull();
  });

  test("but not by a conversation that begins anew: its id may have been erased", () => {
    const again = { turn: 1, previous_turn_hash: null };
    const lives = forgeReceipts([{}, {}, again]);
    expect(contradicted(proven(lives, 1), proven(lives, 2))).toBeNull();
    expect(contradicted(proven(lives, 2), proven(lives, 1))).toBeNull();
  });
});
