// Everything that the views show of one examination.
import type { AnchorDescription } from "./anchors.ts";
import type { Subject } from "./documents.ts";
import type { Examination } from "./examine.ts";
import type { Stamp } from "./stamp.ts";
import type { Text } from "./text/text.ts";
import type { Verdict } from "./verdict.ts";

export interface CheckedFile {
  /** As the reader's device names it; null for pasted text. */
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  /** `sha256:` and hex, over the file's bytes. */
  readonly digest: string;
}

/** Where the trust anchors come from; `name` is the reader's file, null for pasted text. */
export type AnchorSource =
  | { readonly kind: "service" }
  | { readonly kind: "reader"; readonly name: string | null };

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
  readonly file: CheckedFile;
  readonly checkedAt: Date;
  readonly roots: ReadonlyMap<number, RootSource>;
  /** Null where there are none. */
  readonly anchors: UsedAnchors | null;
}

/** The newest timestamp that could be read. */
export const newestStamp = ({ examination: { turns, seals } }: Sheet): Stamp | null =>
  (turns.at(-1) ?? seals.at(-1))?.stamp ?? null;

/** A view is a pure function of these two. */
export interface View {
  readonly text: Text;
  readonly sheet: Sheet;
}
