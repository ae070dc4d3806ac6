// The CDK app: `npx cdk deploy`, with settings from cdk.json, `-c setting=value`, or the file of `-c config=`.
import { App } from "aws-cdk-lib";
import { readSettings } from "../lib/context.ts";
import { newAttestationStack } from "../lib/stack.ts";

try {
  const app = new App();
  newAttestationStack(app, readSettings(app.node));
} catch (error) {
  // An error that a person can put right is one line; any other is a fault of ours and shows where.
  const isTheirs = error instanceof Error && "code" in error && error.code === "misconfigured";
  console.error(isTheirs ? error.message : error);
  // At once: an app that is left to end by itself would synthesize the half that there is.
  process.exit(1);
}
