// CDK's function that empties a trial's buckets before they are deleted, one for a stack. Lambda would make its log group
// by itself, without an end, and it would outlive the stack: nobody deletes what no stack knows.
import { CfnResource, RemovalPolicy, Stack } from "aws-cdk-lib";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

const PROVIDER = "Custom::S3AutoDeleteObjectsCustomResourceProvider";
const LOGS = "Logs";

/** Gives the function a log group that ends with the stack. Where a stack has two services, the first one's stands. */
export function ownEmptierLogs(scope: Construct, retention: RetentionDays): void {
  const provider = Stack.of(scope).node.tryFindChild(PROVIDER);
  const handler = provider?.node.tryFindChild("Handler");
  if (provider === undefined || !(handler instanceof CfnResource)) return;
  if (provider.node.tryFindChild(LOGS) !== undefined) return;
  const logs = new LogGroup(provider, LOGS, { retention, removalPolicy: RemovalPolicy.DESTROY });
  handler.addPropertyOverride("LoggingConfig", { LogGroup: logs.logGroupName });
}
