// What `export` writes of a vector's report, under the log of these tests.
import { utf8 } from "../../evidence/core/bytes.ts";
import {
  exportableReport,
  exportCoseReceipt,
  exportTlogProof,
  exportToken,
} from "../../evidence/reader/export.ts";
import { ANCHORS, evidenceOf, signedReport, signedRootOf } from "./signed-report.ts";

export async function exportedProof(name: string): Promise<Uint8Array> {
  const signed = signedReport(name);
  const report = exportableReport(evidenceOf(signed));
  return utf8(exportTlogProof(report, signed.log_checkpoint, await exportToken(report, ANCHORS)));
}

export function exportedCose(name: string): Uint8Array {
  const signed = signedReport(name);
  return exportCoseReceipt(exportableReport(evidenceOf(signed)), signedRootOf(signed));
}
