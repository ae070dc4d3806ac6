// Signs the checkpoint of one seal, has it cosigned, and publishes it; and has the newest one cosigned anew.
import { equalBytes, utf8 } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { formatCheckpoint } from "../../evidence/core/log/checkpoint.ts";
import {
  coseProtectedHeader,
  coseSignatureInput,
  formatSignedRoot,
} from "../../evidence/core/log/cose-receipt.ts";
import {
  formatNote,
  type NoteKey,
  type NoteSignature,
  type SignedNote,
  signaturesBy,
} from "../../evidence/core/log/note.ts";
import { rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import type { Log } from "../ledger/log.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { Table } from "../table/table.ts";
import { requireExtends, requireTree } from "./checkpoint-guard.ts";
import { writeCheckpointProgress } from "./checkpoint-progress.ts";
import { type LogSettings, requireOwnKey } from "./log-identity.ts";
import { publishedTree } from "./log-publication.ts";
import type { PublishedRoot } from "./log-tiles.ts";
import type { OwnCheckpoint, PublishedCheckpoint, PublishedCheckpoints } from "./published-checkpoints.ts";
import type { CosignOutcome, Witnesses } from "./witnesses.ts";

/** A file of the log: the COSE signature over the root of a seal. */
const signedRootFile = (index: number): string => `signed-roots/${index}`;

export interface SigningServices {
  readonly table: Table;
  readonly roots: PublishedRoots;
  readonly log: LogSettings;
  /** Null where no policy names any. */
  readonly witnesses: Pick<Witnesses, "cosign"> | null;
  readonly clock: () => Date;
}

/** A run, which knows the log by its key, by its public checkpoints, and as it is in the table. */
export interface SigningRun extends SigningServices {
  readonly key: NoteKey;
  readonly checkpoints: PublishedCheckpoints;
  readonly metachain: Log;
}

/** The checkpoints that were signed before: the next one has to fit them. */
export interface SignedBefore {
  readonly published: PublishedCheckpoint | null;
  /** The one that the table remembers, as it was locked. */
  readonly locked: OwnCheckpoint | null;
}

interface SignedSeal {
  readonly note: SignedNote;
  readonly hasQuorum: boolean;
}

/**
 * False where another run has moved the newest checkpoint meanwhile. Throws `publication_conflict`, and signs nothing,
 * where the seal does not fit what was signed before.
 */
export async function publishCheckpoint(
  run: SigningRun,
  seal: SealRecord,
  before: SignedBefore,
): Promise<boolean> {
  const { table, roots, clock, checkpoints, metachain } = run;
  const { index } = seal.tree;
  const tree = await publishedTree(roots, seal);
  await requireTree(metachain, tree);
  for (const earlier of [before.published, before.locked]) {
    if (earlier !== null) await requireExtends(metachain, earlier.checkpoint, tree);
  }
  // A crash after the signature has changed nothing: Ed25519 gives the same one again.
  const signed = (await readStanding(run, index, tree)) ?? (await signSeal(run, index, tree, before));
  // A crash here leaves the checkpoint of the seal, with which the next run goes on.
  await publishSignedRoot(run, index, tree);
  // A crash here leaves both; the public checkpoint is still the one before.
  if (!(await checkpoints.move(formatNote(signed.note), before.published))) return false;
  // A crash here leaves a public checkpoint that the table does not remember: the next run notes it.
  const cosignedAt = signed.hasQuorum ? clock() : null;
  await writeCheckpointProgress(table, { index, size: tree.size, cosignedAt });
  return true;
}

/** Has the newest checkpoint cosigned anew. What witnesses signed before stays, unless they sign again. */
export async function refreshCheckpoint(
  run: SigningRun,
  index: number,
  published: PublishedCheckpoint,
): Promise<void> {
  const { checkpoint: tree, note } = published;
  await requireTree(run.metachain, tree);
  const own = { ...note, signatures: signaturesBy(note, run.key) };
  const { signatures, hasQuorum } = await cosign(run, own, tree, note);
  if (signatures.length === 0 && !hasQuorum) return;
  const kept = note.signatures.filter((line) => !signatures.some((newer) => isSameKey(line, newer)));
  // A crash here, or another run's move, leaves a checkpoint that the next run has cosigned again.
  if (!(await run.checkpoints.move(formatNote({ ...note, signatures: [...kept, ...signatures] }), published)))
    return;
  const cosignedAt = hasQuorum ? run.clock() : null;
  await writeCheckpointProgress(run.table, { index, size: tree.size, cosignedAt });
}

/** The checkpoint of this seal where one is published already, by a run that died or one that overlaps. */
async function readStanding(run: SigningRun, index: number, tree: PublishedRoot): Promise<SignedSeal | null> {
  const standing = await run.checkpoints.ofSeal(index);
  if (standing === null) return null;
  requireText(standing, textOf(run.key, tree), index);
  // Its witnesses may be no quorum: the next run asks them again.
  return { note: standing.note, hasQuorum: false };
}

async function signSeal(
  run: SigningRun,
  index: number,
  tree: PublishedRoot,
  { published }: SignedBefore,
): Promise<SignedSeal> {
  const { log, key, checkpoints, clock } = run;
  await requireOwnKey(key, log);
  const text = textOf(key, tree);
  const own = { keyName: key.name, keyId: key.id, signature: await log.signer.sign(utf8(text)) };
  const cosigned = await cosign(run, { text, signatures: [own] }, tree, published?.note ?? null);
  const note = formatNote({ text, signatures: [own, ...cosigned.signatures] });
  const standing = await checkpoints.publishOfSeal(index, note, clock());
  requireText(standing, text, index);
  return { note: standing.note, hasQuorum: cosigned.hasQuorum && formatNote(standing.note) === note };
}

async function publishSignedRoot(
  { log, key, roots, clock }: SigningRun,
  index: number,
  { root }: PublishedRoot,
): Promise<void> {
  await requireOwnKey(key, log);
  const header = coseProtectedHeader(key);
  const signature = await log.signer.sign(coseSignatureInput(header, root));
  await roots.publishLogFile(signedRootFile(index), formatSignedRoot(header, signature), clock());
}

const NOBODY_ASKED: CosignOutcome = { signatures: [], hasQuorum: false };

async function cosign(
  { witnesses, metachain }: SigningRun,
  note: SignedNote,
  { size }: PublishedRoot,
  previous: SignedNote | null,
): Promise<CosignOutcome> {
  if (witnesses === null) return NOBODY_ASKED;
  const prove = async (from: number): Promise<readonly Uint8Array[]> => {
    const entryAt = await metachain.entriesByIndex([from - 1]);
    return metachain.consistencyPath({ size: from, root: rootAt(entryAt(from - 1).leaf) }, size);
  };
  return witnesses.cosign({ note, size, previous, prove });
}

const textOf = (key: NoteKey, tree: PublishedRoot): string => formatCheckpoint({ origin: key.name, ...tree });

function requireText({ note, checkpoint }: OwnCheckpoint, text: string, index: number): void {
  if (note.text === text) return;
  const message = "another tree is signed already as the checkpoint of this seal";
  throw new DisclosureError("publication_conflict", message, { index, size: checkpoint.size });
}

const isSameKey = (a: NoteSignature, b: NoteSignature): boolean =>
  a.keyName === b.keyName && equalBytes(a.keyId, b.keyId);
