// Whether a log shows its newest state: the sentences of audit, mirror and history on the newest quorum of witnesses, and
// on entries that are kept back.
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_MS, MINUTE_SECONDS, SECOND_MS } from "../../../contract/time.ts";
import { isOldQuorum } from "../../../evidence/core/log/open-checkpoint.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { type StyledText, yellow } from "./terminal.ts";

/** Entries follow their seals within a run or two; a log that keeps them back for longer may hide what is in them. */
export const MAX_ENTRIES_LAG_MS = 15 * MINUTE_MS;

/** The instants are RFC 3339. */
export interface Freshness {
  /** When the first seal was made whose entries are not published, as it states; null where all are. */
  readonly waitingSince: string | null;
  /** The time of the newest quorum under the reader's policy; null without one. */
  readonly quorumAt: string | null;
  /** The reader's clock. */
  readonly now: Date;
}

export const isBehind = ({ waitingSince, now }: Freshness): boolean =>
  waitingSince !== null && now.getTime() - Date.parse(waitingSince) > MAX_ENTRIES_LAG_MS;

export const isQuorumOld = ({ quorumAt, now }: Freshness): boolean =>
  quorumAt !== null && isOldQuorum(new Date(quorumAt), now);

/** What is open because of it: nothing of this is false. */
export const staleSentences = (freshness: Freshness): string[] => [
  ...(isBehind(freshness)
    ? [
        `The log has not published its entries since ${freshness.waitingSince}: what is in them can't be checked.`,
      ]
    : []),
  ...(isQuorumOld(freshness)
    ? [
        `The newest quorum of witnesses is of ${freshness.quorumAt}: this may be an old state of the log, and newer roots may be kept from you.`,
      ]
    : []),
];

/** "12 minutes ago", with the instant. */
export function quorumOf(freshness: Freshness): StyledText {
  const { quorumAt, now } = freshness;
  if (quorumAt === null) return yellow("none");
  const text = `${ageOf(quorumAt, now)} ago, ${quorumAt}`;
  return isQuorumOld(freshness) ? yellow(text) : text;
}

/** In the largest unit that gives at least 2. */
export function ageOf(instant: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(instant)) / SECOND_MS));
  const units = [
    [DAY_SECONDS, "day"],
    [HOUR_SECONDS, "hour"],
    [MINUTE_SECONDS, "minute"],
  ] as const;
  const [size, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, "second"];
  return count(Math.floor(seconds / size), unit);
}
