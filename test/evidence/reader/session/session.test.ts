// A set of files, whatever is among them: each keeps its own verdict.
import { describe, expect, test } from "vitest";
import { verifyFiles } from "../../../../evidence/reader/index.ts";
import { readBytes, readSeal } from "../../../support/vector-files.ts";

const NOW = "2026-11-27T00:00:00Z";
const named = (name: string, vector: string) => ({ name, bytes: readBytes(vector) });
const outcomesOf = async (files: Parameters<typeof verifyFiles>[0], inputs: object = {}) =>
  (await verifyFiles(files, { now: NOW, trustAnchors: [], ...inputs })).files.map(({ outcome }) => outcome);

describe("a problem between companions", () => {
  test("is none of evidence that has their name", async () => {
    const policies = ["checkpoints/all.policy", "checkpoints/key.policy"].map((file) => named("x", file));
    expect(await outcomesOf([...policies, named("x", "receipts/greeting.json")])).toEqual([
      "unreadable",
      "unreadable",
      "holds_so_far",
    ]);
  });

  test("hides no failed check of a root that an option names, too", async () => {
    const forged = "damaged/seal-merkle_root.json";
    const seals = [readSeal(forged), readSeal("seals/1.json")];
    const index = seals.map((seal) => ({ ...seal, index: 1 }));
    const [first] = await outcomesOf([named("seals/0", forged)], { seals: index });
    expect(first).toBe("does_not_hold");
  });
});

test("a set without evidence is unreadable, and says which companions wait for some", async () => {
  const found = await verifyFiles([named("request.json", "requests/greeting.json")], { now: NOW });
  expect(found).toMatchObject({
    outcome: "unreadable",
    files: [],
    companions: [{ kind: "request", use: "unused" }],
  });
});
