// The REST API: the route table, and the authorizer for routes that need a key. Preflights and all other requests are
// answered by API Gateway itself, so that a flood of them reaches no function.
import { Aws, Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  ApiKeySourceType,
  EndpointType,
  IdentitySource,
  type IResource,
  LambdaIntegration,
  type Method,
  RestApi,
  TokenAuthorizer,
} from "aws-cdk-lib/aws-apigateway";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { APIGATEWAY_AUTHORIZER_CHANGE_DEPLOYMENT_LOGICAL_ID } from "aws-cdk-lib/cx-api";
import { Construct } from "constructs";
import { AUTHORIZATION_PATTERN } from "../../contract/api-key.ts";
import { isOpenToPages, PREFLIGHT_STATUS, preflightHeadersOf } from "../../contract/cross-origin.ts";
import { buildProblem, PROBLEM_CONTENT_TYPE } from "../../contract/problem-details.ts";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import {
  AUTHORIZER_TTL_SECONDS,
  BINARY_TYPE,
  type HandlerName,
  methodsOf,
  NO_SUCH_METHOD,
  ROUTES,
  type Route,
} from "../../contract/routes.ts";
import { acknowledge } from "../parts/acknowledge.ts";
import type { Config } from "../settings/config.ts";
import type { ApiFunctions } from "./api-functions.ts";
import { STAGE_NAME, stageOptions } from "./api-stage.ts";
import { hostOptions, requireTls } from "./api-tls.ts";
import { addFixedAnswer } from "./fixed-answer.ts";
import { addGatewayResponses } from "./gateway-responses.ts";
import { isGradual, Rollout } from "./rollout.ts";

export interface ApiProps {
  readonly config: Config;
  readonly functions: ApiFunctions;
}

export class Api extends Construct {
  readonly rest: RestApi;
  readonly #functions: ApiFunctions;
  /** Null where new code is in use at once. */
  readonly rollout: Rollout | null;

  constructor(scope: Construct, id: string, { config, functions }: ApiProps) {
    super(scope, id);
    this.#functions = functions;
    // In an app without the CDK's feature flags a changed authorizer would otherwise wait for the next change of a method.
    this.node.setContext(APIGATEWAY_AUTHORIZER_CHANGE_DEPLOYMENT_LOGICAL_ID, true);
    const { attest } = functions.api;
    this.rollout = isGradual(config)
      ? new Rollout(this, "Rollout", { config, handler: attest, stageName: STAGE_NAME })
      : null;
    this.rest = new RestApi(this, "Rest", {
      restApiName: config.name,
      endpointTypes: [EndpointType.REGIONAL],
      // The authorizer names the key whose throttle and quota apply.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: config.accountLogRole,
      // The role is a setting of the whole account: deleting it with a stack would stop the logs of other APIs.
      ...(config.accountLogRole && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
      binaryMediaTypes: [BINARY_TYPE],
      deployOptions: stageOptions(this, config),
      ...hostOptions(this, config),
    });
    // CDK adds an output of this address, which is not the public one.
    this.rest.node.tryRemoveChild("Endpoint");
    requireTls(this.rest);
    this.#addRoutes();
    this.#answerOtherMethods();
    addGatewayResponses(this.rest);
    acknowledge(this.rest, FINDINGS);
  }

  /** Its own address, without scheme and without a slash at its end. */
  get address(): string {
    const { stageName } = this.rest.deploymentStage;
    return `${this.rest.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stageName}`;
  }

  #addRoutes(): void {
    const authorizer = new TokenAuthorizer(this, "Authorizer", {
      handler: this.#functions.authorizer.lambda,
      // Without the header, and for one that can't hold a key, API Gateway answers 401 and does not call the authorizer.
      identitySource: IdentitySource.header("Authorization"),
      validationRegex: AUTHORIZATION_PATTERN.source,
      resultsCacheTtl: Duration.seconds(AUTHORIZER_TTL_SECONDS),
    });
    for (const route of ROUTES) {
      const isKeyed = route.access === "key";
      const options = isKeyed ? { authorizer, apiKeyRequired: true } : {};
      for (const method of methodsOfRoute(route))
        acknowledge(this.#addMethod(method, route, options), isKeyed ? KEYED_FINDINGS : PUBLIC_FINDINGS);
    }
  }

  #addMethod(method: string, { path, handler }: Route, options: object): Method {
    const integration = new LambdaIntegration(this.#targetOf(handler), { allowTestInvoke: false });
    return this.rest.root.resourceForPath(path).addMethod(method, integration, options);
  }

  #targetOf(handler: HandlerName): IFunction {
    const alias = handler === "attest" ? this.rollout?.alias : undefined;
    return alias ?? this.#functions.api[handler].lambda;
  }

  /**
   * Preflights, and the 405 of all other methods. A path that has none of the routes has no method either, and gets API
   * Gateway's own answer: the 404.
   */
  #answerOtherMethods(): void {
    for (const path of new Set(ROUTES.map((route) => route.path))) {
      const resource = this.rest.root.resourceForPath(path);
      acknowledge(addMethodNotAllowed(resource, path), PUBLIC_FINDINGS);
      if (!isOpenToPages(path)) continue;
      const preflight = { status: PREFLIGHT_STATUS, headers: preflightHeadersOf(path) };
      acknowledge(addFixedAnswer(resource, "OPTIONS", preflight), PUBLIC_FINDINGS);
    }
  }
}

/** API Gateway does not take HEAD to be a GET without a body: each method is said. */
const methodsOfRoute = ({ method, path }: Route): string[] =>
  method === "GET" && methodsOf(path).includes("HEAD") ? [method, "HEAD"] : [method];

/**
 * The 405 for every method that `resource` does not name. The answer is the fallback handler's (lambdas/not-found.ts), whose
 * code runs where there is no API Gateway.
 */
function addMethodNotAllowed(resource: IResource, path: string): Method {
  const { details } = buildProblem(PROBLEMS.methodNotAllowed, "$context.requestId", NO_SUCH_METHOD);
  return addFixedAnswer(resource, "ANY", {
    status: PROBLEMS.methodNotAllowed.status,
    headers: {
      "Content-Type": PROBLEM_CONTENT_TYPE,
      "Cache-Control": "no-store",
      Allow: methodsOf(path).join(", "),
    },
    // A template may take what follows a number sign for a directive; JSON may write the sign by its code.
    template: JSON.stringify(details).replaceAll("#", String.raw`\u0023`),
  });
}

const FINDINGS = {
  "AwsSolutions-APIG2": "The handlers validate every request strictly and name the fields that are wrong.",
  "AwsSolutions-APIG3":
    "The firewall is the operator's choice (`waf`): each key has a throttle and a quota, public methods have a throttle, and no handler reads more than 320 KiB.",
  "AwsSolutions-APIG6":
    "Execution logs hold paths, and with them identifiers of conversations. The access log has route, status and key id.",
  "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]":
    "API Gateway requires this managed policy for the logs of an account.",
};

const KEYED_FINDINGS = {
  "AwsSolutions-COG4":
    "Callers are machines with API keys, which a Lambda authorizer verifies; no user logs in.",
};

const PUBLIC_FINDINGS = {
  "AwsSolutions-APIG4": "Public by design: whoever holds a receipt checks it without a key.",
  "AwsSolutions-COG4": "Public by design: whoever holds a receipt checks it without a key.",
};
