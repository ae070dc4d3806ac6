// The progress of an audit, in a file, so that the next one goes on from there. It holds the last root that was seen:
// a log that was rewritten between two audits can't extend it. The labels of the walked entries are in a file beside, appended
// to as the audit goes on: a year of them is 17 MB, too much to be written anew every two seconds.
import { open } from "node:fs/promises";
import * as z from "zod";
import { canonicalize, parseJson } from "../../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { type Metachain, type Seal, sealSchema } from "../../../evidence/core/formats/metachain.ts";
import { MAX_PATH_LENGTH, nodeSchema } from "../../../evidence/core/formats/shapes.ts";
import { formatTreeLeaf, parseTreeLeaf, treeLeafSchema } from "../../../evidence/core/formats/tree-leaf.ts";
import { LABEL_BYTES } from "../../../evidence/core/log/entry.ts";
import type { WalkState } from "../../../evidence/core/log/log-walk.ts";
import type { TlogPolicy } from "../../../evidence/core/log/tlog-policy.ts";
import { formatDigest, formatNode, hashBytes, parseNode } from "../../../evidence/core/merkle/hash.ts";
import { isObject } from "../../../evidence/reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { exists, readBytes } from "../files/read-file.ts";
import { replaceFile } from "../files/write-file.ts";
import {
  NO_CHECKPOINTS,
  type WalkedCheckpoints,
  walkedCheckpointsSchema,
} from "../metachain/checkpoint-walk.ts";
import { policyDigest } from "../metachain/log-keys.ts";
import { type PublishedLayer, publishedLayerSchema } from "../metachain/published-policy.ts";
import { emptyTally, type Tally, tallySchema } from "./audit-tally.ts";

const FORMAT = "disclosure-receipts audit 1";

/** A tile has 255 hashes at most before it is full. */
const MAX_TILE_HASHES = 255;
const walkSchema = z.object({
  leaf: treeLeafSchema.nullable(),
  upper: z.array(z.array(nodeSchema).max(MAX_TILE_HASHES)).max(MAX_PATH_LENGTH),
});
const progressSchema = z.object({
  next: z.int().min(0),
  last: sealSchema.nullable(),
  tally: tallySchema,
  walk: walkSchema,
  checkpoints: walkedCheckpointsSchema,
  layers: z.array(publishedLayerSchema),
});

export interface AuditState {
  readonly format: typeof FORMAT;
  readonly metachain: string;
  /** Fingerprints: with other trust anchors, other tokens would hold than those counted so far. */
  readonly trust_anchors: readonly string[];
  /** A digest of the reader's log policy, under which checkpoints were counted; null where there was none. */
  readonly log_policy: string | null;
  /** The next root to visit. */
  next: number;
  /** The last root that was there. */
  last: Seal | null;
  readonly tally: Tally;
  /** The walk over the entries, at the end of a tile; their labels are in the file beside. */
  walk: z.infer<typeof walkSchema>;
  checkpoints: WalkedCheckpoints;
  /** The layers of the wording policy that were listed at some audit. */
  layers: readonly PublishedLayer[];
}

/** The number of entries that the walk has read. */
export const walkedEntries = ({ walk: { leaf } }: AuditState): number =>
  leaf === null ? 0 : leaf.leaf_index + 1;

export const readWalk = ({ walk: { leaf, upper } }: AuditState): WalkState => ({
  leaf: leaf && parseTreeLeaf(leaf),
  upper: upper.map((hashes) => hashes.map(parseNode)),
});

export const formatWalk = ({ leaf, upper }: WalkState): AuditState["walk"] => ({
  leaf: leaf && formatTreeLeaf(leaf),
  upper: upper.map((hashes) => hashes.map(formatNode)),
});

export const newAuditState = (
  metachain: string,
  trustAnchors: readonly Uint8Array[],
  policy: TlogPolicy | null,
): AuditState => ({
  format: FORMAT,
  metachain,
  trust_anchors: trustAnchors.map((der) => formatDigest(hashBytes(der))).sort(),
  log_policy: policy && policyDigest(policy),
  next: 0,
  last: null,
  tally: emptyTally(),
  walk: { leaf: null, upper: [] },
  checkpoints: NO_CHECKPOINTS,
  layers: [],
});

/** The state in the file, or `fresh` where there is none. Throws `malformed` for that of another audit. */
export async function readAuditState(path: string, fresh: AuditState): Promise<AuditState> {
  if (!(await exists(path))) return fresh;
  const state = await naming(path, async () => parseJson(await readBytes(path, MAX_FILE_BYTES)));
  if (!isObject(state) || state.format !== FORMAT) throw refusal(`${path} is not the state of an audit`);
  if (state.metachain !== fresh.metachain)
    throw refusal(`${path} belongs to an audit of another metachain; begin a new one with another --state`);
  if (JSON.stringify(state.trust_anchors) !== JSON.stringify(fresh.trust_anchors)) {
    throw refusal(
      `${path} belongs to an audit with other certificates; begin a new one with another --state`,
    );
  }
  if (state.log_policy !== fresh.log_policy)
    throw refusal(
      `${path} belongs to an audit with another log policy; begin a new one with another --state`,
    );
  const known = progressSchema.safeParse(state);
  if (!known.success) throw refusal(`${path} is damaged; remove it, and the audit begins anew`);
  return { ...fresh, ...known.data };
}

/** True if the last root that was seen is the one that the head names as the newest. */
export const isHeadLast = ({ last, next }: AuditState, { size, latest }: Metachain): boolean =>
  next === size && canonicalize(latest) === canonicalize(last);

export const writeAuditState = (path: string, state: AuditState): Promise<void> =>
  replaceFile(path, `${JSON.stringify(state, null, 2)}\n`);

const refusal = (message: string): DisclosureError => new DisclosureError("malformed", message);

/** Thirty years of news every minute. */
const MAX_LABELS_BYTES = 512 * 1024 * 1024;

export const labelsFile = (statePath: string): string => `${statePath}.labels`;

/** The labels of the first `count` entries; a killed audit may have left more. Throws `malformed` where they are fewer. */
export async function readLabels(path: string, count: number): Promise<Uint8Array> {
  if (count === 0) return new Uint8Array();
  const bytes = (await exists(path)) ? await readBytes(path, MAX_LABELS_BYTES) : new Uint8Array();
  if (bytes.length >= count * LABEL_BYTES) return bytes.subarray(0, count * LABEL_BYTES);
  throw new DisclosureError(
    "malformed",
    `${path} is damaged; remove the state file, and the audit begins anew`,
  );
}

/** Writes labels from this place on, and flushes them: the state that counts on them is written after that. */
export async function writeLabels(path: string, place: number, labels: Uint8Array): Promise<void> {
  if (labels.length === 0) return;
  const file = await open(path, (await exists(path)) ? "r+" : "w");
  try {
    await file.write(labels, 0, labels.length, place * LABEL_BYTES);
    await file.sync();
  } finally {
    await file.close();
  }
}
