// The whole answer to an attestation: those of the vectors are read as they are, and nothing less is.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../../evidence/core/canonical-json.ts";
import { complianceReceiptSchema } from "../../../../evidence/core/formats/compliance-receipt.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";
import { readEvidence } from "../../../support/vector-files.ts";

/** Members that reports alone have. */
const IN_REPORTS = ["/recorded_after_seal", "/log_checkpoint", "/log_signed_root"];

test.each(["greeting", "greeting-pending", "reminder"])(
  "%s is read as it is, and nothing less is",
  (name) => {
    const answer = readEvidence(`receipts/${name}.json`) as JsonObject;
    expect(complianceReceiptSchema.parse(answer)).toEqual(answer);
    const unneeded = unneededMembers(complianceReceiptSchema, answer);
    expect(unneeded.filter((pointer) => !IN_REPORTS.includes(pointer))).toEqual([]);
  },
);
