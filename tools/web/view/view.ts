// Everything that the views of one piece of evidence are made of. A view is a pure function of it.

import type { UsedAnchor } from "../../../evidence/reader/session/findings.ts";
import { anchorsOf } from "../../../evidence/reader/session/uses.ts";
import type { Circumstances } from "../../../evidence/reader/text/open-sentence.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import type { TokenTime } from "../../../evidence/reader/times.ts";
import { type Checked, type EvidenceEntry, hasCompanion } from "../checked.ts";

export interface View {
  readonly text: Text;
  readonly checked: Checked;
  /** The piece that is shown. */
  readonly entry: EvidenceEntry;
  /** IANA name of the reader's time zone. */
  readonly timeZone: string;
}

/** The newest timestamp that could be read; whether to believe it is another question. */
export const newestTokenTime = ({ examination: { turns, seals } }: EvidenceEntry): TokenTime | null =>
  (turns.at(-1) ?? seals.at(-1))?.tokenTime ?? null;

/** The certificates that the timestamps of this piece lead to. */
export function anchorsFor({ checked, entry }: Pick<View, "checked" | "entry">): readonly UsedAnchor[] {
  const own = anchorsOf(entry.examination);
  return checked.usedAnchors.filter(({ fingerprint }) => own.has(fingerprint));
}

/** What the page knows of the reader's circumstances, and a check does not. */
export function circumstancesOf({ checked, entry }: Pick<View, "checked" | "entry">): Circumstances {
  return {
    roots: rootsOf(checked, entry),
    hasOwnAnchors: hasCompanion(checked, "certificates"),
    verifiesTimestamps: checked.isSecure,
  };
}

function rootsOf({ isSample, metachain }: Checked, { examination }: EvidenceEntry): Circumstances["roots"] {
  if (isSample) return "sample";
  if (metachain === null) return "saved";
  return examination.unavailable === null ? "read" : "unavailable";
}
