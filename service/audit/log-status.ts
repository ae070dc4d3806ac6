// The state of the signed log: its name, its newest checkpoint, and what each witness of the policy cosigned last.
import { CHECKPOINT_PATH, checkpointPath } from "../../contract/metachain-paths.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { LogName } from "../../evidence/core/formats/metachain.ts";
import { parseNoteKey } from "../../evidence/core/log/note.ts";
import {
  type Cosignature,
  type OpenedCheckpoint,
  openCheckpoint,
} from "../../evidence/core/log/open-checkpoint.ts";
import { parsePolicy, policyOfLog, type TlogPolicy } from "../../evidence/core/log/tlog-policy.ts";
import { latestCosignature } from "../../evidence/core/verify/verify-checkpoint.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { SealRecords } from "../seals/seal-records.ts";

/** The checkpoints of earlier seals that are looked through for a witness or a quorum that is missing in the newest. */
const MAX_EARLIER = 16;

/** The last cosignature of a witness that was found; nulls where there was none in these checkpoints. */
export interface WitnessStatus {
  /** Its name in the policy. */
  readonly witness: string;
  readonly size: number | null;
  /** RFC 3339. */
  readonly time: string | null;
}

export interface CheckpointStatus {
  readonly size: number;
  /** When the seal of this size was made, RFC 3339; null where the table has no such seal. */
  readonly sealedAt: string | null;
  /** Null where the deployment asks no witness. */
  readonly hasQuorum: boolean | null;
}

export interface LogStatus {
  readonly origin: string;
  readonly vkey: string;
  /** The newest that is published; null before the first, and where it does not hold. */
  readonly checkpoint: CheckpointStatus | null;
  /** The reason why the published checkpoint does not hold, or null. */
  readonly fault: string | null;
  readonly witnesses: readonly WitnessStatus[];
  /** The time of the newest quorum that was found, RFC 3339; null where there is none in these checkpoints. */
  readonly quorumAt: string | null;
  /** Cosignatures of the newest checkpoint whose time is ahead of the clock: they count for nobody. */
  readonly ahead: readonly WitnessStatus[];
}

export interface LogStatusServices {
  readonly roots: PublishedRoots;
  readonly seals: SealRecords;
  /** The text of the deployment's tlog-policy; null where it asks no witness. */
  readonly witnessPolicy: string | null;
  readonly clock: () => Date;
}

export type CheckpointSource = Pick<LogStatusServices, "roots" | "clock">;

/** Null before the log has a name: its key has not answered yet. `name` is that of the public head. */
export async function readLogStatus(
  services: LogStatusServices,
  name: LogName | null,
): Promise<LogStatus | null> {
  if (name === null) return null;
  const { origin, vkey } = name;
  const { witnessPolicy } = services;
  const policy = policyFor(name, witnessPolicy === null ? null : parsePolicy(witnessPolicy));
  const opened = await openOrFault(services, CHECKPOINT_PATH, policy);
  if (opened === null || typeof opened === "string") {
    return { origin, vkey, checkpoint: null, fault: opened, witnesses: [], quorumAt: null, ahead: [] };
  }
  const seal = await services.seals.over(opened.checkpoint.size - 1);
  const checkpoint = describe(opened, seal, witnessPolicy !== null);
  const found = await lookBack(services, policy, { opened, index: seal?.tree.index ?? 0 });
  const ahead = opened.ahead.map((cosignature) => statusOf(opened, cosignature));
  return { origin, vkey, checkpoint, fault: null, ...found, ahead };
}

/** The witnesses that a deployment asks, for the log of this name. */
export function policyFor({ vkey }: LogName, witnesses: TlogPolicy | null): TlogPolicy {
  const own = policyOfLog(parseNoteKey(vkey));
  return witnesses === null ? own : { ...witnesses, logs: own.logs };
}

/** Null where there is none; a text is the reason why it does not hold. */
export async function openOrFault(
  { roots, clock }: CheckpointSource,
  path: string,
  policy: TlogPolicy,
): Promise<OpenedCheckpoint | string | null> {
  const stored = await roots.files.text(path);
  if (stored === null) return null;
  try {
    return await openCheckpoint(stored.text, policy, latestCosignature(clock()));
  } catch (error) {
    if (isDisclosureError(error)) return error.message;
    throw error;
  }
}

function describe(
  { checkpoint: { size }, hasQuorum }: OpenedCheckpoint,
  seal: SealRecord | null,
  isWitnessed: boolean,
): CheckpointStatus {
  const isOfSeal = seal?.tree.tree_size === size;
  return { size, sealedAt: isOfSeal ? seal.tree.sealed_at : null, hasQuorum: isWitnessed ? hasQuorum : null };
}

export interface NewestCheckpoint {
  readonly opened: OpenedCheckpoint;
  /** The seal to look back from. */
  readonly index: number;
}

/** The newest checkpoint, then those of earlier seals, as far as they are looked through. What does not hold is left out. */
export async function* backFrom(
  services: CheckpointSource,
  policy: TlogPolicy,
  { opened, index: newest }: NewestCheckpoint,
): AsyncGenerator<OpenedCheckpoint> {
  yield opened;
  for (let index = newest; index >= 0 && index > newest - MAX_EARLIER; index--) {
    const earlier = await openOrFault(services, checkpointPath(index), policy);
    if (earlier !== null && typeof earlier !== "string") yield earlier;
  }
}

/** Looks back until every witness and a quorum are found. */
async function lookBack(
  services: CheckpointSource,
  policy: TlogPolicy,
  newest: NewestCheckpoint,
): Promise<Pick<LogStatus, "witnesses" | "quorumAt">> {
  const found = new Map<string, WitnessStatus>();
  let quorumAt: Date | null = null;
  for await (const opened of backFrom(services, policy, newest)) {
    note(found, opened);
    quorumAt ??= opened.quorumAt;
    if (found.size === policy.witnesses.length && (quorumAt !== null || policy.quorum === null)) break;
  }
  const witnesses = policy.witnesses.map(
    ({ name }) => found.get(name) ?? { witness: name, size: null, time: null },
  );
  return { witnesses, quorumAt: quorumAt?.toISOString() ?? null };
}

function note(found: Map<string, WitnessStatus>, opened: OpenedCheckpoint): void {
  for (const cosignature of opened.cosignatures)
    if (!found.has(cosignature.witness)) found.set(cosignature.witness, statusOf(opened, cosignature));
}

const statusOf = ({ checkpoint }: OpenedCheckpoint, { witness, time }: Cosignature): WitnessStatus => ({
  witness,
  size: checkpoint.size,
  time: time.toISOString(),
});
