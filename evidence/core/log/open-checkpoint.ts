// Opens a signed checkpoint under a reader's policy: by which of its logs it is, and which of its witnesses cosigned it.
import { HOUR_MS } from "../../../contract/time.ts";
import { DisclosureError } from "../errors.ts";
import { type Checkpoint, parseCheckpoint, verifySignaturesBy } from "./checkpoint.ts";
import { commonWitnesses } from "./common-witnesses.ts";
import { type NoteKey, parseNote } from "./note.ts";
import { isQuorum, type TlogPolicy } from "./tlog-policy.ts";

/**
 * A log has its newest checkpoint cosigned anew every hour while nothing is sealed, and in every run while a quorum is
 * missing. The two hours beyond are for an outage of witnesses; a log without a quorum for longer may show an old tree.
 */
export const MAX_QUORUM_AGE_MS = 3 * HOUR_MS;

export const isOldQuorum = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > MAX_QUORUM_AGE_MS;

/** A witness's word that, at this time, no larger tree of the log was known to it. */
export interface Cosignature {
  /** The witness by its name in the policy. */
  readonly witness: string;
  readonly time: Date;
}

/** A checkpoint that a log of the policy has signed. */
export interface OpenedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly log: NoteKey;
  /** One a witness, the newest that counts. */
  readonly cosignatures: readonly Cosignature[];
  /** True where these cosignatures make the quorum that the policy asks for. */
  readonly hasQuorum: boolean;
  /** Witnesses that make the quorum signed at this time or later; null without it, and where the policy asks for none. */
  readonly quorumAt: Date | null;
  /** Cosignatures that hold and are of a time after `latest`: they count for nobody. */
  readonly ahead: readonly Cosignature[];
  /** How many of the policy's witnesses must lie for a second log with the quorum; see `commonWitnesses`. */
  readonly liars: number;
}

/**
 * Throws `malformed` for what is no checkpoint, and `proof_invalid` where no log of the policy signed it under its own
 * origin, or a signature under a known key does not hold. A missing quorum is told and not thrown: the reader decides.
 * A cosignature of a time after `latest` does not count: it would pass for fresh until then. Without it all count.
 */
export async function openCheckpoint(
  note: string,
  policy: TlogPolicy,
  latest?: Date,
): Promise<OpenedCheckpoint> {
  const signed = parseNote(note);
  const checkpoint = parseCheckpoint(signed.text);
  const log = await findLog(signed, checkpoint, policy);
  const cosignatures: Cosignature[] = [];
  const ahead: Cosignature[] = [];
  for (const { name, key } of policy.witnesses) {
    const times = (await verifySignaturesBy(signed, key)).filter((time) => time !== null);
    const isAhead = (time: Date) => latest !== undefined && time > latest;
    ahead.push(...times.filter(isAhead).map((time) => ({ witness: name, time })));
    const newest = newestOf(times.filter((time) => !isAhead(time)));
    if (newest !== null) cosignatures.push({ witness: name, time: newest });
  }
  const hasQuorum = isQuorum(policy, new Set(cosignatures.map(({ witness }) => witness)));
  const quorumAt = quorumTime(policy, cosignatures);
  return { checkpoint, log, cosignatures, hasQuorum, quorumAt, ahead, liars: commonWitnesses(policy) };
}

const newestOf = (times: readonly Date[]): Date | null =>
  times.reduce<Date | null>((a, b) => (a === null || b > a ? b : a), null);

/** A quorum is as old as the oldest cosignature that it needs. */
function quorumTime(policy: TlogPolicy, cosignatures: readonly Cosignature[]): Date | null {
  if (policy.quorum === null) return null;
  const names = new Set<string>();
  const newestFirst = cosignatures.toSorted((a, b) => b.time.getTime() - a.time.getTime());
  return newestFirst.find(({ witness }) => isQuorum(policy, names.add(witness)))?.time ?? null;
}

/** The origin is the name of the log's key: otherwise a key would vouch for the tree of another log. */
async function findLog(
  signed: ReturnType<typeof parseNote>,
  { origin }: Checkpoint,
  { logs }: TlogPolicy,
): Promise<NoteKey> {
  if (!logs.some(({ key }) => key.name === origin)) {
    throw new DisclosureError("proof_invalid", "the policy knows no log of the checkpoint's origin", {
      origin,
    });
  }
  // Another log's line says nothing of this tree, but must hold too: it is by a key that the reader knows.
  const signatures = await Promise.all(logs.map(({ key }) => verifySignaturesBy(signed, key)));
  const log = logs.find(({ key }, i) => key.name === origin && (signatures[i] ?? []).length > 0)?.key;
  if (log !== undefined) return log;
  throw new DisclosureError("proof_invalid", "no log of the policy signed the checkpoint", { origin });
}
