// The head that a proof names, against the history of its chain and a walk of the log: what is said, and up to which entry.
// test/vectors/evidence/history-cases.ts has every case of what holds and what fails.
import { describe, expect, test } from "vitest";
import type { CrossTenantProof } from "../../../../evidence/core/formats/compliance-receipt.ts";
import { MAX_SHARD } from "../../../../evidence/core/formats/event-id.ts";
import type { ReceiptEvidence } from "../../../../evidence/core/formats/evidence.ts";
import { HeadWalk } from "../../../../evidence/core/log/head-walk.ts";
import { parseEntries } from "../../../../evidence/core/log/tiles.ts";
import {
  chainsToWalk,
  KnownHistory,
  type TenantHistory,
} from "../../../../evidence/core/verify/tenant-history.ts";
import { checkHead } from "../../../../evidence/core/verify/verify-heads.ts";
import { verifyHistory } from "../../../../evidence/core/verify/verify-history.ts";
import { readHistory } from "../../../../evidence/reader/history-files.ts";
import { ANCHOR, historyFiles, idOf, logFiles, pendingIn, reportAt } from "../../../support/head-world.ts";

const LOG = ["c0:a", "o0:a", "c1:ab", "d0:a", "c2:abc"];

async function historyOf(...told: readonly string[]): Promise<TenantHistory> {
  const files = historyFiles(told, true);
  const list = async (folder: string) =>
    [...files.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.split("/").at(-1) ?? "");
  return readHistory({ name: "memory", read: async (path) => files.get(path) ?? null, list });
}

function walkOver(log: readonly string[], history: TenantHistory | null): HeadWalk {
  const walk = new HeadWalk([...chainsToWalk(history), idOf("c"), idOf("o")]);
  const bundle = logFiles(log).get(`v1/metachain/tile/entries/000.p/${log.length}`);
  for (const entry of parseEntries(bundle ?? expect.unreachable(), log.length)) walk.add(entry);
  return walk;
}

async function said(
  evidence: ReceiptEvidence,
  history: TenantHistory | null,
  log: readonly string[] | null,
): Promise<Record<string, unknown>> {
  const walk = log && walkOver(log, history);
  const checks = await verifyHistory(evidence, new KnownHistory({ history, walk, fingerprint: null }));
  return Object.fromEntries(checks.map(({ name, ok, detail }) => [name, [ok, detail]]));
}

const honest = await historyOf("c0:a@0", "c1:ab@2", "d0:a@3", "c2:abc@4");

describe("a receipt of the one history", () => {
  test("holds up to the entry that both files reach", async () => {
    expect(await said(reportAt(LOG, 2), honest, LOG)).toEqual({
      chain_history: [true, "receipt 1 of the chain, first sealed by its head 1; one history up to entry 5"],
      public_heads: [true, "head 1 of the chain at entry 2, 5 entries walked"],
      other_chains: [true, "no other chain of this anchor up to entry 5"],
    });
    const older = await historyOf("c0:a@0", "c1:ab@2");
    expect(await said(reportAt(LOG, 0), older, LOG)).toMatchObject({
      chain_history: [true, expect.stringContaining("one history up to entry 4")],
      other_chains: [true, "no other chain of this anchor up to entry 3"],
    });
  });

  test("is consistent with the file, and no more, where nobody walked the log", async () => {
    expect(await said(reportAt(LOG, 2), honest, null)).toEqual({
      chain_history: [true, "consistent with this file: receipt 1 of the chain, first sealed by its head 1"],
      public_heads: [null, "the public log was not walked for this chain"],
    });
  });

  test("is found by a walk alone", async () => {
    expect(await said(reportAt(LOG, 2), null, LOG)).toEqual({
      public_heads: [true, "head 1 of the chain at entry 2, 5 entries walked"],
    });
    const elsewhere = ["c0:a", "d0:a"];
    expect(await said(reportAt(elsewhere, 1), null, elsewhere)).toEqual({
      public_heads: [null, "the public log was not walked for this chain"],
    });
  });
});

describe("files that are older than the receipt", () => {
  const newest = reportAt(LOG, 4);

  test("say which of them ends before it, and where", async () => {
    const older = await historyOf("c0:a@0", "d0:a@3");
    const ends = (entry: number) => [null, `the history ends at entry ${entry}, before this receipt`];
    expect((await said(newest, older, LOG)).chain_history).toEqual(ends(2));
    expect((await said(newest, older, null)).chain_history).toEqual(ends(1));
    const log = "the public log at hand ends at entry 3, before this receipt";
    expect(await said(newest, honest, LOG.slice(0, 3))).toEqual({
      chain_history: [null, log],
      public_heads: [null, log],
      other_chains: [null, log],
    });
  });

  test("say so as a number, too, for whoever makes a sentence of it", async () => {
    const known = new KnownHistory({
      history: honest,
      walk: walkOver(LOG.slice(0, 3), honest),
      fingerprint: null,
    });
    const [check] = await verifyHistory(newest, known);
    expect(check).toMatchObject({ name: "chain_history", reason: "too_new", endsAt: 3 });
  });

  test("say nothing of a receipt that waits for its head", async () => {
    expect(await said(pendingIn("c:abcd"), honest, LOG)).toEqual({
      chain_history: [null, "the public log at hand ends at entry 5, before this receipt"],
      public_heads: [null, "the receipt has no head in the public log yet"],
      other_chains: [null, "the receipt has no head in the public log yet"],
    });
  });
});

describe("a head that is not the chain's", () => {
  test("is told with the one that is", async () => {
    const log = ["c0:a", "c0:x", "c2:ab"];
    const known = await historyOf("c0:a@0");
    expect(await said(reportAt(log, 1), known, log)).toMatchObject({
      chain_history: [false, "the history has another receipt at place 0 than the receipt"],
      public_heads: [
        false,
        "entry 1 is no head of the chain: the log has another head 0 of this chain, at entry 0",
      ],
    });
    expect(await said(reportAt(log, 2), known, log)).toMatchObject({
      chain_history: [false, "the proof's head 2, at entry 2, is none of the history"],
      public_heads: [
        false,
        "entry 2 is no head of the chain: the log has no head 2 of this chain among 3 entries",
      ],
    });
  });

  test("ends the history: the answer names the entry", async () => {
    const log = ["c0:a", "c1:x", "c1:ab", "c2:abc"];
    const told = await historyOf("c0:a@0", "c1:ab@2", "c2:abc@3");
    expect(await said(reportAt(log, 0), told, log)).toMatchObject({
      chain_history: [true, "receipt 0 of the chain, first sealed by its head 0; one history up to entry 1"],
    });
    expect(await said(reportAt(log, 2), told, log)).toMatchObject({
      chain_history: [false, "one history up to entry 1: there the log has not the history's head 1"],
      public_heads: [false, expect.stringMatching(/^entry 2 is no head of the chain/)],
    });
    const late = ["c0:a", "c1:ab", "o0:a", "c2:abc"];
    expect(await said(reportAt(late, 3), told, late)).toMatchObject({
      public_heads: [false, "the log has not the history's head 1 at entry 2"],
    });
  });

  test.each<[string, (proof: CrossTenantProof) => CrossTenantProof]>([
    ["number", (proof) => ({ ...proof, leaf: { ...proof.leaf, head_index: 2 } })],
    ["size", (proof) => ({ ...proof, leaf: { ...proof.leaf, tree_size: 3 } })],
    ["root", (proof) => ({ ...proof, leaf: { ...proof.leaf, root: proof.root } })],
    ["place in the log", (proof) => ({ ...proof, leaf_index: 1 })],
    ["seal, before the first over it", (proof) => ({ ...proof, seal_index: 1 })],
  ])("is none of the history with another %s", (_, change) => {
    const proof = reportAt(LOG, 2).merkle_proof.cross_tenant_proof ?? expect.unreachable();
    const chain = honest.chains.get(idOf("c")) ?? expect.unreachable();
    expect(() => checkHead(chain, proof)).not.toThrow();
    expect(() => checkHead(chain, change(proof))).toThrow(
      expect.objectContaining({
        code: "proof_invalid",
        message: expect.stringMatching(/is none of the history$/),
      }),
    );
  });
});

describe("the chains that a walk looks for", () => {
  test("are those of the history, and all others that its anchor can give", async () => {
    const ids = chainsToWalk(await historyOf("c0:a@0"));
    expect(new Set(ids).size).toBe(MAX_SHARD + 1);
    expect(ids).toEqual(expect.arrayContaining([idOf("c"), idOf("d")]));
    expect(chainsToWalk({ ...honest, tenantAnchor: null })).toEqual([idOf("c"), idOf("d")]);
    expect(chainsToWalk(null)).toEqual([]);
    expect(ANCHOR).toBe(honest.tenantAnchor);
  });

  test("show the one that nobody shows", async () => {
    const hidden = await historyOf("c0:a@0", "c1:ab@2", "c2:abc@4");
    expect(await said(reportAt(LOG, 4), hidden, LOG)).toMatchObject({
      other_chains: [
        false,
        `chain ${idOf("d")} of this tenant, which the history has not, begins at entry 3`,
      ],
    });
  });
});
