// The CDK app: `npx cdk deploy`, with settings from cdk.json, `-c setting=value`, or the file of `-c config=`.
import { App } from "aws-cdk-lib";
import { newEdgeAlarmStack } from "../lib/edge-alarms.ts";
import { readSettings } from "../lib/settings/context.ts";
import { Misconfigured } from "../lib/settings/misconfigured.ts";
import { newAttestationStack } from "../lib/stack.ts";

try {
  const app = new App();
  const settings = readSettings(app.node);
  newAttestationStack(app, settings);
  newEdgeAlarmStack(app, settings);
} catch (error) {
  // The operator's own mistake is one line; anything else is a fault of ours and shows its stack.
  console.error(error instanceof Misconfigured ? error.message : error);
  // An app that ends without this would synthesize the half that was built.
  process.exit(1);
}
