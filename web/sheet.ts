// Everything that the views show of one examination.
import { type AnchorDescription, describeAnchors } from "../reader/anchors.ts";
import type { Subject } from "./documents.ts";
import type { Examination } from "./examine.ts";
import type { Stamp } from "../reader/times.ts";
import type { Text } from "../reader/text/text.ts";
import type { AnchorSource, Anchors } from "./trust.ts";
import type { Verdict } from "../reader/verdict.ts";

export interface CheckedFile {
  /** As the reader's device names it; null for pasted text. */
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  /** `sha256:` and hex, over the file's bytes. */
  readonly digest: string;
}

/** What timestamps were checked against; of many, only the one that the newest token leads to. */
export interface UsedAnchors {
  readonly source: AnchorSource;
  readonly certificates: readonly AnchorDescription[];
}

/** Where a published root comes from that the evidence was compared with. */
export type RootSource = "published" | "added";

export interface Sheet {
  readonly subject: Subject;
  readonly examination: Examination;
  readonly verdict: Verdict;
  /** Several where they are the pages of one conversation. */
  readonly files: readonly CheckedFile[];
  readonly checkedAt: Date;
  readonly roots: ReadonlyMap<number, RootSource>;
  /** Null where there are none. */
  readonly anchors: UsedAnchors | null;
}

/** The newest timestamp that could be read. */
export const newestStamp = ({ turns, seals }: Examination): Stamp | null =>
  (turns.at(-1) ?? seals.at(-1))?.stamp ?? null;

export function describeUsed({ source, der }: Anchors, examination: Examination): UsedAnchors {
  const certificates = describeAnchors(der);
  const used = certificates.filter(
    ({ fingerprint }) => fingerprint === newestStamp(examination)?.trustAnchor,
  );
  return { source, certificates: used.length > 0 || source.kind === "known" ? used : certificates };
}

/** A view is a pure function of these two. */
export interface View {
  readonly text: Text;
  readonly sheet: Sheet;
}
