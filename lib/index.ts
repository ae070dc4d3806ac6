// What a customer's CDK app imports.
export { AttestationService, type AttestationServiceProps } from "./attestation-service.ts";
export type { AttestationConfig } from "./config.ts";
