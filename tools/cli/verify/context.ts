// The reader's language, clock and circumstances, from which the sentences about a file are made.
import type { OpenedSession } from "../../../evidence/reader/session/opened-session.ts";
import type { Circumstances } from "../../../evidence/reader/text/open-sentence.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";

export interface ReportContext {
  readonly text: Text;
  /** RFC 3339. */
  readonly now: string;
  /** How far the reader let this program look. */
  readonly roots: Extract<Circumstances["roots"], "read" | "not_asked" | "offline">;
}

export const circumstancesOf = ({ roots }: ReportContext, { anchors }: OpenedSession): Circumstances => ({
  roots,
  hasOwnAnchors: anchors.some(({ source }) => source.kind === "reader"),
  verifiesTimestamps: true,
});
