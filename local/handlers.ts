// The Lambda handlers, as they are deployed. They read the environment when they are loaded, so it must be set before.
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayTokenAuthorizerEvent,
  Context,
} from "aws-lambda";
import { AUTHORIZER_HANDLER, FALLBACK_HANDLER, ROUTES, SEALER_HANDLER } from "../contract/routes.ts";

export type LocalHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
export type Authorizer = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

export interface Handlers {
  /** By the name in the route table, with the fallback. */
  readonly api: ReadonlyMap<string, LocalHandler>;
  readonly authorize: Authorizer;
  readonly seal: () => Promise<string>;
}

export async function loadHandlers(): Promise<Handlers> {
  const names = [...ROUTES.map(({ handler }) => handler), FALLBACK_HANDLER];
  const api = await Promise.all(
    names.map(async (name) => [name, await loadHandler<LocalHandler>(name)] as const),
  );
  const [authorize, seal] = await Promise.all([
    loadHandler<Authorizer>(AUTHORIZER_HANDLER),
    loadHandler<Handlers["seal"]>(SEALER_HANDLER),
  ]);
  return { api: new Map(api), authorize, seal };
}

async function loadHandler<T>(name: string): Promise<T> {
  const { handler } = (await import(`../lambdas/${name}.ts`)) as { handler: T };
  return handler;
}
