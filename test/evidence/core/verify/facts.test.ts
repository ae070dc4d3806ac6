// Two pieces of evidence contradict each other where they state different facts; each kind of fact shows in a sentence of
// its own. Whether the evidence itself holds is not asked here.
import { describe, expect, test } from "vitest";
import { chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import type { ReceiptCore } from "../../../../evidence/core/formats/receipt.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import type { Facts } from "../../../../evidence/core/verify/fact-types.ts";
import { factsOfReceipt, factsOfTurn } from "../../../../evidence/core/verify/facts.ts";
import { History } from "../../../../evidence/core/verify/history.ts";
import { evidenceFor, forgeReceipts } from "../../../support/lying-service.ts";
import { leafHash, PATH, treeOf } from "../../../support/rfc9162.ts";

const ID = "a".repeat(32);
const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

const contradictionOf = (...told: readonly Facts[]) => {
  const history = new History();
  const found = told.map((facts) => history.add(facts)).find((each) => each !== null);
  return found === undefined ? null : { log: found.log, sentence: found.sentence };
};

/** The receipt at the end of a chain that tells these lies. */
function lastOf(...lies: readonly Partial<ReceiptCore>[]) {
  const told = lies.map((lie) => ({ chain_id: ID, ...lie }));
  return evidenceFor(forgeReceipts(told), told.length - 1);
}
const factsOfLast = (...lies: readonly Partial<ReceiptCore>[]): Facts => factsOfReceipt(lastOf(...lies));

/** The facts of a receipt whose proof names this root. */
const withRoot = ({ merkle_proof, ...rest }: ReturnType<typeof lastOf>, root: string): Facts => {
  const event_inclusion_proof = { ...merkle_proof.event_inclusion_proof, root };
  return factsOfReceipt({ ...rest, merkle_proof: { ...merkle_proof, event_inclusion_proof } });
};
const SEAL_3 = { seal_index: 3, seal_hash: digest("3") };

/** What the metachain has at a place: the head of this number over so many receipts of the chain. */
interface PlacedHead {
  readonly at: number;
  readonly size: number;
  readonly head: number;
}

/** The facts of two heads without their receipts, the second of these to be told of a tree of `size` under `seal`. */
function headFacts(placed: readonly [PlacedHead, PlacedHead], size: number, seal: number): [Facts, Facts] {
  const leafOf = (receipts: number, head_index: number) => {
    const { merkle_proof } = lastOf(...Array.from({ length: receipts }, () => ({})));
    const { root } = merkle_proof.event_inclusion_proof;
    return { merkle_proof, leaf: { chain_id: ID, head_index, tree_size: receipts, root } };
  };
  const heads = placed.map(({ at, size: receipts, head }) => ({ at, ...leafOf(receipts, head) }));
  const mth = treeOf((index) => {
    const found = heads.find(({ at }) => at === index);
    return leafHash(found === undefined ? Uint8Array.of(index) : chainHeadEntry(found.leaf));
  });
  const told = heads.map(({ at, merkle_proof, leaf }, i) => {
    const [tree_size, seal_index] = i === 0 ? [10, 4] : [size, seal];
    const path = PATH(at, 0, tree_size, mth).map(formatNode);
    const root = formatNode(mth(0, tree_size));
    const cross_tenant_proof = { seal_index, leaf, leaf_index: at, tree_size, path, root };
    return factsOfReceipt({ merkle_proof: { ...merkle_proof, cross_tenant_proof } });
  });
  return [told[0] ?? expect.unreachable(), told[1] ?? expect.unreachable()];
}

describe("receipts of one chain", () => {
  test("go together where each follows from the others", () => {
    expect(contradictionOf(factsOfLast({}), factsOfLast({}, {}), factsOfLast({}, {}, {}))).toBeNull();
  });

  test.each<[what: string, Facts, Facts, log: string, sentence: string]>([
    [
      "are two at one place",
      factsOfLast({}),
      factsOfLast({ turn: 7 }),
      "chain",
      `there are two versions of receipt 0 of chain ${ID}`,
    ],
    [
      "link to two at one place",
      factsOfLast({}, {}),
      factsOfLast({}, {}, { previous_hash: digest("7") }),
      "chain",
      `there are two versions of receipt 1 of chain ${ID}`,
    ],
    [
      "have two heads at one place",
      factsOfLast({}, {}),
      factsOfReceipt({
        ...lastOf({}),
        evidence_chain: { chain_id: ID, sequence: 1, head_hash: digest("7") },
      }),
      "chain",
      `there are two versions of receipt 1 of chain ${ID}`,
    ],
    [
      "lead to two roots of one size",
      factsOfLast({}, {}, {}),
      withRoot(lastOf({}, {}, {}), hash("7")),
      "chain",
      `there are two versions of receipts 0 to 2 of chain ${ID}`,
    ],
    [
      "are dated backwards",
      factsOfLast({ issued_at: "2026-11-20T12:00:00.001Z" }),
      factsOfLast({ issued_at: "2026-11-20T12:00:00.001Z" }, { issued_at: "2026-11-20T12:00:00.000Z" }),
      "chain",
      `receipt 0 of chain ${ID} was issued at 2026-11-20T12:00:00.001Z, but receipt 1 of chain ${ID} was issued at 2026-11-20T12:00:00.000Z`,
    ],
    [
      "name an older seal after a newer one",
      factsOfLast({ recorded_after: SEAL_3 }),
      factsOfLast({ recorded_after: SEAL_3 }, { recorded_after: { seal_index: 2, seal_hash: digest("2") } }),
      "chain",
      `receipt 0 of chain ${ID} names seal 3, but receipt 1 of chain ${ID} names seal 2`,
    ],
    [
      "name no seal after one that does",
      factsOfLast({ recorded_after: SEAL_3 }),
      factsOfLast({ recorded_after: SEAL_3 }, { recorded_after: null }),
      "chain",
      `receipt 0 of chain ${ID} names seal 3, but receipt 1 of chain ${ID} names no seal`,
    ],
    [
      "name two seals by one number",
      factsOfLast({ recorded_after: SEAL_3 }),
      factsOfLast({ chain_id: "b".repeat(32), recorded_after: { seal_index: 3, seal_hash: digest("2") } }),
      "metachain",
      "there are two versions of seal 3 with its tokens",
    ],
  ])("contradict each other where they %s", (_, first, second, log, sentence) => {
    expect(contradictionOf(first, second)).toEqual({ log, sentence });
  });

  test("may be of one moment, and may name one seal", () => {
    const at = { issued_at: "2026-11-20T12:00:00.000Z" };
    const both = { ...at, recorded_after: SEAL_3 };
    expect(contradictionOf(factsOfLast(both), factsOfLast(both, both))).toBeNull();
  });
});

describe("turns of one conversation", () => {
  test("stand at places that rise", () => {
    const [first, second] = forgeReceipts([{ chain_id: ID }, { chain_id: ID }]);
    const early = { ...second, sequence: 0 };
    const turn = (receipt: object) => factsOfTurn({ ...lastOf({}), receipts: [receipt] });
    expect(contradictionOf(turn(first ?? {}), turn(second ?? {}))).toBeNull();
    expect(contradictionOf(turn(first ?? {}), turn(early))).toEqual({
      log: "chain",
      sentence: `turn 1 is receipt 0 of chain ${ID}, but turn 2 is receipt 0 of chain ${ID}`,
    });
  });

  test("are on one chain, and are not older than the turn before them", () => {
    const turn = (receipt: object) => factsOfTurn({ ...lastOf({}), receipts: [receipt] });
    const contradictionAfter = (first: object, lie: object): string | undefined => {
      const [one, two] = forgeReceipts([
        { chain_id: ID, ...first },
        { chain_id: ID, ...lie },
      ]);
      const [earlier, later] = [turn(one ?? {}), turn(two ?? {})];
      const sentence = contradictionOf(earlier, later)?.sentence;
      // Whichever of the two a reader saw first.
      expect(contradictionOf(later, earlier)?.sentence).toBe(sentence);
      return sentence;
    };
    const at = (issued_at: string) => ({ issued_at });
    const [monday, tuesday] = ["2026-11-16T10:00:00.000Z", "2026-11-17T10:00:00.000Z"];
    expect(contradictionAfter(at(monday), at(tuesday))).toBeUndefined();
    expect(contradictionAfter({}, { chain_id: "e".repeat(32), sequence: 9 })).toBe(
      "there are two versions of the chain and the number of a turn",
    );
    expect(contradictionAfter(at(tuesday), at(monday))).toBe(
      `turn 1 was issued at ${tuesday}, but turn 2 was issued at ${monday}`,
    );
    for (const turn of [1, 3])
      expect(contradictionAfter({}, { turn })).toBe(
        "there are two versions of the chain and the number of a turn",
      );
    expect(contradictionAfter({ recorded_after: SEAL_3 }, { recorded_after: null })).toBe(
      "turn 1 names seal 3, but turn 2 names no seal",
    );
  });

  test("say nothing where the receipt is missing, or is not as the format says", () => {
    expect(factsOfTurn({ merkle_proof: lastOf({}).merkle_proof })).toEqual({ facts: [], steps: [] });
    expect(factsOfTurn({ ...lastOf({}), receipts: [{}] })).toEqual({ facts: [], steps: [] });
  });
});

describe("sealed heads", () => {
  const first = { at: 6, size: 1, head: 0 };
  const second = { at: 8, size: 2, head: 1 };

  test("of a chain that grows go together, under one seal too, and the first under a later one", () => {
    expect(contradictionOf(...headFacts([first, second], 11, 5))).toBeNull();
    expect(contradictionOf(...headFacts([first, second], 10, 4))).toBeNull();
    expect(contradictionOf(...headFacts([first, second], 9, 3))).toBeNull();
  });

  const chain = `chain ${ID}`;
  test.each<[what: string, told: [Facts, Facts], log: string, sentence: string]>([
    [
      "has the number of the first",
      headFacts([first, { ...second, head: 0 }], 11, 5),
      "chain",
      `there are two versions of the size of head 0 of ${chain}`,
    ],
    [
      "has no more receipts",
      headFacts([first, { ...second, size: 1 }], 11, 5),
      "chain",
      `head 0 of ${chain} has 1 receipt, but head 1 of ${chain} has 1 receipt`,
    ],
    [
      "is an earlier entry of the metachain",
      headFacts([first, { ...second, at: 5 }], 11, 5),
      "chain",
      `${chain} with 1 receipt is entry 6 of the metachain, but ${chain} with 2 receipts is entry 5 of the metachain`,
    ],
    [
      "is under the same seal with another size",
      headFacts([first, second], 11, 4),
      "metachain",
      "there are two versions of seal 4",
    ],
    [
      "is under a later seal that covers less",
      headFacts([first, second], 9, 5),
      "metachain",
      "seal 4 covers 10 entries, but seal 5 covers 9 entries",
    ],
    [
      "is in another metachain, at a place of the first",
      [headFacts([first, second], 11, 5)[0], headFacts([{ ...first, head: 3 }, second], 11, 5)[1]],
      "metachain",
      "there are two versions of entries 0 to 7 of the metachain",
    ],
  ])("contradict each other where the later one %s", (_, told, log, sentence) => {
    expect(contradictionOf(...told)).toEqual({ log, sentence });
  });
});
