// The stack of our own app: one service, and nothing beside it.
import { type App, CfnOutput, Stack, Tags } from "aws-cdk-lib";
import { AttestationService, type AttestationServiceProps } from "./attestation-service.ts";
import { parseConfig } from "./config.ts";

/** Named as the service is. Throws `misconfigured`, in one line. */
export function newAttestationStack(app: App, { assetsFolder, ...settings }: AttestationServiceProps): Stack {
  const config = parseConfig(settings);
  const stack = new Stack(app, config.name, {
    description: "Disclosure receipts: records that people were told they speak to an AI, provably",
    terminationProtection: config.stage === "production",
  });
  Tags.of(stack).add("service", config.name);
  const { url, observability } = new AttestationService(stack, "Attestation", {
    ...settings,
    ...(assetsFolder !== undefined && { assetsFolder }),
  });
  new CfnOutput(stack, "Url", { value: url });
  new CfnOutput(stack, "AlarmTopic", { value: observability.topic.topicArn });
  return stack;
}
