// Exports a report in forms that tools of others verify: a .tlog-proof (C2SP) and a COSE receipt (RFC 9942). A report
// holds all that they are made of, and nothing of them is made up: the signatures are the log's own.
import { parseBase64 } from "../core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../core/errors.ts";
import type { CrossTenantProof } from "../core/formats/compliance-receipt.ts";
import type { ReceiptEvidence } from "../core/formats/evidence.ts";
import { withoutAuthentication } from "../core/formats/receipt.ts";
import { formatReceiptExtra, headOfExtra, receiptExtra } from "../core/formats/receipt-extra.ts";
import { parseCheckpoint } from "../core/log/checkpoint.ts";
import { formatCoseReceipt, parseSignedRoot } from "../core/log/cose-receipt.ts";
import { formatNote, type NoteSignature, parseNote } from "../core/log/note.ts";
import { formatTlogProof } from "../core/log/tlog-proof.ts";
import { tokenLine } from "../core/log/token-line.ts";
import { hashBytes, parseNode } from "../core/merkle/hash.ts";
import { TimestampVerifier } from "../core/timestamps/timestamp-verifier.ts";
import { parseCertificate } from "../core/timestamps/x509/certificate.ts";
import { requireTree } from "../core/verify/verify-checkpoint.ts";
import { describeAnchors } from "./anchors.ts";

/** A report whose receipt is published: a receipt, and the way to a root of the metachain. */
export interface ExportableReport {
  readonly evidence: ReceiptEvidence;
  readonly receipt: Record<string, unknown>;
  readonly cross: CrossTenantProof;
}

/** Throws `malformed` for evidence that has no receipt, or none that is published. */
export function exportableReport(evidence: ReceiptEvidence): ExportableReport {
  const receipt = evidence.receipts?.[0];
  const cross = evidence.merkle_proof.cross_tenant_proof;
  if (receipt === undefined) throw malformed("a proof alone can't be exported: it has no receipt");
  if (cross === null) {
    throw malformed(
      "the receipt was not published yet when this was made; fetch its report and convert that",
    );
  }
  return { evidence, receipt, cross };
}

/**
 * `checkpoint` is the signed checkpoint of the report's root, `token` the line of its timestamp. Throws `proof_invalid`
 * where the checkpoint is of another tree or the receipt does not lead to it, `malformed` for what is no checkpoint.
 */
export function exportTlogProof(
  { evidence, receipt, cross }: ExportableReport,
  checkpoint: string,
  token: NoteSignature | null,
): string {
  const { leaf_index, path, tree_size } = evidence.merkle_proof.event_inclusion_proof;
  const extra = receiptExtra({
    event_inclusion_proof: { leaf_index, path, tree_size },
    head_index: cross.leaf.head_index,
    receipt: withoutAuthentication(receipt),
    seal_index: cross.seal_index,
  });
  if (headOfExtra(extra).head.root !== cross.leaf.root) {
    throw new DisclosureError("proof_invalid", "the receipt does not lead to the root of its chain");
  }
  const note = parseNote(checkpoint);
  requireTree(
    { checkpoint: parseCheckpoint(note.text) },
    { sealIndex: cross.seal_index, size: cross.tree_size, root: cross.root },
  );
  const signatures = [...note.signatures, ...(token === null ? [] : [token])];
  return formatTlogProof({
    extra: formatReceiptExtra(extra),
    index: cross.leaf_index,
    path: cross.path.map(parseNode),
    checkpoint: formatNote({ text: note.text, signatures }),
  });
}

/** `signedRoot` is the log's COSE signature over the report's root. Throws `malformed`. */
export function exportCoseReceipt({ cross }: ExportableReport, signedRoot: Uint8Array): Uint8Array {
  const { tree_size: treeSize, leaf_index: leafIndex, path } = cross;
  const proof = { treeSize, leafIndex, path: path.map(parseNode) };
  return formatCoseReceipt({ signedRoot: parseSignedRoot(signedRoot), proof });
}

/**
 * The report's own timestamp as a line of a checkpoint; null where it has none, or none that leads to these anchors: the
 * line's id is made from the anchor's key. Throws `token_invalid` for a token that is wrong.
 */
export async function exportToken(
  { evidence, cross }: ExportableReport,
  trustAnchors: readonly Uint8Array[],
): Promise<NoteSignature | null> {
  const { timestamp_token: token = null, tsa_url: url = null } = evidence.tsa_timestamp ?? {};
  const host = url === null ? null : (URL.parse(url)?.hostname ?? null);
  if (token === null || host === null) return null;
  const reached = await anchorOf(token, cross.root, trustAnchors);
  const at = describeAnchors(trustAnchors).findIndex(({ fingerprint }) => fingerprint === reached);
  const anchor = trustAnchors[at];
  if (anchor === undefined) return null;
  const keyHash = hashBytes(parseCertificate(anchor).publicKeyInfo.bytes);
  return tokenLine(host, keyHash, parseBase64(token));
}

async function anchorOf(
  token: string,
  root: string,
  trustAnchors: readonly Uint8Array[],
): Promise<string | null> {
  try {
    return (await new TimestampVerifier(trustAnchors).judge(token, root)).trustAnchor;
  } catch (error) {
    if (isDisclosureError(error, "token_open")) return null;
    throw error;
  }
}

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
