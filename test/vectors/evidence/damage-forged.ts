// The forged bundles of make-forged.ts: every receipt, proof, seal and token holds, and what they say together can't be.
// Until the checks `one_history`, and the order of turns that don't follow each other, verifiers believed them all.
import type { Draft } from "./edit.ts";

const ONE_HISTORY = ["one_history"];
const UNPUBLISHED = ["receipts/0/published_root"];
/** No published seal is given. */
const unmadeWith = ({
  first = [],
  second = [],
  seals = [],
  whole = [],
}: Partial<Record<"first" | "second" | "seals" | "whole", string[]>>) => [
  ...first.map((name) => `receipts/0/${name}`),
  ...UNPUBLISHED,
  ...second.map((name) => `receipts/1/${name}`),
  "receipts/1/published_root",
  ...seals.map((name) => `seals/1/${name}`),
  ...whole,
  "published_seals",
];

const HEAD = "evidence_chain";
const APART = { seals: ["previous_seal"] };

export const forgedEntries = (): Draft[] => [
  forged("honest", [], "a true history from the same workshop: two turns, two heads of a chain, two seals", {}),
  forged(
    "impossible-order",
    ["turn_links", "one_history", "chain_consistency"],
    "turn 2 at an earlier place than turn 1 and a day before it, in a tree of the chain with other receipts; every part holds by itself",
    { second: ["links", HEAD] },
  ),
  forged(
    "order-backwards",
    ["turn_links"],
    "turn 2 at an earlier place of the chain than turn 1, not next to it",
    { second: [HEAD] },
  ),
  forged(
    "time-backwards",
    ["chain_links", "turn_links", "one_history"],
    "turn 2, not next to turn 1 in the chain, issued a day before it",
    {},
  ),
  forged(
    "place-doubled",
    ["chain_links", "turn_links", "one_history", "chain_consistency"],
    "two receipts at one place of the chain, each in a tree of its own",
    { second: [HEAD] },
  ),
  forged("subtree-forked", [...ONE_HISTORY, "chain_consistency"], "the receipts 0 to 3 of the chain are others in the later tree", {
    first: [HEAD],
  }),
  forged("size-with-two-roots", ONE_HISTORY, "two trees of the chain with six receipts each, which differ", {
    first: [HEAD],
  }),
  forged("chain-shrinks", ONE_HISTORY, "the chain has eight receipts under one seal and six under the next", {
    first: [HEAD],
  }),
  forged("bounded", [], "a true history whose second turn names the seal over the first", {}),
  forged(
    "bounded-too-late",
    ["receipts/1/recorded_after"],
    "the second turn is issued a day before the token that it names",
    {},
  ),
  forged("bounded-by-another-seal", ["receipts/1/recorded_after"], "the second turn names another seal 0", {}),
  forged(
    "bounded-by-its-own-seal",
    ["receipts/1/recorded_after"],
    "the second turn names the seal that first covers it, which can't be",
    {},
  ),
  forged("number-doubled", ONE_HISTORY, "two heads of the chain, of two and of six receipts, have one number", {}),
  forged(
    "false-link",
    ["chain_links", "one_history"],
    "the second receipt does not link to the first, which the tree has before it",
    { first: [HEAD], second: ["links", HEAD] },
  ),
  forged(
    "false-link-far",
    ONE_HISTORY,
    "the second receipt does not link to the one before it, whose leaf hash only the first one's path shows",
    { first: [HEAD], second: ["links", HEAD] },
  ),
  forged("entry-with-two-heads", ONE_HISTORY, "entry 0 of the metachain is another under a later seal", APART),
  forged("seal-shrinks", ONE_HISTORY, "a later seal covers fewer entries than an earlier one", APART),
  forged("seal-older", ONE_HISTORY, "a later seal says that it was made a day before an earlier one", APART),
  forged(
    "head-under-an-earlier-seal",
    ONE_HISTORY,
    "the chain has more receipts under seal 0 than the seal 2 that first publishes a smaller tree of it",
    APART,
  ),
  forged(
    "stated-fork",
    ["chain_consistency"],
    "two trees of the chain that differ, and no subtree that both proofs show: only the path from one to the other tells",
    {},
  ),
  forged(
    "stated-fork-without-path",
    [],
    "the same without that path: what is not shown is not believed, and the bundle holds so far only",
    { whole: ["chain_consistency"] },
  ),
];

function forged(name: string, failing: string[], reason: string, unmade: Parameters<typeof unmadeWith>[0]): Draft {
  const anchors = "forged/authority.pem";
  return { file: `forged/${name}.json`, kind: "bundle", failing, unmade: unmadeWith(unmade), reason, anchors };
}
