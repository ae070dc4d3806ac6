// A report under a later root: a receipt whose seal the log did not sign, or which its witnesses did not know yet, is
// shown under the newest checkpoint, by a path from the log's tiles.
import { DisclosureError } from "../core/errors.ts";
import type { CrossTenantProof } from "../core/formats/compliance-receipt.ts";
import { hashChainHead, ownTimestamp, type Seal } from "../core/formats/metachain.ts";
import { parseCheckpoint } from "../core/log/checkpoint.ts";
import { NEWEST_CHECKPOINT } from "../core/log/log-paths.ts";
import { parseNote } from "../core/log/note.ts";
import { TiledTree } from "../core/log/tiled-tree.ts";
import { formatNode, parseNode } from "../core/merkle/hash.ts";
import { verifyInclusion } from "../core/merkle/merkle-proof.ts";
import { type ExportableReport, exportableReport } from "./export.ts";
import { readNoteFile } from "./log-notes.ts";
import { type LogSource, type MetachainSource, parseHead, parseRoot } from "./metachain.ts";

/** A checkpoint follows its seal within a run or two; an outage of the key may last longer, and then seals wait. */
const MAX_SEALS_BACK = 32;

/**
 * The report as the service would give it if the seal of the newest checkpoint were its own, without that seal's COSE
 * signature, which the log has. Throws `not_found` where the log has no checkpoint that covers it,
 * `publication_unavailable` where the log can't be read, and `proof_invalid` where the log's files do not lead from the
 * report's entry to the checkpoint's root.
 */
export async function laterReport(
  { evidence, cross }: ExportableReport,
  log: MetachainSource & LogSource,
): Promise<{ readonly report: ExportableReport; readonly checkpoint: string }> {
  const note = await readNoteFile(log, NEWEST_CHECKPOINT);
  const size = note === null ? 0 : parseCheckpoint(parseNote(note).text).size;
  if (note === null || size < cross.tree_size) {
    throw new DisclosureError(
      "not_found",
      "the log has published no signed checkpoint yet of a tree that holds this receipt: one may come in the next minutes",
    );
  }
  const seal = await sealOfSize(size, log);
  const proof = await laterProof(cross, seal, log);
  const report = exportableReport({
    ...evidence,
    merkle_proof: { ...evidence.merkle_proof, merkle_root: seal.merkle_root, cross_tenant_proof: proof },
    tsa_timestamp: ownTimestamp(seal, []),
    log_checkpoint: note,
    log_signed_root: null,
  });
  return { report, checkpoint: note };
}

async function laterProof(
  { leaf, leaf_index }: CrossTenantProof,
  { index, tree_size, merkle_root }: Seal,
  log: LogSource,
): Promise<CrossTenantProof> {
  const tree = new TiledTree(tree_size, (path) => log.logFile(path));
  const path = await tree.inclusionPath(leaf_index);
  verifyInclusion(hashChainHead(leaf), leaf_index, tree_size, path, parseNode(merkle_root));
  return { seal_index: index, leaf, leaf_index, tree_size, path: path.map(formatNode), root: merkle_root };
}

/** The published seal over the tree of this size. */
async function sealOfSize(size: number, source: MetachainSource): Promise<Seal> {
  let seal = parseHead(await source.head()).latest;
  for (let back = 0; seal !== null && back < MAX_SEALS_BACK; back++) {
    if (seal.tree_size === size) return seal;
    const bytes = seal.index === 0 ? null : await source.root(seal.index - 1);
    seal = bytes === null ? null : parseRoot(bytes, seal.index - 1);
  }
  throw new DisclosureError("not_found", "the log shows no seal over the tree of its newest checkpoint", {
    size,
  });
}
