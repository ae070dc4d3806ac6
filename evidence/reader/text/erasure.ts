// Says in one sentence what a report, or a bundle, tells of an erasure. It is the operator's word: no check rests on it.
import type { Erasure } from "../../core/formats/erasure.ts";
import type { Evidence } from "../evidence.ts";
import { cutText, utcTime } from "./format.ts";
import type { Text } from "./text.ts";

/** Each tombstone once; none where nothing was erased. */
export function describeErasures(text: Text, evidence: Evidence): string[] {
  const sentences = erasuresOf(evidence).map(({ erased_at, erased_by, ground }) =>
    text.facts.erasedBy(utcTime(text.locale, erased_at), cutText(erased_by), text.facts.grounds[ground]),
  );
  return [...new Set(sentences)];
}

function erasuresOf(evidence: Evidence): readonly Erasure[] {
  if (evidence.kind === "seal") return [];
  if (evidence.kind === "bundle")
    return (evidence.bundle.erasures ?? []).filter((erasure) => erasure !== null);
  const { erasure } = evidence.receipt;
  return erasure === undefined ? [] : [erasure];
}
