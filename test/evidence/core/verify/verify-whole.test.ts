// The check `whole`: what the labels in a chain's history say of the turns that a bundle does not show.
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../evidence/core/bytes.ts";
import type { SealedHead } from "../../../../evidence/core/formats/chain-history.ts";
import type { BundleEvidence } from "../../../../evidence/core/formats/evidence.ts";
import { chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import {
  labelAfter,
  type Receipt,
  receiptLeaf,
  withoutAuthentication,
} from "../../../../evidence/core/formats/receipt.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import { appendEntries } from "../../../../evidence/core/log/entry.ts";
import { HeadWalk } from "../../../../evidence/core/log/head-walk.ts";
import { formatNode, parseDigest } from "../../../../evidence/core/merkle/hash.ts";
import { rootAt } from "../../../../evidence/core/merkle/merkle-tree.ts";
import { KnownHistory } from "../../../../evidence/core/verify/tenant-history.ts";
import { verifyWhole } from "../../../../evidence/core/verify/verify-whole.ts";
import { forgeReceipts, linkTo } from "../../../support/lying-service.ts";

const [t1, t2] = forgeReceipts([{}, {}]) as [Receipt, Receipt];
/** A chain of one conversation, and one whose third receipt is another second turn. */
const HONEST = forgeReceipts([{}, {}, {}]);
const FORKED = forgeReceipts([{}, {}, { turn: 2, previous_turn_hash: linkTo(t1) }]);
const CHAIN = t1.chain_id;
const OTHER = "d".repeat(32);

const leafOf = (receipt: Receipt): Uint8Array => receiptLeaf(withoutAuthentication(receipt));

/** The history of a chain that has a head for each receipt, at entries `first`, `first` + 1 … of the log. */
function historyOf(chainId: string, leaves: readonly Uint8Array[], first = 0): ChainHistory {
  const history = new ChainHistory(chainId, (from, to) => concatBytes(...leaves.slice(from, to)));
  for (const head of headsOf(leaves, first)) history.add(head);
  return history;
}

const headsOf = (leaves: readonly Uint8Array[], first: number): SealedHead[] =>
  leaves.map((_, i) => {
    const last = appendEntries(null, concatBytes(...leaves.slice(0, i + 1)));
    const root = formatNode(rootAt(last ?? expect.unreachable()));
    return { head_index: i, tree_size: i + 1, root, leaf_index: first + i, seal_index: first + i };
  });

interface Held {
  readonly walked?: readonly ChainHistory[] | null;
  readonly others?: readonly ChainHistory[];
}

/** The reader has these histories, and the log of those that were walked. */
function knownOf(history: ChainHistory, { walked = [history], others = [] }: Held = {}): KnownHistory {
  const chains = new Map([history, ...others].map((one) => [one.chainId, one]));
  const walk = walked && new HeadWalk(chains.keys());
  for (const { chainId, heads } of walked ?? [])
    for (const { head_index, tree_size, root } of heads)
      walk?.add(chainHeadEntry({ chain_id: chainId, head_index, tree_size, root }));
  return new KnownHistory({ history: { chains, tenantAnchor: null }, walk, fingerprint: null });
}

/** Each receipt under the head that first covers it; null for one that is pending. */
const bundleOf = (
  receipts: readonly Receipt[],
  entries = receipts.map(({ sequence }) => sequence as number | null),
) =>
  ({
    receipts,
    proofs: entries.map((leaf_index) => ({
      merkle_proof: { cross_tenant_proof: leaf_index === null ? null : { leaf_index } },
    })),
  }) as unknown as BundleEvidence;

async function said(bundle: BundleEvidence, known: KnownHistory) {
  const [check] = await verifyWhole(bundle, known);
  return [check?.ok, check?.reason, check?.detail];
}

const honest = historyOf(CHAIN, HONEST.map(leafOf));
const forked = historyOf(CHAIN, FORKED.map(leafOf));

describe("a conversation in the history of its chain", () => {
  test("is whole where no leaf follows its last turn", async () => {
    expect(await said(bundleOf(HONEST), knownOf(honest))).toEqual([
      true,
      undefined,
      "no turn is missing up to entry 3",
    ]);
  });

  test.each<[what: string, receipts: readonly Receipt[], follows: number]>([
    ["its last turn", HONEST.slice(0, 2), 2],
    ["its last two turns", HONEST.slice(0, 1), 1],
    ["a turn in the middle", HONEST.toSpliced(1, 1), 1],
  ])("lacks a turn without %s, and the place is named", async (_, receipts, place) => {
    expect(await said(bundleOf(receipts), knownOf(honest))).toEqual([
      null,
      "turn_missing",
      `receipt ${place} of chain ${CHAIN} follows turn ${place === 2 ? 2 : 1}, and is not here`,
    ]);
  });

  test("lacks a turn in each of its branches where it was forked", async () => {
    const [first, second, other] = FORKED as [Receipt, Receipt, Receipt];
    for (const [receipts, place] of [
      [[first], 1],
      [[first, second], 2],
      [[first, other], 1],
    ] as const)
      expect(await said(bundleOf(receipts), knownOf(forked))).toEqual([
        null,
        "turn_missing",
        `receipt ${place} of chain ${CHAIN} follows turn 1, and is not here`,
      ]);
  });

  test("lacks a turn that was recorded on another chain of the tenant", async () => {
    const elsewhere = concatBytes(labelAfter(parseDigest(linkTo(t2))), new Uint8Array(32));
    const other = historyOf(OTHER, [elsewhere], 2);
    const own = historyOf(CHAIN, [t1, t2].map(leafOf));
    const known = knownOf(own, { walked: [own, other], others: [other] });
    expect(await said(bundleOf([t1, t2]), known)).toEqual([
      null,
      "turn_missing",
      `receipt 0 of chain ${OTHER} follows turn 2, and is not here`,
    ]);
  });

  test("is whole as of an older history, up to the entry that it reaches", async () => {
    const older = historyOf(CHAIN, [t1, t2].map(leafOf));
    expect(await said(bundleOf([t1, t2]), knownOf(older, { walked: [honest] }))).toEqual([
      true,
      undefined,
      "no turn is missing up to entry 2",
    ]);
  });

  test("says nothing of a turn that the history does not reach", async () => {
    const older = historyOf(CHAIN, [t1, t2].map(leafOf));
    for (const [known, file] of [
      [knownOf(older, { walked: [honest] }), "the history"],
      [knownOf(older), "the public log at hand"],
    ] as const)
      expect(await said(bundleOf(HONEST), known)).toEqual([
        null,
        "too_new",
        `${file} ends at entry 2, before the last turn`,
      ]);
  });

  test.each<[reason: string, bundle: BundleEvidence, known: KnownHistory]>([
    ["not_given", bundleOf(HONEST), knownOf(honest, { walked: null })],
    ["pending", bundleOf(HONEST, [0, 1, null]), knownOf(honest)],
    ["other_history", bundleOf(HONEST), knownOf(historyOf(OTHER, HONEST.map(leafOf)))],
    ["turn_missing", bundleOf([t1, t2]), knownOf(historyOf(CHAIN, [leafOf(t1), new Uint8Array(64)]))],
  ])("can't be judged for want of it: %s", async (reason, bundle, known) => {
    expect((await said(bundle, known)).slice(0, 2)).toEqual([null, reason]);
  });

  test("is asked for as soon as a history or a log is at hand", async () => {
    const withLog = new KnownHistory({ history: null, walk: new HeadWalk([CHAIN]), fingerprint: null });
    expect((await said(bundleOf(HONEST), withLog)).slice(0, 2)).toEqual([null, "not_given"]);
    const none = new KnownHistory({ history: null, walk: null, fingerprint: null });
    expect(await verifyWhole(bundleOf(HONEST), none)).toEqual([]);
  });

  test("fails where a receipt has no leaf hash, and whatever is missing before it", async () => {
    const broken = { ...t2, previous_turn_hash: "none" };
    for (const receipts of [[broken], [t1, broken]])
      expect((await said(bundleOf(receipts), knownOf(honest)))[0]).toBe(false);
  });
});
