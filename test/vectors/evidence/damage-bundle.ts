// The bundles of the index: one conversation of four turns, and each thing that can be wrong between its parts.
import { CONVERSATION, UNMADE, changed, context, everywhere } from "./damage-bundle-base.ts";
import { partEntries } from "./damage-bundle-parts.ts";
import { all, at, change, type Edit, type Draft, type Json, read, remove, set, swap } from "./edit.ts";

export function bundleEntries(): Draft[] {
  return [...goodBundles(), ...orderChanges(), ...boundChanges(), ...partEntries()];
}

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

const withoutPublished = ({ published: _published, ...row }: Draft): Draft => row;

/** The seals after which the receipts were recorded. */
function boundChanges(): Draft[] {
  return [
    changed(
      "recorded_after-goes-back",
      ["receipts/3/leaf_hash", "chain_links", "turn_links"],
      "a later receipt of the chain names an older seal than an earlier one",
      (value) => {
        set("/receipts/3/recorded_after", at(value, "/receipts/1/recorded_after"))(value);
      },
    ),
    changed(
      "recorded_after-withdrawn",
      ["receipts/3/leaf_hash", "chain_links", "turn_links"],
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
      ["receipts/1/evidence_chain", "chain_consistency"],
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
