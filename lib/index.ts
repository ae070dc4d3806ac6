// The package's entry for a customer's CDK app.
export { AttestationService, type AttestationServiceProps } from "./attestation-service.ts";
export { ConversationBridge, type ConversationBridgeProps } from "./conversation-bridge.ts";
export type { AttestationConfig } from "./settings/config.ts";
