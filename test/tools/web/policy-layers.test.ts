// Wording policy layers on the page: a dropped one is a companion of the receipts that name it, and none is needed where the
// bundle or the page's own origin has it.
import { describe, expect, test } from "vitest";
import { readBytes } from "../../support/vector-files.ts";
import { check, entryNamed, evidenceNamed, metachain, sourceOf, vectorSource } from "./files.ts";

const OWN = vectorSource("policy/allow-own.json");
const EFFECTIVE = vectorSource("layers/effective.json");
const EXAMPLE = vectorSource("layers/example.json");

const policyOf = (checked: Awaited<ReturnType<typeof check>>, name: string) =>
  evidenceNamed(checked, name).examination.turns.map(
    ({ checks }) => checks.find((each) => each.name === "policy")?.ok,
  );

describe("a dropped layer", () => {
  test("is what the verdict of its receipt is computed again from, also without a network", async () => {
    expect(policyOf(await check([OWN]), "allow-own.json")).toEqual([null]);
    const checked = await check([OWN, EFFECTIVE]);
    expect(policyOf(checked, "allow-own.json")).toEqual([true]);
    expect(entryNamed(checked, "effective.json")).toMatchObject({ kind: "policy_layer", use: "used" });
  });

  test("shows the wording of the receipt: who approved it, and which wording was filled", async () => {
    const { examination } = evidenceNamed(await check([OWN, EFFECTIVE]), "allow-own.json");
    expect(examination.turns[0]?.wording).toMatchObject({
      id: "own-greeting",
      text: null,
      approvedBy: "Head of customer service",
      template: { id: "de-template" },
    });
  });

  test("is named where no receipt names it and one lacks its own", async () => {
    const checked = await check([OWN, EXAMPLE]);
    expect(policyOf(checked, "allow-own.json")).toEqual([null]);
    expect(entryNamed(checked, "example.json")).toMatchObject({ kind: "policy_layer", use: "stray" });
    expect(evidenceNamed(checked, "allow-own.json").verdict.failed).toEqual([]);
  });

  test("is named where no receipt names it, though none lacks its own: it was not used", async () => {
    const checked = await check([OWN, EFFECTIVE, EXAMPLE]);
    expect(entryNamed(checked, "example.json")).toMatchObject({ kind: "policy_layer", use: "stray" });
    expect(entryNamed(checked, "effective.json")).toMatchObject({ kind: "policy_layer", use: "used" });
  });

  test("that contradicts a receipt refutes it", async () => {
    const checked = await check([vectorSource("policy/forged-verdict.json"), EXAMPLE]);
    expect(evidenceNamed(checked, "forged-verdict.json").verdict.failed).toMatchObject([{ name: "policy" }]);
  });

  test("that is none can't be read", async () => {
    expect(entryNamed(await check([sourceOf("none.json", '{"wordings":7}')]), "none.json")).toMatchObject({
      kind: "unreadable",
      problem: { reason: "malformed" },
    });
  });
});

test("a bundle brings its layers along", async () => {
  const checked = await check([vectorSource("policy/bundle-carried.json")]);
  expect(policyOf(checked, "bundle-carried.json")).toEqual([true, true]);
});

test("a layer that the page has not got is asked for at its origin, by its digest alone", async () => {
  const asked: string[] = [];
  const layer = async (digest: string) => {
    asked.push(digest);
    return readBytes("layers/effective.json");
  };
  const checked = await check([OWN], { metachain: { ...metachain, layer } });
  expect(policyOf(checked, "allow-own.json")).toEqual([true]);
  expect(asked).toEqual([expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]);
});
