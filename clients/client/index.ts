// The client for voice and chat stacks. Runs wherever there is fetch; the queue on disk is Node's, in node.ts.
export type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
export type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
export type { EvidenceBundle } from "../../evidence/core/formats/evidence-bundle.ts";
export type { ListedReceipt } from "../../evidence/core/formats/receipt-list.ts";
export type { JoinedConversation } from "./conversation.ts";
export {
  type AttestOptions,
  type ClientOptions,
  DisclosureClient,
  type ReportOptions,
} from "./disclosure-client.ts";
export { ClientError, type ClientErrorCode, isClientError } from "./errors.ts";
export { interactionId } from "./interaction-id.ts";
export type { ListOptions } from "./receipt-list.ts";
export { hashWordingText } from "./request.ts";
export type { SealedOptions } from "./sealed.ts";
