// The parts of a bundle that are missing, too many or another's, false statements in it, and what can't be read.
import { OTHER_DIGEST } from "./damage-base.ts";
import { UNMADE, changed, everywhere } from "./damage-bundle-base.ts";
import { all, type Edit, type Draft, otherHex, remove, set, swap } from "./edit.ts";

export const partEntries = (): Draft[] => [...partChanges(), ...statements(), ...unreadables()];

function partChanges(): Draft[] {
  const everyChain = ["receipts/2/merkle_root"];
  return [
    changed(
      "verdict",
      ["receipts/2/output_hash", "receipts/2/policy", "receipts/2/leaf_hash", "turn_links"],
      "the verdict of the last turn but one was changed",
      set("/receipts/2/verdict", "ALLOW"),
    ),
    changed(
      "previous_hash",
      ["receipts/2/leaf_hash", "receipts/2/links", "chain_links", "turn_links"],
      "the link to the receipt before was changed",
      set("/receipts/2/previous_hash", OTHER_DIGEST),
    ),
    changed(
      "previous_turn_hash",
      ["receipts/2/leaf_hash", "turn_links"],
      "the link to the turn before was changed",
      set("/receipts/2/previous_turn_hash", OTHER_DIGEST),
    ),
    changed(
      "member-called-__proto__",
      ["receipts/3/leaf_hash"],
      "a member was added",
      set("/receipts/3/__proto__", { verdict: "ALLOW" }),
    ),
    changed(
      "request",
      ["receipts/3/input_hash"],
      "another agent",
      set("/requests/3/agent_identity", "a person"),
    ),
    changed(
      "interaction_id",
      ["interaction"],
      "another conversation",
      set("/interaction_id", "call-2026-000118"),
    ),
    changed(
      "head_hash",
      ["one_history"],
      "the chain is said to end with another receipt than a later turn links to",
      set("/proofs/2/evidence_chain/head_hash", OTHER_DIGEST),
    ),
    changed(
      "proof-path",
      everyChain,
      "a node to the published root was changed",
      otherHex("/proofs/2/merkle_proof/cross_tenant_proof/path/0"),
    ),
    changed(
      "seal-missing",
      ["receipts/2/published_root"],
      "the seal over a turn is missing",
      remove("/seals/2"),
      [...UNMADE, "receipts/2/timestamp", "seals/2/previous_seal"],
    ),
    changed(
      "seal-root",
      [
        "receipts/2/published_root",
        "receipts/3/recorded_after",
        "seals/2/consistency",
        "seals/2/timestamp",
        "seals/3/previous_seal",
        "published_seals",
      ],
      "the root of a seal was changed",
      otherHex("/seals/2/merkle_root"),
    ),
    changed(
      "seal-size",
      ["receipts/2/published_root", "receipts/3/recorded_after", "seals/3/previous_seal", "published_seals"],
      "the size of a seal was changed",
      set("/seals/2/tree_size", 7),
    ),
    changed(
      "seals-backdated",
      [...[1, 2, 3].map((index) => `receipts/${index}/recorded_after`), "published_seals"],
      "the seals say that they are of years before their tokens",
      all(...[0, 1, 2, 3].map((index) => set(`/seals/${index}/sealed_at`, "2020-01-01T00:00:00.000Z"))),
    ),
    changed(
      "seal-receipt_count",
      ["receipts/3/recorded_after", "published_seals"],
      "the number of receipts under a seal was changed",
      set("/seals/2/receipt_count", 1_000_000),
    ),
  ];
}

/** What a bundle can't show. */
function statements(): Draft[] {
  return [
    changed(
      "stated-end",
      [],
      "the last turn was left out: that a conversation ends, nothing proves",
      everywhere((list) => remove(`${list}/3`)),
    ),
    changed(
      "stated-begin",
      [],
      "a page from the second turn on",
      everywhere((list) => remove(`${list}/0`)),
      ["receipts/0/links", "receipts/1/evidence_chain"],
    ),
    changed("request-erased", [], "a request was erased", set("/requests/1", null), [
      "receipts/1/input_hash",
      ...UNMADE,
    ]),
    changed("requests-erased", [], "all requests were erased", set("/requests", [null, null, null, null]), [
      "receipts/0/input_hash",
      "receipts/1/input_hash",
      "receipts/1/links",
      "receipts/2/input_hash",
      "receipts/2/evidence_chain",
      "receipts/3/input_hash",
      "interaction",
    ]),
  ];
}

function unreadables(): Draft[] {
  const unreadable = (name: string, reason: string, edit: Edit) => ({
    ...changed(`unreadable-${name}`, [], reason, edit, []),
    expected: "unreadable" as const,
  });
  return [
    unreadable("receipt-missing", "a request and a proof without their receipt", remove("/receipts/1")),
    unreadable(
      "empty",
      "no receipt at all",
      everywhere((list) => set(list, [])),
    ),
    unreadable("seal-twice", "two seals of one index", set("/seals/3/index", 2)),
    unreadable("seals-out-of-order", "two seals changed places", swap("/seals", 0, 1)),
    unreadable("proof", "a proof that can't be read", set("/proofs/0/merkle_proof/status", "final")),
  ];
}
