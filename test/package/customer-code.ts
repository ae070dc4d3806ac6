// What a customer writes: an app of the CDK, and a program that uses every entry of the package.

export const IMPORTS = {
  "app.mts": `import { App, Stack } from "aws-cdk-lib";\nimport { AttestationService } from "disclosure-receipts";\n`,
  "app.mjs": `import { App, Stack } from "aws-cdk-lib";\nimport { AttestationService } from "disclosure-receipts";\n`,
  "app.cjs": `const { App, Stack } = require("aws-cdk-lib");\nconst { AttestationService } = require("disclosure-receipts");\n`,
};
export const APP = `const stack = new Stack(new App(), "Mine");\nnew AttestationService(stack, "Attestation", { stage: "trial" });\n`;
export const CLIENT_USE = `import { DisclosureClient, type ComplianceReceipt } from "disclosure-receipts/client";
import { DurableQueue, type QueueOptions } from "disclosure-receipts/client/node";
import { disclosureOf, type PolicyLayer, policyLayers, type Wording } from "disclosure-receipts/policy";
import { type VerifiedEvidence, verifyEvidence } from "disclosure-receipts/verify";
import { disclosureMiddleware } from "disclosure-receipts/ai-sdk";
import { Disclosure, type DisclosureOptions, LiveKitDisclosure, type LiveKitSession } from "disclosure-receipts/livekit";
import { RealtimeDisclosure, type RealtimeSessionPart } from "disclosure-receipts/openai-realtime";
import { conversationRelayTwiml, TwilioDisclosure, type Wordings } from "disclosure-receipts/twilio";
export const layers: readonly PolicyLayer[] = policyLayers;
export const lastDay = (wording: Wording): string | null => wording.retired_on;
export const attestFor = (client: DisclosureClient, interaction_id: string): Promise<ComplianceReceipt> =>
  client.attest({ interaction_id, agent_identity: "a", ...disclosureOf("de-voice-in-introduction-1") });
export const outcomeOf = async (file: Uint8Array): Promise<VerifiedEvidence["outcome"]> => (await verifyEvidence(file, { now: "2026-11-22T00:00:00Z" })).outcome;
export const root = (receipt: ComplianceReceipt): string => receipt.merkle_proof.merkle_root;
export const options = (queue: DurableQueue, wordings: Wordings): DisclosureOptions => ({ queue, wordings, interactionId: "1", agentIdentity: "a" });
export const inCall = (session: LiveKitSession, queue: DurableQueue): Promise<boolean> =>
  new LiveKitDisclosure(session, new Disclosure(options(queue, { introduction: "de-voice-introduction-4" }))).introduce();
export const inSession = (session: RealtimeSessionPart, disclosure: Disclosure): RealtimeDisclosure => new RealtimeDisclosure(session, disclosure);
export const inRelay = (disclosure: Disclosure): TwilioDisclosure => new TwilioDisclosure(disclosure, (message) => message.length);
export const twiml = (wordings: Wordings): string => conversationRelayTwiml({ url: "wss://example.org", wordings });
export const { specificationVersion } = disclosureMiddleware({} as Disclosure);
// @ts-expect-error: a queue is needed
export const without = new Disclosure({ wordings: { introduction: "de-voice-introduction-4" }, interactionId: "1", agentIdentity: "a" });
// @ts-expect-error: receipts are typed, not any
export const none = (receipt: ComplianceReceipt): string => receipt.nothing;
export { DisclosureClient, DurableQueue, type QueueOptions };
`;
export const WRONG_STAGE = `// @ts-expect-error: the settings are typed
new AttestationService(stack, "Wrong", { stage: "prod" });\n`;
/** The adapters by their entries. */
export const ADAPTERS = {
  "ai-sdk": "disclosureMiddleware",
  livekit: "LiveKitDisclosure",
  "openai-realtime": "RealtimeDisclosure",
  twilio: "TwilioDisclosure",
};
