// Everything that an evidence sheet is made of.
import type { AnchorDescription } from "../anchors.ts";
import type { Document, Evidence } from "../evidence.ts";
import type { Examination } from "../examination.ts";
import { cutText, localTime, utcTime } from "../text/format.ts";
import type { Language } from "../text/languages.ts";
import type { Text } from "../text/text.ts";
import type { Verdict } from "../verdict.ts";
import { node, type SheetElement } from "./node.ts";

/** A file that took part. */
export interface SheetFile {
  /** Null for pasted text. */
  readonly name: string | null;
  readonly kind: Document["kind"] | "history";
  /** Bytes. */
  readonly size: number;
  /** `sha256:` and hex, over the file's bytes. */
  readonly digest: string;
}

export interface SheetInputs {
  readonly evidence: Evidence;
  readonly examination: Examination;
  readonly files: readonly SheetFile[];
  /** The request behind a receipt, where one that belongs to it was given. */
  readonly request: unknown;
  /** The certificates that the timestamps lead to. */
  readonly anchors: readonly AnchorDescription[];
  /** Sentences on what makes the result weaker than it looks, in the sheet's language; absent where the program knows none. */
  readonly caveats?: readonly string[];
  /** Where published roots were read; null where they were not. */
  readonly source: string | null;
  readonly checkedAt: Date;
  /** IANA name of the reader's time zone. */
  readonly timeZone: string;
  /** Name and version of the program. */
  readonly program: string;
  readonly language: Language;
}

/** Everything that the parts of a sheet are made of. */
export interface Sheet extends SheetInputs {
  readonly verdict: Verdict;
  readonly text: Text;
}

/** UTC first, since everybody can compare that; then the reader's own time. */
export function timeOf({ text, timeZone }: Pick<Sheet, "text" | "timeZone">, instant: string): SheetElement {
  const local = localTime(text.locale, instant, timeZone);
  const utc = node("time", { datetime: cutText(instant) }, utcTime(text.locale, instant));
  return node("div", {}, utc, local === null ? null : ` (${local})`);
}
