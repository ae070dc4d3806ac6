// One server of the web runtime: a Lambda Web Function with its own role and its own log group. It may do only what is
// granted to it.
import { Annotations, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { type IGrantable, type IPrincipal, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { SystemLogLevel, WebFunction, WebFunctionAuthType, WebFunctionRuntime } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { WebServerName } from "../../contract/web-runtime.ts";
import type { Assets } from "../parts/assets.ts";
import { commonEnvironment } from "../parts/handler.ts";
import type { Config } from "../settings/config.ts";
import type { ServerCode } from "./server-code.ts";

/** The handlers give up earlier, and CloudFront waits no longer. */
const TIMEOUT_SECONDS = 30;
const ENDPOINT_NAME = "live";

export interface WebServerProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly code: ServerCode;
  readonly server: WebServerName;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Texts to be put next to the bundle, by their names. */
  readonly files: Readonly<Record<string, string>>;
}

export class WebServer extends Construct implements IGrantable {
  readonly function: WebFunction;
  readonly grantPrincipal: IPrincipal;

  constructor(scope: Construct, id: string, props: WebServerProps) {
    super(scope, id);
    const { assets, config, code, server, environment, files } = props;
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    const logGroup = this.#logGroup(role, config);
    this.grantPrincipal = role;
    this.function = new WebFunction(this, "Function", {
      revisionDescription: `${config.name}: ${props.description}`,
      webFunctionName: nameOf(this, config, server),
      code: code.of(assets.server(server), files),
      runtime: WebFunctionRuntime.NODEJS_24_X,
      role,
      logGroup,
      systemLogLevel: SystemLogLevel.WARN,
      environment: { ...commonEnvironment(config), ...environment },
      timeout: Duration.seconds(TIMEOUT_SECONDS),
      maxConcurrencyPerEnvironment: config.web.concurrency,
      // Its address is public; the server itself refuses every request that lacks the origin secret.
      defaultEndpointAuth: WebFunctionAuthType.APPLICATION_MANAGED,
      defaultEndpoint: { endpointName: ENDPOINT_NAME, maxEnvironments: config.web.maxEnvironments },
    });
    Annotations.of(this.function.endpoint).acknowledgeWarning(
      "@aws-cdk/aws-lambda:webFunctionPublicEndpoint",
      "The server refuses every request without the origin secret before it reads anything else of it.",
    );
  }

  /** The dimensions of its metrics in CloudWatch. */
  get dimensions(): Record<string, string> {
    return { FunctionName: this.function.webFunctionName, EndpointName: ENDPOINT_NAME };
  }

  /** The host name of its endpoint. */
  get domainName(): string {
    return this.function.endpoint.domainName;
  }

  /** Lambda keeps a second group beside each, with the lines of this Region; made here, it has a retention too. */
  #logGroup(role: Role, { isProduction, logRetentionDays }: Config): LogGroup {
    const lifetime = {
      retention: logRetentionDays,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    const logs = new LogGroup(this, "Logs", lifetime);
    const local = new LogGroup(this, "LocalLogs", {
      logGroupName: `${logs.logGroupName}.local`,
      ...lifetime,
    });
    for (const group of [logs, local]) group.grantWrite(role);
    return logs;
  }
}

/** An account has one list of web functions for all its Regions. */
const nameOf = (scope: Construct, { name }: Config, server: WebServerName): string =>
  `${name}-${server}-${Stack.of(scope).region}`;
