// The result of examining one piece of evidence: its checks, sorted by the part that they are about, and its times.
// Plain data, which survives being posted between threads and written as JSON.

import type { ReceiptEvidence } from "../core/formats/evidence.ts";
import type { Seal } from "../core/formats/metachain.ts";
import type { ProvenTime } from "../core/timestamps/proven-time.ts";
import type { Check, PlacedCheck } from "../core/verify/check.ts";
import type { ShownCheckpoint } from "./checkpoints.ts";
import type { Evidence } from "./evidence.ts";
import type { TokenTime } from "./times.ts";
import type { ShownWording } from "./wording.ts";

/** One receipt of what was examined; a lone receipt is a conversation's only known turn. */
export interface ExaminedTurn {
  readonly evidence: ReceiptEvidence;
  readonly checks: readonly Check[];
  /** True where it follows the turn before; null for the first turn that is there. */
  readonly follows: boolean | null;
  /** The time of its own token, as far as that can be read, or else of the one that renews it. */
  readonly tokenTime: TokenTime | null;
  /** Every time that is proved of it, and by which authority; none where a timestamp does not hold. */
  readonly times: readonly ProvenTime[];
  /** The time of the token after which it was recorded; null where it names none, or that is not proven. */
  readonly recordedAfter: ProvenTime | null;
  /** The signed checkpoint that holds of its root; null where that is not shown, or the reader has no policy. */
  readonly checkpoint: ShownCheckpoint | null;
  /** The wording that its digest names; null where no layer that the reader has knows it. */
  readonly wording: ShownWording | null;
}

export interface ExaminedSeal {
  readonly seal: Seal;
  readonly checks: readonly Check[];
  readonly tokenTime: TokenTime | null;
  /** As that of a turn; null for a bundle's copies. */
  readonly checkpoint: ShownCheckpoint | null;
}

export interface Examination {
  readonly kind: Evidence["kind"];
  readonly turns: readonly ExaminedTurn[];
  /** The bundle's own copies of the published roots, or the one root that is examined. */
  readonly seals: readonly ExaminedSeal[];
  /** Checks that are about all of it. */
  readonly whole: readonly Check[];
  /** The reason why the published roots could not be read and compared; null where they were, or none was asked for. */
  readonly unavailable: string | null;
}

/** Every check. The parts of a bundle have places; a lone receipt or root is the whole. */
export function placedChecks({ kind, turns, seals, whole }: Examination): PlacedCheck[] {
  const placed = (list: string, parts: readonly { readonly checks: readonly Check[] }[]) =>
    parts.flatMap(({ checks }, i) =>
      checks.map((check) => ({ ...check, place: kind === "bundle" ? `${list}/${i}` : "" })),
    );
  return [
    ...placed("receipts", turns),
    ...placed("seals", seals),
    ...whole.map((check) => ({ ...check, place: "" })),
  ];
}
