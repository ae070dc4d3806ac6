// The sentences of audit and mirror on a log's signatures.
import { commonWitnesses } from "../../../evidence/core/log/common-witnesses.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import type { WrittenFork } from "../files/fork-file.ts";
import { uncoveredSeals, type WalkedCheckpoints } from "../metachain/checkpoint-walk.ts";
import type { LogKeys } from "../metachain/log-keys.ts";

export const isVerified = ({ policy, trusted }: LogKeys): boolean => policy !== null && trusted === null;

/** True where the reader's policy has a quorum: only then is its age known. */
export const asksWitnesses = ({ policy }: LogKeys): boolean => policy !== null && policy.quorum !== null;

/** Without a key of the reader's, the first one that the log named is taken on trust. */
export function checkpointsSentence(walked: WalkedCheckpoints, keys: LogKeys): string {
  const { first, signed, cosigned } = walked;
  if (first === null) return "none: the log has not signed these roots";
  const uncovered = uncoveredSeals(walked);
  const last = uncovered === 0 ? "" : `, but not ${count(uncovered, "root")} at the end`;
  const held = `${count(signed, "root is", "roots are")} signed, from root ${first} on${last}`;
  if (keys.policy === null) return `${held}; not verified, since neither you nor the log name its key`;
  if (keys.trusted !== null) return `${held}, by the key that the log itself names`;
  if (keys.policy.quorum === null) return held;
  const excludes = commonWitnesses(keys.policy) > 0 ? "" : ", which does not exclude a second log";
  return `${held}; ${cosigned} with the quorum of your policy${excludes}`;
}

/** Says what a written fork is, and what to do with it. */
export const forkSentence = ({ file, origin }: WrittenFork): string =>
  `The log ${origin} signed two histories that contradict each other. ${file} proves it to everybody who has the log's key: keep it, and hand it on.`;
