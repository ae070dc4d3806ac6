// Receipts with something wrong in their proof, and proofs without a receipt.
import { BASE, BOUND, CROSS, changed, contextOf, EVENT, HEAD, OTHER_NODE, UNPUBLISHED } from "./damage-base.ts";
import { all, at, change, type Edit, type Draft, otherHex, read, remove, set, swap } from "./edit.ts";

export function proofEntries(): Draft[] {
  const path = (list: string, check: string, first: string[]) => [
    ...[0, 1, 2].map((i) => {
      const failing = i === 0 ? [...first, check] : [check];
      return [
        `path-${i}`,
        failing,
        `node ${i} of the path was changed`,
        otherHex(`${list}/path/${i}`),
      ] as const;
    }),
    [
      "path-first-dropped",
      [...first, check],
      "the path lacks its first node",
      remove(`${list}/path/0`),
    ] as const,
    ["path-last-dropped", [check], "the path lacks its last node", dropLast(`${list}/path`)] as const,
    ["path-empty", [...first, check], "the path has no node", set(`${list}/path`, [])] as const,
    ["path-longer", [check], "the path has a node too many", append(`${list}/path`, OTHER_NODE)] as const,
    ["path-swapped", [check], "two nodes of the path changed places", swap(`${list}/path`, 1, 2)] as const,
  ];
  const event = path(EVENT, "event_inclusion", ["links"]);
  const cross = path(CROSS, "merkle_root", []);
  const everyRoot = ["merkle_root", "published_root", "timestamp"];
  return [
    changed("leaf_hash", ["leaf_hash", "event_inclusion"], "another leaf", otherHex(`${EVENT}/leaf_hash`)),
    changed("leaf_index", ["leaf_hash", "event_inclusion"], "another place", set(`${EVENT}/leaf_index`, 2)),
    changed(
      "leaf_index-outside",
      ["leaf_hash", "event_inclusion"],
      "a place outside of the tree",
      set(`${EVENT}/leaf_index`, 9),
    ),
    changed(
      "tree_size-of-equal-shape",
      ["evidence_chain", "merkle_root"],
      "another size, whose path takes the same turns",
      set(`${EVENT}/tree_size`, 10),
    ),
    changed(
      "tree_size",
      ["event_inclusion", "evidence_chain", "merkle_root"],
      "another size",
      set(`${EVENT}/tree_size`, 4),
    ),
    ...event.map(([name, failing, reason, edit]) => changed(`event-${name}`, [...failing], reason, edit)),
    changed(
      "event-root",
      ["event_inclusion", "merkle_root"],
      "another chain root",
      otherHex(`${EVENT}/root`),
    ),
    changed(
      "both-chain-roots",
      ["event_inclusion", "merkle_root"],
      "chain root and sealed head agree on another root",
      all(set(`${EVENT}/root`, OTHER_NODE), set(`${CROSS}/leaf/root`, OTHER_NODE)),
    ),
    changed("cross-chain_id", ["merkle_root"], "another chain's head", otherHex(`${CROSS}/leaf/chain_id`)),
    changed(
      "cross-leaf-tree_size",
      ["merkle_root"],
      "a head of another size",
      set(`${CROSS}/leaf/tree_size`, 8),
    ),
    changed(
      "cross-leaf-head_index",
      ["merkle_root"],
      "a head_index that is not the entry's",
      set(`${CROSS}/leaf/head_index`, 7),
    ),
    changed("cross-leaf-root", ["merkle_root"], "a head with another root", otherHex(`${CROSS}/leaf/root`)),
    changed("cross-leaf_index", ["merkle_root"], "another place", set(`${CROSS}/leaf_index`, 2)),
    changed(
      "cross-tree_size-of-equal-shape",
      ["published_root"],
      "another size, whose path takes the same turns: only the seal tells",
      set(`${CROSS}/tree_size`, 7),
    ),
    changed(
      "cross-tree_size",
      ["merkle_root", "published_root"],
      "another size",
      set(`${CROSS}/tree_size`, 4),
    ),
    ...cross.map(([name, failing, reason, edit]) => changed(`cross-${name}`, [...failing], reason, edit)),
    changed("cross-root", ["merkle_root"], "the path's root was changed", otherHex(`${CROSS}/root`)),
    changed("merkle_root", everyRoot, "merkle_root was changed", otherHex("/merkle_proof/merkle_root")),
    changed(
      "both-merkle-roots",
      everyRoot,
      "path and answer agree on another root",
      all(set(`${CROSS}/root`, OTHER_NODE), set("/merkle_proof/merkle_root", OTHER_NODE)),
    ),
    changed(
      "proof-of-another-event",
      ["leaf_hash", "links"],
      "the proof of another receipt of the chain",
      (value) => set("/merkle_proof", at(read("receipts/walkthrough.json"), "/merkle_proof"))(value),
    ),
    changed(
      "status-pending",
      ["merkle_root"],
      "pending, with a proof to a root",
      set("/merkle_proof/status", "pending"),
    ),
    changed(
      "status-included",
      ["merkle_root"],
      "included, without a proof to a root",
      set("/merkle_proof/status", "included"),
      { base: `${BASE}-pending`, unmade: [UNPUBLISHED], ...contextOf(BASE) },
    ),
    changed(
      "cross-withheld",
      ["merkle_root"],
      "pending, and the root is not the chain's",
      all(set("/merkle_proof/status", "pending"), set(CROSS, null)),
      { unmade: [HEAD, UNPUBLISHED], ...contextOf(BASE) },
    ),
    {
      ...changed("seal_index", ["published_root", BOUND], "another seal's index", set(`${CROSS}/seal_index`, 1)),
      seal: "seals/1.json",
    },
    {
      ...changed(
        "seal_index-unpublished",
        ["published_root"],
        "no such seal",
        set(`${CROSS}/seal_index`, 99),
      ),
      seal: null,
    },
    {
      ...changed("published-root-differs", ["published_root"], "another root is published", () => {}),
      seal: "damaged/seal-merkle_root.json",
    },
    changed(
      "head-chain_id",
      ["evidence_chain"],
      "another chain's head",
      otherHex("/evidence_chain/chain_id"),
    ),
    changed("head-sequence", ["evidence_chain"], "not the last receipt", set("/evidence_chain/sequence", 7)),
    changed(
      "head_hash",
      ["evidence_chain"],
      "the receipt is the head, by another hash",
      otherHex("/evidence_chain/head_hash"),
      {
        base: "goodbye",
        ...contextOf("goodbye", 3),
      },
    ),
    ...proofOnly(),
  ];
}

/** Parts of a receipt that hold a proof. */
function proofOnly(): Draft[] {
  const only = (name: string, failing: string[], reason: string, edit: Edit, unmade: string[]): Draft => {
    const entry = changed(`proof-only-${name}`, failing, reason, all(remove("/receipts"), edit), {
      kind: "proof",
      unmade,
    });
    const { request: _request, ...rest } = entry;
    return rest;
  };
  const alone = all(remove("/event_id"), remove("/evidence_chain"), remove("/tsa_timestamp"));
  return [
    only("alone", [], "merkle_proof and nothing else", alone, [HEAD, "timestamp"]),
    only("with-timestamp", [], "all but the receipt", () => {}, [HEAD]),
    only("chain_id", [HEAD], "another chain's head", otherHex("/evidence_chain/chain_id"), []),
    only("leaf_hash", ["event_inclusion"], "another leaf", otherHex(`${EVENT}/leaf_hash`), [HEAD]),
  ];
}

const dropLast = (pointer: string): Edit => change<string[]>(pointer, (list) => list.slice(0, -1));
const append = (pointer: string, node: string): Edit => change<string[]>(pointer, (list) => [...list, node]);
