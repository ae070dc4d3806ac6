// The state of the signed log: its name, its newest checkpoint, and what each witness of the policy cosigned last.
import { CHECKPOINT_PATH, checkpointPath } from "../../contract/metachain-paths.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { LogName } from "../../evidence/core/formats/metachain.ts";
import { parseNoteKey } from "../../evidence/core/log/note.ts";
import { type OpenedCheckpoint, openCheckpoint } from "../../evidence/core/log/open-checkpoint.ts";
import { parsePolicy, policyOfLog, type TlogPolicy } from "../../evidence/core/log/tlog-policy.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { SealRecords } from "../seals/seal-records.ts";

/** The checkpoints of earlier seals that are looked through for a witness that is missing in the newest. */
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
}

export interface LogStatusServices {
  readonly roots: PublishedRoots;
  readonly seals: SealRecords;
  /** The text of the deployment's tlog-policy; null where it asks no witness. */
  readonly witnessPolicy: string | null;
}

/** Null before the log has a name: its key has not answered yet. `name` is that of the public head. */
export async function readLogStatus(
  services: LogStatusServices,
  name: LogName | null,
): Promise<LogStatus | null> {
  if (name === null) return null;
  const { origin, vkey } = name;
  const { roots, witnessPolicy } = services;
  const own = policyOfLog(parseNoteKey(vkey));
  const policy = witnessPolicy === null ? own : { ...parsePolicy(witnessPolicy), logs: own.logs };
  const stored = await roots.files.text(CHECKPOINT_PATH);
  const opened = stored === null ? null : await openOrFault(stored.text, policy);
  if (opened === null || typeof opened === "string") {
    return { origin, vkey, checkpoint: null, fault: opened, witnesses: [] };
  }
  const seal = await services.seals.over(opened.checkpoint.size - 1);
  const checkpoint = describe(opened, seal, witnessPolicy !== null);
  const witnesses = await readWitnesses(services, policy, { opened, seal });
  return { origin, vkey, checkpoint, fault: null, witnesses };
}

/** A text is the reason why it does not hold. */
async function openOrFault(note: string, policy: TlogPolicy): Promise<OpenedCheckpoint | string> {
  try {
    return await openCheckpoint(note, policy);
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

interface NewestCheckpoint {
  readonly opened: OpenedCheckpoint;
  readonly seal: SealRecord | null;
}

/** Looks from the newest checkpoint back until every witness is found, or far enough. */
async function readWitnesses(
  { roots }: LogStatusServices,
  policy: TlogPolicy,
  { opened, seal }: NewestCheckpoint,
): Promise<WitnessStatus[]> {
  const found = new Map<string, WitnessStatus>();
  note(found, opened);
  const newest = seal?.tree.index ?? 0;
  for (let index = newest; index >= 0 && index > newest - MAX_EARLIER; index--) {
    if (found.size === policy.witnesses.length) break;
    const stored = await roots.files.text(checkpointPath(index));
    const earlier = stored === null ? null : await openOrFault(stored.text, policy);
    if (earlier !== null && typeof earlier !== "string") note(found, earlier);
  }
  return policy.witnesses.map(({ name }) => found.get(name) ?? { witness: name, size: null, time: null });
}

function note(found: Map<string, WitnessStatus>, { checkpoint, cosignatures }: OpenedCheckpoint): void {
  for (const { witness, time } of cosignatures) {
    if (found.has(witness)) continue;
    found.set(witness, { witness, size: checkpoint.size, time: time.toISOString() });
  }
}
