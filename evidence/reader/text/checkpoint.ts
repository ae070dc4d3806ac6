// A signed checkpoint in a reader's words: which log signed the root, and which witnesses had seen no other by when.
import type { ShownCheckpoint } from "../checkpoints.ts";
import { utcTime } from "./format.ts";
import type { Text } from "./text.ts";

/** None where no checkpoint was shown. The names are those of the reader's policy. */
export function describeCheckpoint(text: Text, shown: ShownCheckpoint | null): string[] {
  if (shown === null) return [];
  const { log } = text.facts;
  const signed = log[shown.isLater ? "signedLater" : "signed"](shown.origin, shown.treeSize);
  if (shown.cosignatures.length === 0) return [signed];
  const words = shown.cosignatures.map(({ witness, time }) =>
    log.cosigned(witness, utcTime(text.locale, time)),
  );
  const sentences = [signed, log.cosignatures(words.join(", "))];
  return [(shown.hasQuorum ? [...sentences, log.liars(shown.liars)] : sentences).join(" ")];
}
