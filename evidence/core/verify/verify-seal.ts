// Verification of a published seal: it extends the one before it, and its root is timestamped.

import type { Seal, TsaTimestamp } from "../formats/metachain.ts";
import { parseNode } from "../merkle/hash.ts";
import { verifyConsistency } from "../merkle/merkle-proof.ts";
import { countAuthorities } from "../timestamps/seal-authorities.ts";
import { type Finding, fail, holds, runSteps, type Step, unchecked, type Verification } from "./check.ts";
import { checkTimestamp, type ReaderTime } from "./verify-timestamp.ts";

export interface SealKnowledge extends ReaderTime {
  /** The seal before this one, as it is published. */
  readonly previous?: Seal;
}

interface SealSubject extends SealKnowledge {
  readonly seal: Seal;
}

const STEPS: readonly Step<SealSubject>[] = [
  ["previous_seal", checkPrevious],
  ["consistency", checkConsistency],
  ["timestamp", (subject) => checkSealTimestamp(subject, subject.seal.tsa_timestamp)],
  ["additional_timestamps", checkAdditional],
];

/** `seal` is as `sealSchema` reads it. `receipt_count` is the service's own statement: nothing public proves it. */
export function verifySeal(seal: Seal, knowledge: SealKnowledge = {}): Promise<Verification> {
  return runSteps(STEPS, { ...knowledge, seal });
}

function checkPrevious({ seal, previous }: SealSubject): Finding {
  if ((seal.index === 0) !== (seal.previous_root === null)) fail("only the first seal has no previous root");
  if ((seal.index === 0) !== (seal.previous_tree_size === 0))
    fail("only the first seal has nothing before it");
  if (seal.index === 0) return holds("the first seal");
  if (previous === undefined) return unchecked("not_given", "the seal before was not given");
  if (previous.index !== seal.index - 1) fail("the seals do not follow each other");
  if (previous.merkle_root !== seal.previous_root) fail("the seal before has another root");
  if (previous.tree_size !== seal.previous_tree_size) fail("the seal before has another size");
  if (previous.sealed_at > seal.sealed_at) fail("the seal before is younger");
  return holds(`follows seal ${previous.index}`);
}

function checkConsistency({ seal }: SealSubject): Finding {
  const { previous_root, previous_tree_size, tree_size, merkle_root, consistency_path } = seal;
  if (previous_root === null) {
    if (consistency_path.length > 0) fail("the first seal has nothing to be consistent with");
    return holds("the first seal");
  }
  const path = consistency_path.map(parseNode);
  verifyConsistency(previous_tree_size, tree_size, path, parseNode(previous_root), parseNode(merkle_root));
  return holds(`the tree of ${tree_size} extends that of ${previous_tree_size}`);
}

async function checkAdditional(subject: SealSubject): Promise<Finding> {
  const { seal, trustAnchors = [], now } = subject;
  const { additional_timestamps: timestamps } = seal;
  if (timestamps.length === 0) return holds("none");
  const findings = await Promise.all(timestamps.map((timestamp) => checkSealTimestamp(subject, timestamp)));
  const open = findings.find((finding) => !("holds" in finding));
  if (open !== undefined) return open;
  // Five copies of one token are one authority's word.
  const authorities = await countAuthorities(seal, { trustAnchors, now });
  return holds(`${findings.length} more hold; authorities in all: ${authorities}`);
}

const checkSealTimestamp = (subject: SealSubject, timestamp: TsaTimestamp): Promise<Finding> => {
  const { merkle_root: root, sealed_at: notBefore } = subject.seal;
  return checkTimestamp({ ...subject, root, timestamp, notBefore });
};
