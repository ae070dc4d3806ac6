// One Lambda function with its own role and its own log group: it may do only what is granted to it.
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AssetHashType, type AssetOptions, DockerImage, Duration, RemovalPolicy } from "aws-cdk-lib";
import { type IGrantable, type IPrincipal, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  type FunctionOptions,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { METRICS_NAMESPACE } from "../../contract/metric-names.ts";
import type { Config } from "../settings/config.ts";
import { acknowledge } from "./acknowledge.ts";
import type { Assets } from "./assets.ts";

/** Lambda assigns CPU in proportion to memory. */
export interface HandlerSize {
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
}

export interface HandlerProps {
  readonly assets: Assets;
  readonly config: Config;
  /** The name of its file in `lambdas/`. */
  readonly handler: string;
  readonly description: string;
  readonly size: HandlerSize;
  readonly environment: Readonly<Record<string, string>>;
  /** Texts to be put next to the bundle, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: FunctionOptions;
}

export class HandlerFunction extends Construct implements IGrantable {
  readonly lambda: Lambda;
  readonly grantPrincipal: IPrincipal;

  constructor(scope: Construct, id: string, props: HandlerProps) {
    super(scope, id);
    const { assets, config, handler, files } = props;
    const logGroup = new LogGroup(this, "Logs", {
      retention: config.logRetentionDays,
      removalPolicy: config.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // The managed policy that CDK would attach may write every log group of the account.
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);
    this.grantPrincipal = role;
    this.lambda = new Lambda(this, "Function", {
      ...props.options,
      description: `${config.name}: ${props.description}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: codeOf(assets.handler(handler), files),
      handler: "index.handler",
      memorySize: props.size.memoryMiB,
      timeout: Duration.seconds(props.size.timeoutSeconds),
      environment: { ...commonEnvironment(config), ...props.environment },
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      // Lambda's own lines of each call's start and end are a fifth of all that is logged, and say nothing that its
      // metrics don't.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      role,
      logGroup,
    });
    if (config.tracing) acknowledge(role, TRACING_FINDINGS);
  }
}

const TRACING_FINDINGS = {
  "AwsSolutions-IAM5[Resource::*]": "X-Ray's PutTraceSegments and PutTelemetryRecords support no resources.",
};

/** For every program of the deployment. */
export const commonEnvironment = ({ name }: Config) => ({
  POWERTOOLS_SERVICE_NAME: name,
  POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
});

/** The bundle, with the files next to it that the handler needs. */
const codeOf = (folder: string, files: HandlerProps["files"] = {}): Code =>
  Code.fromAsset(folder, Object.keys(files).length === 0 ? {} : bundlingOf(folder, files));

/** Puts `files` next to the bundle in `folder`. */
export function bundlingOf(folder: string, files: Readonly<Record<string, string>>): AssetOptions {
  const tryBundle = (outputFolder: string): boolean => {
    cpSync(folder, outputFolder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(outputFolder, name), text);
    return true;
  };
  // CDK uses the image only where `tryBundle` returns false, so Docker is not needed.
  const bundling = { image: DockerImage.fromRegistry("none"), local: { tryBundle } };
  return { bundling, assetHashType: AssetHashType.OUTPUT };
}
