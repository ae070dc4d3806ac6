// The paths between the sealed heads of a bundle: a fork that no subtree shows is found by them alone.
import { describe, expect, test } from "vitest";
import { type BundleEvidence, bundleEvidenceSchema } from "../../../../evidence/core/formats/evidence.ts";
import { verifyBundle } from "../../../../evidence/core/verify/verify-bundle.ts";
import { readEvidence, readReceipt } from "../../../support/vector-files.ts";

const bundleIn = (file: string): BundleEvidence => bundleEvidenceSchema.parse(readEvidence(file));
const conversation = bundleIn("bundles/conversation.json");
const paths = conversation.chain_consistency ?? [];

async function checkOf(bundle: BundleEvidence) {
  const { checks } = await verifyBundle(bundle);
  const check = checks.find(({ name }) => name === "chain_consistency");
  return { ok: check?.ok, detail: check?.detail };
}

describe("the sealed heads of a conversation", () => {
  test("extend one another, by the paths that the bundle encloses", async () => {
    expect(await checkOf(conversation)).toEqual({ ok: true, detail: "3 heads extend the one before" });
  });

  test("are not shown to where a path is left out, whichever it is", async () => {
    for (const missing of paths) {
      const chain_consistency = paths.filter((path) => path !== missing);
      expect((await checkOf({ ...conversation, chain_consistency })).ok).toBeNull();
    }
  });

  test("do not where a path has another node", async () => {
    const [first, ...rest] = paths;
    if (first === undefined) throw new Error("the vector has no path");
    const other = { ...first, path: first.path.with(0, `0x${"a".repeat(64)}`) };
    expect((await checkOf({ ...conversation, chain_consistency: [other, ...rest] })).ok).toBe(false);
  });

  test("may be led to from the head of a turn on the page before", async () => {
    const earlier = { chain_id: "3".repeat(32), from_size: 1, to_size: 2, path: [] };
    const [first] = paths;
    const before = {
      ...earlier,
      chain_id: first?.chain_id ?? "",
      from_size: 2,
      to_size: first?.to_size ?? 0,
    };
    expect((await checkOf({ ...conversation, chain_consistency: [before, ...paths] })).ok).toBe(true);
  });

  test("of a fork that no subtree shows contradict each other, or are not believed", async () => {
    expect((await checkOf(bundleIn("forged/stated-fork.json"))).ok).toBe(false);
    expect((await checkOf(bundleIn("forged/stated-fork-without-path.json"))).ok).toBeNull();
  });

  test("need no path where there is one head, or none", async () => {
    const detail = "no chain has two heads here";
    const pending = readReceipt("receipts/greeting-pending.json");
    for (const proof of [conversation.proofs[0] ?? expect.unreachable(), pending]) {
      const bundle = { ...conversation, receipts: conversation.receipts.slice(0, 1), proofs: [proof] };
      expect(await checkOf({ ...bundle, chain_consistency: [] })).toEqual({ ok: true, detail });
    }
  });

  test("of two chains are not held against each other", async () => {
    const [first, ...others] = conversation.proofs.map((proof) => structuredClone(proof));
    const leaf = first?.merkle_proof.cross_tenant_proof?.leaf ?? expect.unreachable();
    Object.assign(leaf, { chain_id: "3".repeat(32) });
    const moved = { ...conversation, proofs: [first ?? expect.unreachable(), ...others] };
    expect(await checkOf(moved)).toEqual({ ok: true, detail: "2 heads extend the one before" });
  });
});
