// The bundles of the web runtime's servers, in a bucket of ours with versions: Lambda reads them each time it starts one.
import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { WebFunctionCode } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { acknowledge, wildcardFinding } from "../parts/acknowledge.ts";
import { bundlingOf } from "../parts/handler.ts";
import { type AccessLogs, privateBucket } from "../parts/private-bucket.ts";
import type { Config } from "../settings/config.ts";
import { assetsBucket } from "./site.ts";

export interface ServerCodeProps {
  readonly config: Config;
  readonly accessLogs: AccessLogs;
}

export class ServerCode extends Construct {
  readonly #bucket: IBucket;
  readonly #copier: { readonly role: Role; readonly logGroup: LogGroup };

  constructor(scope: Construct, id: string, { config, accessLogs }: ServerCodeProps) {
    super(scope, id);
    this.#bucket = privateBucket(this, {
      config,
      // Every bundle can be made again, in production too.
      isDisposable: true,
      versioned: true,
      serverAccessLogsBucket: accessLogs.bucket,
      serverAccessLogsPrefix: "server-code/",
    });
    const logGroup = new LogGroup(this, "CopyLogs", {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, "CopyRole", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);
    this.#copier = { role, logGroup };
  }

  /** The bundle in `folder`, with `files` next to it. */
  of(folder: string, files: Readonly<Record<string, string>>): WebFunctionCode {
    return WebFunctionCode.fromAssetToProvidedBucket(this.#bucket, folder, {
      ...bundlingOf(folder, files),
      copyOptions: this.#copier,
    });
  }

  /** For what CDK adds where the servers are made. */
  acknowledgeCopies(): void {
    const copies =
      "CDK's function copies a bundle from CDK's own bucket into this one, which holds nothing else.";
    acknowledge(this.#copier.role, {
      [`AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${assetsBucket(this)}/*]`]: copies,
      [wildcardFinding(this.#bucket, "/web-function/*")]: copies,
      "AwsSolutions-IAM5[Action::s3:Abort*]": copies,
      "AwsSolutions-IAM5[Action::s3:DeleteObject*]": copies,
    });
    const copier = Stack.of(this).node.children.find(({ node }) =>
      node.id.startsWith("Custom::S3ObjectCopy"),
    );
    if (copier === undefined) return;
    acknowledge(copier, {
      "AwsSolutions-L1": "The copying function is CDK's own, in the runtime that CDK tests it with.",
    });
  }
}
