// What API Gateway does with an authorizer: asks it once a token and a while, and answers refusals by itself.
import { AUTHORIZER_TTL_SECONDS } from "../lambdas/routes.ts";
import { buildAuthorizerEvent, type GatewayRequest, type Match } from "./gateway-event.ts";
import type { Authorizer } from "./handlers.ts";

/** What is API Gateway's to answer: the handler never hears of it. */
export type Refusal =
  | { readonly kind: "unauthorized" }
  | { readonly kind: "forbidden"; readonly reason: string }
  | { readonly kind: "failed" };

/** `context` goes on to the handler; null where nobody was asked. */
export type Authorization =
  | { readonly kind: "allowed"; readonly context: Record<string, unknown> | null }
  | Refusal;

const MAX_REMEMBERED = 1_000;

export class Gate {
  readonly #authorize: Authorizer;
  readonly #remembered = new Map<string, { readonly until: number; readonly authorization: Authorization }>();

  constructor(authorize: Authorizer) {
    this.#authorize = authorize;
  }

  async check(request: GatewayRequest, match: Match): Promise<Authorization> {
    const token = request.headers.authorization;
    // Without its identity source API Gateway answers 401 and asks nobody.
    if (token === undefined) return { kind: "unauthorized" };
    const known = this.#remembered.get(token);
    if (known !== undefined && known.until > performance.now()) return known.authorization;
    const authorization = await this.#ask(request, match);
    if (authorization.kind === "allowed" || authorization.kind === "forbidden")
      this.#remember(token, authorization);
    return authorization;
  }

  async #ask(request: GatewayRequest, match: Match): Promise<Authorization> {
    try {
      const { policyDocument, context } = await this.#authorize(buildAuthorizerEvent(request, match));
      const isAllowed = policyDocument.Statement.every(({ Effect }) => Effect === "Allow");
      return isAllowed
        ? { kind: "allowed", context: { ...context } }
        : { kind: "forbidden", reason: String(context?.reason) };
    } catch (error) {
      const isRefusal = error instanceof Error && error.message === "Unauthorized";
      return { kind: isRefusal ? "unauthorized" : "failed" };
    }
  }

  #remember(token: string, authorization: Authorization): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    const until = performance.now() + AUTHORIZER_TTL_SECONDS * 1000;
    this.#remembered.set(token, { until, authorization });
  }
}
