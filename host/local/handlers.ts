// All handlers of the service in one process. They read the environment when they are loaded, so it must be set before.
import {
  AUTHORIZER_HANDLER,
  BILLER_HANDLER,
  FALLBACK_HANDLER,
  ROUTES,
  SEALER_HANDLER,
  WEBHOOKS_HANDLER,
} from "../../contract/routes.ts";
import type { ApiHandlers, Authorizer, LambdaHandler } from "../server/handlers.ts";

export interface Handlers extends ApiHandlers {
  readonly seal: () => Promise<string>;
  readonly bill: () => Promise<unknown>;
  readonly webhooks: () => Promise<void>;
}

export async function loadHandlers(): Promise<Handlers> {
  const names = [...ROUTES.map(({ handler }) => handler), FALLBACK_HANDLER];
  const api = await Promise.all(
    names.map(async (name) => [name, await loadHandler<LambdaHandler>(name)] as const),
  );
  const [authorize, seal, bill, webhooks] = await Promise.all([
    loadHandler<Authorizer>(AUTHORIZER_HANDLER),
    loadHandler<Handlers["seal"]>(SEALER_HANDLER),
    loadHandler<Handlers["bill"]>(BILLER_HANDLER),
    loadHandler<Handlers["webhooks"]>(WEBHOOKS_HANDLER),
  ]);
  return { api: new Map(api), authorize, seal, bill, webhooks };
}

async function loadHandler<T>(name: string): Promise<T> {
  const { handler } = (await import(`../../lambdas/${name}.ts`)) as { handler: T };
  return handler;
}
