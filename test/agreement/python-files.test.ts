// The verifier in Python with many receipts: a bundle of two histories, and several files.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import { hashChainHead } from "../../evidence/core/formats/metachain.ts";
import type { Receipt } from "../../evidence/core/formats/receipt.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { evidenceFor, forgeReceipts, linkTo } from "../support/lying-service.ts";
import { hasPython } from "./python.ts";
import { fileWith, OTHER_CHAIN, REPORT, verify } from "./python-program.ts";
import { evidenceFile } from "./rows.ts";

describe.skipIf(!hasPython)("disclosure_receipts verify in Python with a bundle of two histories", () => {
  interface Turn {
    readonly chain: readonly Receipt[];
    readonly index: number;
  }

  /** Each turn has a good proof, in the tree of its own chain. */
  function bundleOf(...turns: readonly Turn[]): string {
    const proven = turns.map(({ chain, index }) => ({ ...evidenceFor(chain, index), head: chain.at(-1) }));
    const proofs = proven.map(({ event_id, merkle_proof, head }) => ({
      event_id,
      merkle_proof,
      evidence_chain: head && { chain_id: head.chain_id, head_hash: linkTo(head), sequence: head.sequence },
    }));
    const receipts = proven.flatMap(({ receipts: own = [] }) => own);
    const requests = receipts.map(() => null);
    return fileWith(JSON.stringify({ interaction_id: "call-1", receipts, requests, proofs, seals: [] }));
  }

  const failing = (file: string): string[] =>
    JSON.parse(verify(file, "--json").stdout).files[0].checks.flatMap(
      ({ name, ok }: { name: string; ok: boolean | null }) => (ok === false ? [name] : []),
    );

  const chain = forgeReceipts([{}, {}, {}]);

  test("holds nothing against one whose proofs are of one history", () => {
    expect(failing(bundleOf({ chain, index: 0 }, { chain: chain.slice(0, 2), index: 1 }))).toEqual([]);
  });

  test("finds that a path shows another receipt at the place of the next turn", () => {
    const forked = forgeReceipts([{}, { verdict: "BLOCK" }]);
    expect(failing(bundleOf({ chain, index: 0 }, { chain: forked, index: 1 }))).toEqual(["one_history"]);
  });

  test("finds a turn that is an earlier receipt of its chain than the turn before it", () => {
    const [, , last] = forgeReceipts([{}, {}, { turn: 1, previous_turn_hash: null }]);
    if (last === undefined) throw new Error("three lies make three receipts");
    const later = forgeReceipts([{ turn: 2, previous_turn_hash: linkTo(last), issued_at: last.issued_at }]);
    const file = bundleOf({ chain: [...chain.slice(0, 2), last], index: 2 }, { chain: later, index: 0 });
    expect(failing(file)).toEqual(["turn_links"]);
  });

  test("holds nothing against a conversation that begins anew, for its id may have been erased", () => {
    const lives = forgeReceipts([{}, {}, {}, { turn: 1, previous_turn_hash: null }, { turn: 2 }]);
    const bundle = (...places: number[]) => bundleOf(...places.map((index) => ({ chain: lives, index })));
    for (const files of [
      [bundle(0, 1, 2), bundle(3, 4)],
      [bundle(3, 4), bundle(0, 1, 2)],
    ]) {
      const { status, stdout } = verify(...files);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^All together: holds$/m);
      expect(stdout).toMatch(/^ {2}holds +turn_links: 3 links from turn to turn$/m);
    }
  });

  test("finds two receipts that follow one turn, in whatever files", () => {
    const [first] = chain;
    if (first === undefined) throw new Error("three lies make three receipts");
    const forked = forgeReceipts([{}, {}, {}, { turn: 2, previous_turn_hash: linkTo(first) }]);
    const single = (index: number) => fileWith(JSON.stringify(evidenceFor(forked, index)));
    const turn = (index: number) => bundleOf({ chain: forked, index });
    for (const files of [
      [single(1), single(3)],
      [turn(1), single(3)],
      [turn(1), turn(3)],
    ]) {
      const { status, stdout } = verify(...files);
      expect(status).toBe(1);
      expect(stdout).toMatch(/^ {2}FAILS +one_history: the turn after leaf \w+ of the conversations is /m);
    }
  });
});

describe.skipIf(!hasPython)("disclosure_receipts verify in Python with several files", () => {
  const conversation = JSON.parse(readFileSync(evidenceFile("bundles/conversation.json"), "utf8"));

  /** The turns from `first` to `last` of the conversation, as the service pages them. */
  function page(first: number, last: number): string {
    const cut = <T>(list: readonly T[]): T[] => list.slice(first - 1, last);
    const { receipts, requests, proofs } = conversation;
    const next_turn = last < receipts.length ? last + 1 : null;
    const lists = { receipts: cut(receipts), requests: cut(requests), proofs: cut(proofs) };
    return fileWith(JSON.stringify({ ...conversation, ...lists, next_turn }));
  }

  const pending = (chain: readonly Receipt[], index: number, name: string): string =>
    fileWith(JSON.stringify(evidenceFor(chain, index)), name);

  test("joins the pages of a conversation, and checks the links from one to the next", () => {
    const { status, stdout } = verify(page(3, 4), page(1, 2));
    expect(status).toBe(0);
    expect(stdout).toMatch(/^All together: holds$/m);
    expect(stdout).toMatch(/^ {2}holds +turn_links: 3 links from turn to turn$/m);
    expect(stdout).not.toContain("Not among these files");
  });

  test.each([
    [[[1, 2]], [{ from: 3, to: null }], "turns from 3 on"],
    [[[2, 4]], [{ from: 1, to: 1 }], "turn 1"],
    [
      [
        [1, 1],
        [4, 4],
      ],
      [{ from: 2, to: 3 }],
      "turns 2 to 3",
    ],
  ] as const)("names the turns that are missing from %j", (pages, ranges, words) => {
    const files = pages.map(([a, b]) => page(a, b));
    const { interaction_id: interactionId } = conversation;
    const { summary } = JSON.parse(verify(...files, "--json").stdout);
    expect(summary.missingTurns).toMatchObject([{ interactionId, ranges }]);
    expect(verify(...files).stdout).toContain(
      `Not among these files: ${words} of conversation ${interactionId}.`,
    );
  });

  test("finds two receipts at one place of a chain, though each has a good proof", () => {
    const [chain, forked] = [forgeReceipts([{}, {}]), forgeReceipts([{}, { verdict: "BLOCK" }])];
    const { status, stdout } = verify(pending(chain, 1, "one.json"), pending(forked, 1, "other.json"));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^All together: does not hold$/m);
    expect(stdout).toMatch(/^ {2}FAILS +chain_links: two receipts claim one place of a chain$/m);
    expect(stdout).toMatch(
      /^ {2}FAILS +one_history: receipt 1 of chain \w+ is .* in .*one\.json and .* in .*other\.json$/m,
    );
  });

  test("does not accuse two services whose roots differ under one number, and names both files", () => {
    const chain = forgeReceipts([
      { chain_id: OTHER_CHAIN, event_id: formatEventId(OTHER_CHAIN, { shard: 0, sequence: 0 }) },
    ]);
    const { merkle_proof, ...rest } = evidenceFor(chain, 0);
    const leaf = { chain_id: OTHER_CHAIN, head_index: 0, tree_size: 1, root: merkle_proof.merkle_root };
    const root = formatNode(hashChainHead(leaf));
    const cross_tenant_proof = { seal_index: 2, leaf, leaf_index: 0, tree_size: 1, path: [], root };
    const proof = { ...merkle_proof, status: "included", merkle_root: root, cross_tenant_proof };
    const other = fileWith(JSON.stringify({ ...rest, merkle_proof: proof }), "other-service.json");
    const { status, stdout } = verify(REPORT, other);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^All together: holds as far as it could be checked$/m);
    expect(stdout).toMatch(
      /^ {2}not checked +one_history: .*hand-off\.json and .*other-service\.json: they are of two services/m,
    );
  });
});
