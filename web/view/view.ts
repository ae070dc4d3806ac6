// Everything that the views of one piece of evidence are made of. A view is a pure function of it.
import type { Text } from "../../reader/text/text.ts";
import type { TokenTime } from "../../reader/times.ts";
import { anchorsOf } from "../anchors.ts";
import type { Checked, EvidenceEntry, UsedAnchor } from "../checked.ts";

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

/** True if the reader chose the certificates that timestamps are checked with. */
export const hasOwnCertificates = ({ entries }: Checked): boolean =>
  entries.some(({ kind }) => kind === "certificates");
