// The REST API: the route table, the authorizer before what needs a key, and a handler for all the rest.
import { Aws, Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  ApiKeySourceType,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  type Method,
  RequestAuthorizer,
  Resource,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { APIGATEWAY_AUTHORIZER_CHANGE_DEPLOYMENT_LOGICAL_ID } from "aws-cdk-lib/cx-api";
import { Construct } from "constructs";
import { AUTHORIZER_TTL_SECONDS, FALLBACK_HANDLER, ROUTES, type Route } from "../lambdas/routes.ts";
import { acknowledge } from "./acknowledge.ts";
import type { Handlers } from "./api-functions.ts";
import { stageOptions } from "./api-stage.ts";
import { hostOptions, requireTls } from "./api-tls.ts";
import type { Config } from "./config.ts";
import { addGatewayResponses } from "./gateway-responses.ts";

export interface ApiProps {
  readonly config: Config;
  readonly handlers: Handlers;
}

export class Api extends Construct {
  readonly rest: RestApi;
  readonly #handlers: Handlers;

  constructor(scope: Construct, id: string, { config, handlers }: ApiProps) {
    super(scope, id);
    this.#handlers = handlers;
    // Else, in an app without the CDK's feature flags, a changed authorizer would wait for the next change of a method.
    this.node.setContext(APIGATEWAY_AUTHORIZER_CHANGE_DEPLOYMENT_LOGICAL_ID, true);
    this.rest = new RestApi(this, "Rest", {
      restApiName: config.name,
      endpointTypes: [EndpointType.REGIONAL],
      // The authorizer names the key that throttle and quota count for.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: config.accountLogRole,
      // It is the account's own setting: taking it away with a stack would silence the logs of other APIs.
      ...(config.accountLogRole && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
      deployOptions: stageOptions(this, config),
      ...hostOptions(this, config),
    });
    // CDK's own output of an address that is not the public one.
    this.rest.node.tryRemoveChild("Endpoint");
    requireTls(this.rest);
    this.#addRoutes();
    this.#addFallback();
    addGatewayResponses(this.rest);
    acknowledge(this.rest, FINDINGS);
  }

  /** Its own address, without a slash at its end. */
  get url(): string {
    const { stageName } = this.rest.deploymentStage;
    return `https://${this.rest.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stageName}`;
  }

  #addRoutes(): void {
    const authorizer = new RequestAuthorizer(this, "Authorizer", {
      handler: this.#handlers.authorizer.lambda,
      // Without the header API Gateway answers 401 and asks nobody.
      identitySources: [IdentitySource.header("Authorization")],
      resultsCacheTtl: Duration.seconds(AUTHORIZER_TTL_SECONDS),
    });
    for (const route of ROUTES) {
      const isKeyed = route.access === "key";
      const method = this.#addRoute(route, isKeyed ? { authorizer, apiKeyRequired: true } : {});
      acknowledge(method, isKeyed ? KEYED_FINDINGS : PUBLIC_FINDINGS);
    }
  }

  #addRoute({ method, path, handler }: Route, options: object): Method {
    const integration = new LambdaIntegration(this.#handlers.api[handler].lambda, { allowTestInvoke: false });
    return this.rest.root.resourceForPath(path).addMethod(method, integration, options);
  }

  /** A resource that lacks a method would answer 403 by itself, so each one sends the rest to the fallback. */
  #addFallback(): void {
    const { root } = this.rest;
    root.addResource("{proxy+}");
    const integration = new LambdaIntegration(this.#handlers.api[FALLBACK_HANDLER].lambda, {
      scopePermissionToMethod: false,
    });
    const resources = root.node.findAll().filter((child) => child instanceof Resource);
    for (const resource of [root, ...resources]) {
      acknowledge(resource.addMethod("ANY", integration), PUBLIC_FINDINGS);
    }
  }
}

const FINDINGS = {
  "AwsSolutions-APIG2": "The handlers read every request strictly and answer with the fields that are wrong.",
  "AwsSolutions-APIG3":
    "The firewall is the operator's choice (`waf`): each key has a throttle and a quota, public methods have a throttle, and no handler reads more than 64 KiB.",
  "AwsSolutions-APIG6":
    "Execution logs hold paths, and with them identifiers of conversations. The access log has route, status and key id.",
  "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]":
    "API Gateway takes this very policy for the logs of an account.",
};

const KEYED_FINDINGS = {
  "AwsSolutions-COG4":
    "Callers are machines with API keys, which a Lambda authorizer knows; no user logs in.",
};

const PUBLIC_FINDINGS = {
  "AwsSolutions-APIG4": "Public by design: whoever holds a receipt checks it without a key.",
  "AwsSolutions-COG4": "Public by design: whoever holds a receipt checks it without a key.",
};
