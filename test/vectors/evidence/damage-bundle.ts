// The bundles of the index: one conversation of four turns, and each thing that can be wrong between its parts.
import {
  all,
  at,
  change,
  type Edit,
  type Draft,
  type Json,
  otherHex,
  print,
  read,
  remove,
  set,
  swap,
  write,
} from "./edit.ts";

const CONVERSATION = "bundles/conversation.json";
const OTHER_DIGEST = `sha256:${"5".repeat(64)}`;
const LISTS = ["/receipts", "/requests", "/proofs"];
/** Receipts 1 and 2 are not the heads of their chain and 1 stands at an even place; seals 2 and 3 follow what is there. */
export const UNMADE = ["receipts/1/links", "receipts/2/evidence_chain"];

export function bundleEntries(): Draft[] {
  return [...goodBundles(), ...orderChanges(), ...boundChanges(), ...partChanges(), ...statements(), ...unreadables()];
}

const context = {
  anchors: "authorities/service.pem",
  published: [0, 1, 2, 3].map((index) => `seals/${index}.json`),
};

function goodBundles(): Draft[] {
  const good = { kind: "bundle", failing: [] } as const;
  const unsealed = ["receipts/3/published_root", "receipts/3/timestamp"];
  return [
    { ...good, file: CONVERSATION, unmade: UNMADE, reason: "four turns under four seals", ...context },
    {
      ...good,
      file: "bundles/conversation-unsealed.json",
      unmade: [...UNMADE, ...unsealed],
      reason: "the last turn is not sealed yet",
      ...context,
    },
    {
      ...good,
      file: CONVERSATION,
      unmade: [
        "receipts/0/published_root",
        "receipts/0/timestamp",
        "receipts/1/links",
        "receipts/1/published_root",
        "receipts/1/timestamp",
        "receipts/1/recorded_after",
        "receipts/2/evidence_chain",
        "receipts/2/published_root",
        "receipts/2/timestamp",
        "receipts/2/recorded_after",
        "receipts/3/published_root",
        "receipts/3/timestamp",
        "receipts/3/recorded_after",
        ...[0, 1, 2, 3].map((index) => `seals/${index}/timestamp`),
        "published_seals",
      ],
      reason: "a bundle and nothing beside it",
    },
  ];
}

export function changed(
  name: string,
  failing: string[],
  reason: string,
  edit: Edit,
  unmade: string[] = UNMADE,
): Draft {
  const value = read(CONVERSATION);
  edit(value);
  const file = `damaged/bundle-${name}.json`;
  write(file, print(value));
  const isMade = (check: string) => !failing.includes(check);
  return { file, kind: "bundle", failing, unmade: unmade.filter(isMade), reason, ...context };
}

/** In receipts, requests and proofs alike. */
const everywhere = (edit: (list: string) => Edit): Edit => all(...LISTS.map(edit));

const withoutPublished = ({ published: _published, ...row }: Draft): Draft => row;

/** The seals after which the receipts were recorded. */
function boundChanges(): Draft[] {
  return [
    changed(
      "recorded_after-goes-back",
      ["receipts/3/leaf_hash", "chain_links"],
      "a later receipt of the chain names an older seal than an earlier one",
      (value) => {
        set("/receipts/3/recorded_after", at(value, "/receipts/1/recorded_after"))(value);
      },
    ),
    changed(
      "recorded_after-withdrawn",
      ["receipts/3/leaf_hash", "chain_links"],
      "a later receipt of the chain names no seal, though an earlier one does",
      set("/receipts/3/recorded_after", null),
    ),
    {
      ...withoutPublished(
        changed(
          "seals-named-missing",
          [],
          "the seals that the receipts name are missing, and the reader has no others",
          all(remove("/seals/2"), remove("/seals/1"), remove("/seals/0")),
        ),
      ),
      failing: ["receipts/0/published_root", "receipts/1/published_root", "receipts/2/published_root"],
      unmade: [
        "receipts/0/timestamp",
        "receipts/1/links",
        "receipts/1/timestamp",
        "receipts/1/recorded_after",
        "receipts/2/evidence_chain",
        "receipts/2/timestamp",
        "receipts/2/recorded_after",
        "receipts/3/published_root",
        "receipts/3/recorded_after",
        "seals/0/previous_seal",
        "published_seals",
      ],
    },
  ];
}

function orderChanges(): Draft[] {
  const swapped = everywhere((list) => swap(list, 1, 2));
  return [
    changed(
      "turn-dropped",
      ["turn_links"],
      "a turn is missing",
      everywhere((list) => remove(`${list}/1`)),
      ["receipts/1/evidence_chain"],
    ),
    changed("turns-swapped", ["turn_links"], "two turns changed places", swapped, [
      "receipts/1/evidence_chain",
      "receipts/2/links",
    ]),
    changed(
      "turn-doubled",
      ["turn_links"],
      "a turn stands twice",
      everywhere((list) => double(list, 0)),
      ["receipts/2/links", "receipts/3/evidence_chain"],
    ),
    changed(
      "turn-of-another-conversation",
      ["turn_links", "interaction"],
      "a turn of another conversation of the same chain",
      replaceTurn(1, "chat-message"),
      ["receipts/1/evidence_chain", "receipts/2/evidence_chain"],
    ),
    changed(
      "requests-swapped",
      ["receipts/1/input_hash", "receipts/2/input_hash"],
      "two requests changed places",
      swap("/requests", 1, 2),
    ),
    changed(
      "proofs-swapped",
      [
        "receipts/1/receipt_format",
        "receipts/1/leaf_hash",
        "receipts/2/receipt_format",
        "receipts/2/leaf_hash",
        "receipts/2/links",
        "receipts/2/recorded_after",
      ],
      "two proofs changed places",
      swap("/proofs", 1, 2),
      ["receipts/1/links", "receipts/1/evidence_chain"],
    ),
  ];
}

const double = (list: string, index: number): Edit =>
  change<Json[]>(list, (members) => [members[index] as Json, ...members]);

const replaceTurn =
  (index: number, name: string): Edit =>
  (value) => {
    const report = read(`receipts/${name}.json`);
    const { event_id, evidence_chain, merkle_proof } = report as { [name: string]: Json };
    set(`/receipts/${index}`, at(report, "/receipts/0"))(value);
    set(`/requests/${index}`, read(`requests/${name}.json`))(value);
    set(`/proofs/${index}`, { event_id, evidence_chain, merkle_proof } as Json)(value);
  };

function partChanges(): Draft[] {
  const everyChain = ["receipts/2/merkle_root"];
  return [
    changed(
      "verdict",
      ["receipts/2/output_hash", "receipts/2/leaf_hash", "turn_links"],
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
