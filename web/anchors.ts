// The certificates that timestamps are checked with: the reader's own if there are any, else those of the known public
// authorities, which come with the page, and those that the service names for itself.
import { describeAnchors, knownTrustAnchors } from "../reader/anchors.ts";
import type { Examination } from "../reader/examination.ts";
import type { AnchorSource, UsedAnchor } from "./checked.ts";

/** DER certificates and their origin. */
export interface Anchors {
  readonly source: AnchorSource;
  readonly der: readonly Uint8Array[];
}

/** In the order in which they are taken at their word: a known authority's before the service's. */
export async function chooseAnchors(
  given: readonly Anchors[],
  fetchService: () => Promise<readonly Uint8Array[]>,
): Promise<readonly Anchors[]> {
  if (given.length > 0) return given;
  return [
    { source: { kind: "known" }, der: knownTrustAnchors },
    { source: { kind: "service" }, der: await fetchService() },
  ];
}

/** Those that a timestamp leads to. A certificate that two sources have counts for the first of them. */
export function usedAnchors(
  anchors: readonly Anchors[],
  examinations: readonly Examination[],
): readonly UsedAnchor[] {
  const used = new Set(examinations.flatMap((examination) => [...anchorsOf(examination)]));
  const found = anchors.flatMap(({ source, der }) =>
    describeAnchors(der)
      .filter(({ fingerprint }) => used.has(fingerprint))
      .map((description) => [description.fingerprint, { ...description, source }] as const),
  );
  return [...new Map(found.toReversed()).values()].toReversed();
}

/** The fingerprints of the anchors that the timestamps of this evidence lead to. */
export function anchorsOf({ turns, seals }: Examination): ReadonlySet<string> {
  const ofTokens = [...turns, ...seals].map(({ tokenTime }) => tokenTime?.trustAnchor ?? null);
  const ofTimes = turns.flatMap(({ times }) => times.map(({ trustAnchor }) => trustAnchor));
  return new Set([...ofTokens, ...ofTimes].filter((fingerprint) => fingerprint !== null));
}
