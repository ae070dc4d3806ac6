// A receipt's .tlog-proof as evidence: the parts of a report that the file holds, so that every check of a report is made
// on it too. Nothing is verified here.
import { formatBase64 } from "../core/bytes.ts";
import type { ReceiptEvidence } from "../core/formats/evidence.ts";
import { PENDING_TIMESTAMP, type TsaTimestamp } from "../core/formats/metachain.ts";
import { headOfExtra, parseReceiptExtra } from "../core/formats/receipt-extra.ts";
import { parseCheckpoint } from "../core/log/checkpoint.ts";
import { formatNote, parseNote, type SignedNote } from "../core/log/note.ts";
import { parseTlogProof, TLOG_PROOF_HEADER } from "../core/log/tlog-proof.ts";
import { isTokenLine } from "../core/log/token-line.ts";
import { formatNode } from "../core/merkle/hash.ts";
import { unreadable } from "./unreadable.ts";

export const isTlogProof = (opening: string): boolean => opening.startsWith(`${TLOG_PROOF_HEADER}\n`);

/**
 * The receipt, its paths, the checkpoint without tokens, and the first token. Throws `malformed`, and `proof_invalid` for
 * a receipt whose path is that of another place.
 */
export function evidenceOfProof(text: string): ReceiptEvidence {
  const proof = parseTlogProof(text);
  if (proof.extra === null) throw unreadable("unknown", "this proof holds an entry of a log, but no receipt");
  const extra = parseReceiptExtra(proof.extra);
  const { leafHash: leaf_hash, head } = headOfExtra(extra);
  const note = parseNote(proof.checkpoint);
  const { size: tree_size, root } = parseCheckpoint(note.text);
  const merkle_root = formatNode(root);
  const path = proof.path.map(formatNode);
  const place = { leaf_index: proof.index, tree_size, path, root: merkle_root };
  return {
    event_id: extra.receipt.event_id,
    receipts: [extra.receipt],
    merkle_proof: {
      status: "included",
      merkle_root,
      event_inclusion_proof: { leaf_hash, ...extra.event_inclusion_proof, root: head.root },
      cross_tenant_proof: { seal_index: extra.seal_index, leaf: head, ...place },
    },
    tsa_timestamp: timestampIn(note),
    log_checkpoint: withoutTokens(note),
  };
}

function timestampIn({ signatures }: SignedNote): TsaTimestamp {
  const line = signatures.find(isTokenLine);
  if (line === undefined) return PENDING_TIMESTAMP;
  // The name of the line is nobody's word: the authority is the one that the token's own certificates lead to.
  return {
    status: "included",
    timestamp_token: formatBase64(line.signature),
    tsa_url: null,
    covers: "merkle_root",
  };
}

/** The checkpoint as the log publishes it: its own signature, and those of witnesses. */
const withoutTokens = ({ text, signatures }: SignedNote): string =>
  formatNote({ text, signatures: signatures.filter((line) => !isTokenLine(line)) });
