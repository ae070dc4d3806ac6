// The sealed heads of a history are held against a proof that names one of them, and against the whole public log.
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../evidence/core/bytes.ts";
import { DisclosureError } from "../../../../evidence/core/errors.ts";
import type { CrossTenantProof } from "../../../../evidence/core/formats/compliance-receipt.ts";
import { chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import { LabelSearch } from "../../../../evidence/core/log/label-search.ts";
import { labelsOf } from "../../../../evidence/core/log/verify-labels.ts";
import { formatNode, hashLeaf } from "../../../../evidence/core/merkle/hash.ts";
import {
  checkHead,
  type TenantHistory,
  verifyHeads,
  verifyHistory,
} from "../../../../evidence/core/verify/verify-history.ts";
import { evidenceFor, forgeReceipts } from "../../../support/lying-service.ts";
import { treeOf } from "../../../support/rfc9162.ts";

const chain_id = "c".repeat(32);
const leaves = [0, 1, 2, 3, 4].map((i) => hashLeaf(Uint8Array.of(i)));
const rootOf = (size: number): string =>
  formatNode(treeOf((i) => leaves[i] ?? expect.unreachable())(0, size));

/** Sealed with two, four and five receipts. The entries of the heads are at places 1, 3 and 5 of the metachain. */
const HEADS = [2, 4, 5].map((tree_size, i) => ({
  head_index: i,
  tree_size,
  root: rootOf(tree_size),
  leaf_index: 2 * i + 1,
  seal_index: i,
}));
const history = new ChainHistory(chain_id, (from, to) => concatBytes(...leaves.slice(from, to)));
for (const head of HEADS) history.add(head);

const strange = (n: number): Uint8Array =>
  chainHeadEntry({ chain_id: "d".repeat(32), head_index: n, tree_size: 1, root: rootOf(1) });

/** The metachain's entries: those of the heads at their places, and others between them. */
const ENTRIES = [0, 1, 2].flatMap((i) => {
  const { head_index, tree_size, root } = HEADS[i] ?? expect.unreachable();
  return [strange(i), chainHeadEntry({ chain_id, head_index, tree_size, root })];
});

function searchOf(entries: readonly Uint8Array[]): LabelSearch {
  const search = new LabelSearch(new Set(labelsOf(history)));
  for (const entry of entries) search.add(entry);
  return search;
}

describe("a history and the public log", () => {
  test("agree where the log has each head once and in its place", () => {
    const finding = verifyHeads(history, searchOf(ENTRIES));
    expect(finding).toEqual({ holds: "each of 3 heads once and in its place among 6 entries" });
  });

  test.each([
    [5, "1 head of the history came after the public log at hand"],
    [2, "2 heads of the history came after the public log at hand"],
  ])("say nothing of the heads behind %i entries", (size, unchecked) => {
    expect(verifyHeads(history, searchOf(ENTRIES.slice(0, size)))).toEqual({
      unchecked,
      reason: "too_new",
    });
  });

  test("contradict each other where a head is missing, doubled or untold", () => {
    const changed = [
      ENTRIES.with(3, strange(9)),
      [...ENTRIES, ENTRIES[3] ?? expect.unreachable()],
      [...ENTRIES, chainHeadEntry({ chain_id, head_index: 3, tree_size: 5, root: rootOf(5) })],
    ];
    for (const entries of changed) {
      const finding = verifyHeads(history, searchOf(entries));
      expect(finding).toBeInstanceOf(DisclosureError);
      expect(finding).toMatchObject({ code: "proof_invalid" });
    }
  });

  test("a fault that is no contradiction is thrown on", () => {
    const broken = { size: 6, entriesUnder: () => expect.unreachable("broken") } as unknown as LabelSearch;
    expect(() => verifyHeads(history, broken)).toThrow("broken");
  });
});

describe("the head that a proof names", () => {
  const [, named] = HEADS;
  if (named === undefined) throw new Error("the history has three heads");
  const { head_index, tree_size, root, leaf_index, seal_index } = named;
  const honest: CrossTenantProof = {
    seal_index,
    leaf: { chain_id, head_index, tree_size, root },
    leaf_index,
    tree_size: 6,
    path: [],
    root: rootOf(1),
  };

  test("is the one of the history", () => {
    expect(() => checkHead(history, honest)).not.toThrow();
  });

  test.each<[string, CrossTenantProof]>([
    ["number", { ...honest, leaf: { ...honest.leaf, head_index: 2 } }],
    ["size", { ...honest, leaf: { ...honest.leaf, tree_size: 3 } }],
    ["root", { ...honest, leaf: { ...honest.leaf, root: rootOf(3) } }],
    ["place in the metachain", { ...honest, leaf_index: 2 }],
    ["seal", { ...honest, seal_index: 2 }],
  ])("is refused with another %s", (_, proof) => {
    expect(() => checkHead(history, proof)).toThrow(
      expect.objectContaining({
        code: "proof_invalid",
        message: "head 1 of the history is another than the proof's",
      }),
    );
  });

  test("is not judged beyond the history's end", () => {
    expect(() => checkHead(history, { ...honest, leaf: { ...honest.leaf, tree_size: 6 } })).not.toThrow();
  });
});

describe("the checks of a receipt", () => {
  const [receipt] = forgeReceipts([{}]);
  const evidence = evidenceFor([receipt ?? expect.unreachable()], 0);
  const tenantWith = (publicHeads: TenantHistory["publicHeads"]): TenantHistory => ({
    chains: new Map(),
    publicHeads,
    tenantAnchor: null,
    fingerprint: null,
  });
  const publicHeads = async (finding: ReturnType<typeof verifyHeads>) => {
    const found = new Map([[receipt?.chain_id ?? "", finding]]);
    return (await verifyHistory(evidence, tenantWith(found))).find(({ name }) => name === "public_heads");
  };

  test("say what the search of the public log found of its chain", async () => {
    expect(await publicHeads({ holds: "each once" })).toMatchObject({ ok: true, detail: "each once" });
    const lie = new DisclosureError("proof_invalid", "head 1 stands there twice");
    expect(await publicHeads(lie)).toMatchObject({ ok: false, detail: "head 1 stands there twice" });
  });

  test("say that nobody searched for its chain, and judge no tenant that nobody expects", async () => {
    const checks = await verifyHistory(evidence, tenantWith(new Map()));
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ["chain_history", null],
      ["public_heads", null],
    ]);
  });

  test("compare the head that its proof names", async () => {
    const leaf = { chain_id: receipt?.chain_id ?? "", head_index: 0, tree_size: 1, root: rootOf(1) };
    const { leaf_hash } = evidence.merkle_proof.event_inclusion_proof;
    const own = new ChainHistory(leaf.chain_id, () => Buffer.from(leaf_hash.slice(2), "hex"));
    own.add({ head_index: 0, tree_size: 1, root: leaf_hash, leaf_index: 0, seal_index: 0 });
    const cross = (seal_index: number): CrossTenantProof => ({
      seal_index,
      leaf: { ...leaf, root: leaf_hash },
      leaf_index: 0,
      tree_size: 1,
      path: [],
      root: rootOf(1),
    });
    const outcome = async (seal_index: number) => {
      const merkle_proof = { ...evidence.merkle_proof, cross_tenant_proof: cross(seal_index) };
      const tenant = { ...tenantWith(new Map()), chains: new Map([[leaf.chain_id, own]]) };
      return (await verifyHistory({ ...evidence, merkle_proof }, tenant))[0]?.ok;
    };
    expect([await outcome(0), await outcome(1)]).toEqual([true, false]);
  });
});
