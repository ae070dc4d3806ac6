// The client for voice and chat stacks. Runs wherever there is fetch; only the durable queue needs a file system.
export type { AttestationRequest } from "../core/attestation-request.ts";
export type { ComplianceReceipt } from "../core/compliance-receipt.ts";
export type { EvidenceBundle } from "../core/evidence-bundle.ts";
export { type AttestOptions, type ClientOptions, DisclosureClient } from "./disclosure-client.ts";
export { ClientError, type ClientErrorCode } from "./errors.ts";
export { hashWordingText } from "./wording.ts";
