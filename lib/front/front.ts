// The front of the service, by runtime: API Gateway with a function for each handler, or the servers of the web runtime.
import type { Construct } from "constructs";
import { Api } from "./api.ts";
import { ApiFunctions, type ApiFunctionsProps } from "./api-functions.ts";
import { Firewall } from "./firewall.ts";
import { UsagePlans } from "./usage-plans.ts";
import { WebRuntime, type WebRuntimeProps } from "./web-runtime.ts";

export interface GatewayFront {
  readonly runtime: "functions";
  readonly functions: ApiFunctions;
  readonly api: Api;
  readonly plans: UsagePlans;
}

export interface WebFront {
  readonly runtime: "web";
  readonly web: WebRuntime;
}

export type Front = GatewayFront | WebFront;

export function buildFront(scope: Construct, props: ApiFunctionsProps & WebRuntimeProps): Front {
  const { config } = props;
  if (config.runtime === "web") return { runtime: "web", web: new WebRuntime(scope, "Web", props) };
  const functions = new ApiFunctions(scope, "Handlers", props);
  const api = new Api(scope, "Api", { config, functions });
  const plans = new UsagePlans(scope, "Plans", { config, api });
  if (config.waf) new Firewall(scope, "Firewall", { config, api });
  return { runtime: "functions", functions, api, plans };
}
