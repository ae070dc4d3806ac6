// A receipt against the history of its chain: what the proof of one receipt alone can't show.
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../evidence/core/bytes.ts";
import { formatEventId } from "../../../../evidence/core/formats/event-id.ts";
import type { ReceiptEvidence } from "../../../../evidence/core/formats/evidence.ts";
import {
  type Receipt,
  receiptLeaf,
  withoutAuthentication,
} from "../../../../evidence/core/formats/receipt.ts";
import { chainIdOf, fingerprintOf } from "../../../../evidence/core/formats/tenant-anchor.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import { appendEntries } from "../../../../evidence/core/log/entry.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import { rootAt } from "../../../../evidence/core/merkle/merkle-tree.ts";
import { KnownHistory } from "../../../../evidence/core/verify/tenant-history.ts";
import { verifyHistory } from "../../../../evidence/core/verify/verify-history.ts";
import { evidenceFor, forgeReceipts } from "../../../support/lying-service.ts";

const leavesOf = (receipts: readonly Receipt[]): Uint8Array[] =>
  receipts.map((receipt) => receiptLeaf(withoutAuthentication(receipt)));

/** The history of a chain of these leaves that was sealed at the given sizes, a seal for each. */
function historyOf(chainId: string, leaves: readonly Uint8Array[], sizes: readonly number[]): ChainHistory {
  const history = new ChainHistory(chainId, (from, to) => concatBytes(...leaves.slice(from, to)));
  for (const [i, tree_size] of sizes.entries()) {
    const last = appendEntries(null, concatBytes(...leaves.slice(0, tree_size)));
    const root = formatNode(rootAt(last ?? expect.unreachable()));
    history.add({ head_index: i, tree_size, root, leaf_index: 3 * i, seal_index: i });
  }
  return history;
}

const receipts = forgeReceipts([{}, {}, {}, {}, {}, {}]);
const chainId = receipts[0]?.chain_id ?? "";
const honest = historyOf(chainId, leavesOf(receipts), [2, 5]);

interface Pinned {
  readonly tenantAnchor?: string | null;
  readonly fingerprint?: string | null;
}

function knownOf(history: ChainHistory, { tenantAnchor = null, fingerprint = null }: Pinned) {
  const chains = new Map([[history.chainId, history]]);
  return new KnownHistory({ history: { chains, tenantAnchor }, walk: null, fingerprint });
}

async function checkOf(evidence: ReceiptEvidence, history = honest, more: Pinned = {}) {
  const checks = await verifyHistory(evidence, knownOf(history, more));
  const [check] = checks.filter(({ name }) => name === (more.fingerprint ? "tenant" : "chain_history"));
  return { ok: check?.ok, detail: check?.detail };
}

describe("a receipt and the history of its chain", () => {
  test("go together where the receipt has the history's place and size", async () => {
    expect(await checkOf(evidenceFor(receipts.slice(0, 4), 3))).toEqual({
      ok: true,
      detail: "consistent with this file: receipt 3 of the chain, first sealed by its head 1",
    });
  });

  test("contradict each other where the history has another receipt at its place", async () => {
    const others = leavesOf(receipts).with(3, new Uint8Array(64));
    expect(await checkOf(evidenceFor(receipts, 3), historyOf(chainId, others, [2, 5]))).toEqual({
      ok: false,
      detail: "the history has another receipt at place 3 than the receipt",
    });
  });

  test("contradict each other where the receipt links to another than the one before it", async () => {
    const others = leavesOf(receipts).with(2, new Uint8Array(64));
    expect(await checkOf(evidenceFor(receipts, 3), historyOf(chainId, others, [2, 5]))).toEqual({
      ok: false,
      detail: "the history has another receipt at place 2 than the one to which this receipt links",
    });
  });

  test("contradict each other where the proof is of another tree of that size", async () => {
    const forked = leavesOf(receipts).with(0, new Uint8Array(64));
    expect(await checkOf(evidenceFor(receipts.slice(0, 4), 3), historyOf(chainId, forked, [2, 5]))).toEqual({
      ok: false,
      detail: "the chain has another root with 4 receipts",
    });
  });

  test("contradict each other where the answer names another head of the chain", async () => {
    const evidence_chain = { chain_id: chainId, sequence: 4, head_hash: `sha256:${"0".repeat(64)}` };
    expect(await checkOf({ ...evidenceFor(receipts.slice(0, 5), 1), evidence_chain })).toEqual({
      ok: false,
      detail: "the history has another receipt at place 4 than the head",
    });
  });

  test("say nothing of each other beyond the last sealed head, or on another chain", async () => {
    expect(await checkOf(evidenceFor(receipts, 5))).toEqual({
      ok: null,
      detail: "the history ends at entry 4, before this receipt",
    });
    const elsewhere = historyOf("e".repeat(32), leavesOf(receipts), [2, 5]);
    expect(await checkOf(evidenceFor(receipts, 3), elsewhere)).toEqual({
      ok: null,
      detail: "the history is of other chains",
    });
  });
});

describe("the tenant that a reader expects", () => {
  const anchor = "5".repeat(32);
  const chain_id = chainIdOf(anchor, 3);
  const withId = (event_id: string) => evidenceFor(forgeReceipts([{ chain_id, event_id }]), 0);
  const event = (shard: number) => formatEventId(chain_id, { shard, sequence: 0 });
  const evidence = withId(event(3));

  test("has the chain, by the anchor of the history", async () => {
    const pinned = { tenantAnchor: anchor, fingerprint: fingerprintOf(anchor) };
    expect(await checkOf(evidence, honest, pinned)).toEqual({ ok: true, detail: "chain 3 of the tenant" });
    const elsewhere = await checkOf(evidenceFor(receipts, 0), honest, pinned);
    expect(elsewhere).toEqual({ ok: false, detail: "the chain is none of this tenant's" });
  });

  test.each([
    ["another shard", event(4)],
    ["the shard in capitals", event(3).toUpperCase()],
    ["no shard", "00000000-0000-4000-8003-000000000000"],
  ])("has none whose receipt's id names %s", async (_, id) => {
    const pinned = { tenantAnchor: anchor, fingerprint: fingerprintOf(anchor) };
    expect(await checkOf(withId(id), honest, pinned)).toEqual({
      ok: false,
      detail: "the event id names another chain of the tenant",
    });
  });

  test("has the chain of a proof without a receipt", async () => {
    const { receipts: _, merkle_proof, ...rest } = evidence;
    const { leaf_hash: root } = merkle_proof.event_inclusion_proof;
    const leaf = { chain_id, head_index: 0, tree_size: 1, root };
    const cross_tenant_proof = { seal_index: 0, leaf, leaf_index: 0, tree_size: 1, path: [], root };
    const bare = { ...rest, merkle_proof: { ...merkle_proof, cross_tenant_proof } };
    const pinned = { tenantAnchor: anchor, fingerprint: fingerprintOf(anchor) };
    expect((await checkOf(bare, honest, pinned)).ok).toBe(true);
  });

  test("is not the one of a history under another anchor, or under none", async () => {
    const fingerprint = fingerprintOf("6".repeat(32));
    expect((await checkOf(evidence, honest, { tenantAnchor: anchor, fingerprint })).ok).toBe(false);
    expect((await checkOf(evidence, honest, { fingerprint })).ok).toBeNull();
  });
});
