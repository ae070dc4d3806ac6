// Files that are checked together though they hold no two receipts: proofs and published roots contradict each other, too.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hashChainHead } from "../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { overviewOf } from "../../tools/web/checked.ts";
import { evidenceFor, forgeReceipts } from "../support/lying-service.ts";
import { readSeal } from "../support/vector-files.ts";
import { receipts } from "../tools/cli/command-line.ts";
import { check, sourceOf } from "../tools/web/files.ts";
import { hasPython } from "./python.ts";
import { fileWith, verify as python } from "./python-program.ts";
import { evidenceFile } from "./rows.ts";

const CHAIN = "5".repeat(32);

interface Report {
  readonly verdict: string;
  readonly files: readonly { readonly verdict: string }[];
  readonly together: { readonly checks: readonly { readonly name: string; readonly ok: boolean | null }[] };
}

/** What a program says of files: its status, the verdict on each, and what they show together. */
interface Said {
  readonly status: number | null;
  readonly each: readonly string[];
  readonly oneHistory: boolean | null | undefined;
}

function said({ status, stdout }: { readonly status: number | null; readonly stdout: string }): Said {
  const { files, together } = JSON.parse(stdout) as Report;
  return {
    status,
    each: files.map(({ verdict }) => verdict),
    oneHistory: together.checks.find(({ name }) => name === "one_history")?.ok,
  };
}

/** A proof without its receipt: the only head of a metachain of its own says which root the chain has at its size. */
function bareProof(verdict: "ALLOW" | "BLOCK", name: string): string {
  const { merkle_proof } = evidenceFor(forgeReceipts([{}, { verdict }]), 1);
  const leaf = { chain_id: CHAIN, head_index: 0, tree_size: 2, root: merkle_proof.merkle_root };
  const root = formatNode(hashChainHead(leaf));
  const cross_tenant_proof = { seal_index: 0, leaf, leaf_index: 0, tree_size: 1, path: [], root };
  const included = { ...merkle_proof, status: "included", merkle_root: root, cross_tenant_proof };
  return fileWith(JSON.stringify({ merkle_proof: included }), name);
}

describe("files without receipts that contradict each other", () => {
  const proofs = [bareProof("ALLOW", "one-proof.json"), bareProof("BLOCK", "other-proof.json")];
  const seal = { ...readSeal("seals/0.json"), merkle_root: `0x${"5".repeat(64)}` };
  const pending = { status: "pending", timestamp_token: null, tsa_url: null, covers: "merkle_root" };
  const otherSeal = fileWith(
    JSON.stringify({ ...seal, tsa_timestamp: pending, additional_timestamps: [] }),
    "other-seal.json",
  );
  const roots = [evidenceFile("seals/0.json"), otherSeal];
  const report = [evidenceFile("receipts/greeting.json"), otherSeal];
  const HOLDS_SO_FAR = ["holds_so_far", "holds_so_far"];
  const cases = [
    ["two proofs of one chain do not hold", proofs, { status: 1, each: HOLDS_SO_FAR, oneHistory: false }],
    ["two roots of one number are left open", roots, { status: 0, each: HOLDS_SO_FAR, oneHistory: null }],
    ["a report and another root, too", report, { status: 0, each: HOLDS_SO_FAR, oneHistory: null }],
  ] as const;

  test.each(cases)("on the command line: %s", async (_, files, expected) => {
    expect(said(await receipts("verify", ...files, "--json"))).toEqual(expected);
  });

  test.skipIf(!hasPython).each(cases)("in Python: %s", (_, files, expected) => {
    expect(said(python(...files, "--json"))).toEqual(expected);
  });

  test("on the page, two proofs of one chain do not hold", async () => {
    const sources = proofs.map((file, i) => sourceOf(`${i}.json`, new Uint8Array(readFileSync(file))));
    expect(overviewOf(await check(sources))).toMatchObject({ outcome: "does_not_hold", all: 2 });
  });
});
