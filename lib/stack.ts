// The stack of our own app: one service, and nothing else.
import { type App, CfnOutput, Stack, Tags } from "aws-cdk-lib";
import { type AttestationServiceProps, ConfiguredService } from "./attestation-service.ts";
import { Assets } from "./parts/assets.ts";
import { parseConfig } from "./settings/config.ts";

/** The stack has the service's name. Throws `misconfigured`, in one line. */
export function newAttestationStack(app: App, { assetsFolder, ...settings }: AttestationServiceProps): Stack {
  const config = parseConfig(settings);
  const stack = new Stack(app, config.name, {
    description: "Disclosure receipts: records that people were told they speak to an AI, provably",
    terminationProtection: config.isProduction,
  });
  Tags.of(stack).add("service", config.name);
  const assets = new Assets(assetsFolder);
  const { url, alarms, distributionId } = new ConfiguredService(stack, "Attestation", { config, assets });
  new CfnOutput(stack, "Url", { value: url });
  if (distributionId !== null) new CfnOutput(stack, "DistributionId", { value: distributionId });
  new CfnOutput(stack, "AlarmTopic", { value: alarms.topic.topicArn });
  return stack;
}
