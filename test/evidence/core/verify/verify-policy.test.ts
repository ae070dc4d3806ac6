// A verdict is computed again from the wording layer that the receipt names; what differs is told with both values.
import { describe, expect, test } from "vitest";
import { bundleEvidenceSchema } from "../../../../evidence/core/formats/evidence.ts";
import { type ShownReceipt, shownReceiptSchema } from "../../../../evidence/core/formats/receipt.ts";
import { formatDigest, hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import { checkPolicy, layersByDigest, namedLayer } from "../../../../evidence/core/verify/verify-policy.ts";
import { jcs } from "../../../support/plain-json.ts";
import { readEvidence } from "../../../support/vector-files.ts";

const { policy_layers: layers = [], receipts } = bundleEvidenceSchema.parse(
  readEvidence("bundles/conversation.json"),
);
const known = layersByDigest(layers);
const receipt = shownReceiptSchema.parse(receipts[0]);
const digestOf = (value: unknown): string => formatDigest(hashBytes(Buffer.from(jcs(value))));

/** The receipt as it would be with another policy outcome. */
const withPolicy = (change: Partial<ShownReceipt["policy"]>): ShownReceipt => ({
  ...receipt,
  policy: { ...receipt.policy, ...change },
});

describe("a receipt and its layer", () => {
  test("go together where the layer gives what the receipt says", () => {
    const { jurisdiction, version } = receipt.policy;
    const holds = `the layer ${jurisdiction} ${version} gives ${receipt.verdict}`;
    expect(checkPolicy(receipt, known)).toEqual({ holds });
  });

  test("are not compared where the layer was not given, or is said to be missing", () => {
    expect(checkPolicy(receipt, new Map())).toEqual({
      unchecked: "the layer that the receipt names was not given",
      reason: "not_given",
    });
    const missing = new Map([[receipt.policy.digest, { missing: "it is not published" }]]);
    expect(checkPolicy(receipt, missing)).toEqual({ unchecked: "it is not published", reason: "not_given" });
  });

  test.each<[name: string, changed: ShownReceipt, message: string]>([
    [
      "policy.version",
      withPolicy({ version: "2020-01-01.1" }),
      `policy.version is "2020-01-01.1" in the receipt, but the layer gives "${receipt.policy.version}"`,
    ],
    [
      "policy.wording_id",
      withPolicy({ wording_id: null }),
      `policy.wording_id is null in the receipt, but the layer gives "${receipt.policy.wording_id}"`,
    ],
    [
      "policy.findings",
      withPolicy({ findings: ["wording_unknown"] }),
      'policy.findings is ["wording_unknown"] in the receipt, but the layer gives []',
    ],
    [
      "verdict",
      { ...receipt, verdict: "BLOCK" },
      'verdict is "BLOCK" in the receipt, but the layer gives "ALLOW"',
    ],
    [
      "jurisdiction",
      { ...receipt, disclosure: { ...receipt.disclosure, jurisdiction: "FR" } },
      "the layer is that of DE",
    ],
  ])("contradict each other in %s", (_, changed, message) => {
    expect(() => checkPolicy(changed, known)).toThrow(
      expect.objectContaining({ code: "proof_invalid", message }),
    );
  });

  test("shows no more than the beginning of a long text", () => {
    const shown = (length: number): string => {
      try {
        checkPolicy(withPolicy({ version: "v".repeat(length) }), known);
      } catch (error) {
        return String(error);
      }
      return expect.unreachable("the version is another");
    };
    // A hundred characters with the quotes around them.
    expect(shown(98)).toContain(`is "${"v".repeat(98)}" in`);
    expect(shown(99)).toContain(`is "${"v".repeat(99)}… in`);
  });
});

describe("what a reader has under the digest that a receipt names", () => {
  const namedBy = (value: unknown): ShownReceipt => withPolicy({ digest: digestOf(value) });

  test("is no layer, and refutes the receipt", () => {
    const value = { anything: true };
    expect(() => checkPolicy(namedBy(value), layersByDigest([value]))).toThrow(
      "what the receipt names is no wording policy layer",
    );
  });

  test("is a layer that accepts no attestation yet", () => {
    const planned = { ...(layers[0] as object), status: "planned" };
    expect(() => checkPolicy(namedBy(planned), layersByDigest([planned]))).toThrow(
      "the layer is only planned, and accepts no attestation",
    );
  });

  test("is found by its digest alone, the first of several, and nothing without a canonical form", () => {
    const [layer] = layers;
    const found = layersByDigest([layer, structuredClone(layer), { n: Number.NaN }]);
    expect([...found.keys()]).toEqual([digestOf(layer)]);
    expect(found.get(digestOf(layer))).toHaveProperty("layer", layer);
  });

  test("is named by the receipt as it came", () => {
    expect(namedLayer(receipt)).toBe(receipt.policy.digest);
    for (const policy of [undefined, null, {}, { digest: "sha256:1" }, { digest: 7 }])
      expect(namedLayer({ policy })).toBeNull();
  });
});
