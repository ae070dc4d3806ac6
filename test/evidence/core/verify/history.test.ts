// The history that a bundle's check rests on, for many receipts of any origin. The forged bundles among the vectors show each lie.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bundleEvidenceSchema } from "../../../../evidence/core/formats/evidence.ts";
import type { GrowthStep } from "../../../../evidence/core/verify/fact-types.ts";
import { factsOfReceipt, factsOfTurn } from "../../../../evidence/core/verify/facts.ts";
import { History } from "../../../../evidence/core/verify/history.ts";
import { factsOfSeal } from "../../../../evidence/core/verify/seal-facts.ts";
import { evidenceFor, forgeReceipts } from "../../../support/lying-service.ts";
import { readEvidence, readReceipt, readSeal } from "../../../support/vector-files.ts";

const bundle = (file: string) => bundleEvidenceSchema.parse(readEvidence(file));

/** The contradictions of each turn of a bundle, by its own facts and those of its conversation; null where there is none. */
function addTurns(history: History, file: string): (string | null)[] {
  const { receipts, proofs } = bundle(file);
  return proofs.map((proof, i) => {
    const turn = { ...proof, receipts: [receipts[i] ?? {}] };
    return (history.add(factsOfReceipt(turn)) ?? history.add(factsOfTurn(turn)))?.sentence ?? null;
  });
}

describe("a history", () => {
  test("goes together, in whatever order it is told", () => {
    const reports = [
      "greeting",
      "chat-message",
      "reminder",
      "hand-off",
      "together-b",
      "goodbye",
      "other-tenant",
    ];
    const all = [
      ...reports.map((name) => factsOfReceipt(readReceipt(`receipts/${name}.json`))),
      ...reports.map((name) => factsOfReceipt(readReceipt(`receipts/${name}-pending.json`))),
      ...[0, 1, 2, 3].map((index) => factsOfSeal(readSeal(`seals/${index}.json`))),
    ];
    const inAnyOrder = fc.shuffledSubarray(all, { minLength: all.length });
    fc.assert(
      fc.property(inAnyOrder, (facts) => {
        const history = new History();
        for (const each of facts) expect(history.add(each)).toBeNull();
      }),
    );
  });

  test("learns nothing from what contradicts it", () => {
    const history = new History();
    expect(addTurns(history, "forged/impossible-order.json")).toEqual([
      null,
      `there are two versions of receipts 0 to 3 of chain ${"f".repeat(32)}`,
    ]);
    expect(addTurns(history, "forged/impossible-order.json")[0]).toBeNull();
  });

  test("has a later turn at a later place of its chain", () => {
    expect(addTurns(new History(), "forged/order-backwards.json")[1]).toBe(
      "turn 1 is receipt 5 of chain ffffffffffffffffffffffffffffffff, but turn 2 is receipt 1 of chain ffffffffffffffffffffffffffffffff",
    );
  });

  test("has one turn after another, and any number of conversations that begin under one id", () => {
    const history = new History();
    const elsewhere = { chain_id: "e".repeat(32) };
    const [chain, other] = [forgeReceipts([{}, {}]), forgeReceipts([elsewhere, elsewhere])];
    for (const each of [chain, other])
      for (const index of [0, 1]) expect(history.add(factsOfTurn(evidenceFor(each, index)))).toBeNull();
    const { previous_turn_hash = null } = chain[1] ?? {};
    const second = forgeReceipts([elsewhere, { ...elsewhere, previous_turn_hash }]);
    expect(history.add(factsOfTurn(evidenceFor(second, 1)))).toMatchObject({
      log: "chain",
      sentence: `there are two versions of turn 2 of a conversation on chain ${elsewhere.chain_id}`,
    });
  });

  test("tells a contradiction about a chain from one about the metachain, which may be another service's", () => {
    const history = new History();
    history.add(factsOfSeal(readSeal("seals/0.json")));
    const { seals } = bundle("forged/honest.json");
    const [first] = seals;
    expect(first && history.add(factsOfSeal(first))).toMatchObject({
      log: "metachain",
      sentence: "there are two versions of seal 0",
    });
  });

  test("finds two values of one name in one piece of evidence, and keeps neither", () => {
    const fact = (value: string) => ({ log: "chain" as const, name: "a", what: "it", value });
    const history = new History();
    expect(history.add({ facts: [fact("1"), fact("2")], steps: [] })).toEqual({
      log: "chain",
      sentence: "there are two versions of it",
      name: "a",
      expected: "1",
      actual: "2",
    });
    expect(history.add({ facts: [fact("3")], steps: [] })).toBeNull();
  });

  test("keeps so many steps of a series as it has room for, and each of them once", () => {
    const step = (at: number, value: number): GrowthStep => ({
      ...{ log: "chain", series: "it", at, value, mustGrow: true, statement: `${at} is ${value}` },
    });
    const add = (history: History, at: number, value: number) =>
      history.add({ facts: [], steps: [step(at, value)] });
    const history = new History(2);
    // The same step again takes no room: else the first two would be forgotten here.
    for (const [at, value] of [
      [1, 10],
      [2, 20],
      [2, 20],
      [2, 20],
    ] as const)
      expect(add(history, at, value)).toBeNull();
    expect(add(history, 0, 15)).toMatchObject({ sentence: "0 is 15, but 1 is 10", expected: "1 is 10" });
    expect(add(history, 3, 30)).toBeNull();
    expect(add(history, 0, 15)).toBeNull();
  });

  test("forgets the oldest of what it has no room for", () => {
    const fact = (name: string, value: string) => ({
      facts: [{ log: "chain" as const, name, what: name, value }],
      steps: [],
    });
    const history = new History(2);
    for (const name of ["a", "b", "a", "c"]) history.add(fact(name, "true"));
    expect(["a", "b"].map((name) => history.add(fact(name, "false")) === null)).toEqual([false, true]);
  });
});

test("along a series no order of telling hides that values fall", () => {
  const step = (at: number, value: number, mustGrow: boolean): GrowthStep => ({
    log: "chain",
    series: "it",
    at,
    value,
    mustGrow,
    statement: `${at} is ${value}`,
  });
  const place = fc.tuple(fc.nat(6), fc.nat(6));
  fc.assert(
    fc.property(fc.array(place, { maxLength: 6 }), fc.boolean(), (places, mustGrow) => {
      const falls = places.some(([at, value]) =>
        places.some(([later, other]) => later > at && (mustGrow ? other <= value : other < value)),
      );
      const history = new History();
      const found = places.map(([at, value]) =>
        history.add({ facts: [], steps: [step(at, value, mustGrow)] }),
      );
      expect(found.some((contradiction) => contradiction !== null)).toBe(falls);
    }),
  );
});
