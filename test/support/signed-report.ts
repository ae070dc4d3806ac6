// Reports of the evidence vectors as a service with a signed log gives them: the vectors' own log signs nothing.
import { formatBase64, parseBase64 } from "../../evidence/core/bytes.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import type { ReceiptEvidence } from "../../evidence/core/formats/evidence.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { type LogSigner, newLog, newWitness, signCheckpoint, signRoot } from "./log-signer.ts";
import { readBytes, readReceipt } from "./vector-files.ts";

export const ORIGIN = "receipts.example.com/v1/metachain";
export const LOG = newLog(ORIGIN);
export const WITNESS = newWitness("witness.example/one");
export const WITNESS_SECONDS = 1_790_000_000;

/** The anchors of the vectors' authority. */
export const ANCHORS = parseCertificatesPem(new TextDecoder().decode(readBytes("authorities/service.pem")));

export interface SignedReport extends ComplianceReceipt {
  readonly log_checkpoint: string;
  readonly log_signed_root: string;
}

/** `name` is that of a vector whose receipt is published. */
export function signedReport(name: string, log: LogSigner = LOG): SignedReport {
  const report = readReceipt(`receipts/${name}.json`);
  const { merkle_root, cross_tenant_proof: cross } = report.merkle_proof;
  const tree = { size: cross?.tree_size ?? 0, root: parseNode(merkle_root) };
  return {
    ...report,
    log_checkpoint: signCheckpoint(log, tree, [[WITNESS, WITNESS_SECONDS]]),
    log_signed_root: formatBase64(signRoot(log, tree.root)),
  };
}

export const evidenceOf = (report: SignedReport): ReceiptEvidence => report as unknown as ReceiptEvidence;

export const signedRootOf = ({ log_signed_root }: SignedReport): Uint8Array => parseBase64(log_signed_root);
