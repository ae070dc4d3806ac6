// The report of one event for the operator, as its tenant's key would get it: the verifier page opens it.
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { readLogSignatures } from "../../service/reports/log-signatures.ts";
import { findRenewals } from "../../service/reports/renewals.ts";
import { type ReportServices, readReport } from "../../service/reports/reports.ts";
import { asCaller, type Directory } from "./directory.ts";
import type { ReadingOperator } from "./reading-operator.ts";

export interface OpenReportOptions {
  /** DER certificates. */
  readonly trustAnchors: readonly Uint8Array[];
  readonly onFault: (error: unknown) => void;
}

export function openReports(
  { table, macs, roots, clock }: ReadingOperator,
  { trustAnchors, onFault }: OpenReportOptions,
): ReportServices {
  return {
    table,
    macs,
    findRenewal: findRenewals({ table, trustAnchors, clock }),
    readLogSignatures: readLogSignatures({ roots, onFault }),
  };
}

/** Throws `not_found` for an id that is no tenant's. */
export async function readEvent(
  services: ReportServices,
  directory: Directory,
  eventId: string,
): Promise<ComplianceReceipt> {
  const tenant = await directory.ownerOf(eventId);
  if (tenant === undefined) throw new DisclosureError("not_found", "there is no such event");
  return readReport(services, asCaller(tenant), eventId);
}
