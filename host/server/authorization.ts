// API Gateway's use of an authorizer: it caches the answer by token, and answers refusals without the handler.
import { AUTHORIZATION_PATTERN } from "../../contract/api-key.ts";
import { AUTHORIZER_TTL_SECONDS } from "../../contract/routes.ts";
import { SECOND_MS } from "../../contract/time.ts";
import { buildAuthorizerEvent, type GatewayRequest } from "./gateway-event.ts";
import type { Authorizer } from "./handlers.ts";

/** A refusal is answered by the gateway and never reaches the handler. */
export type AuthorizerRefusal =
  | { readonly kind: "unauthorized"; readonly reason: string }
  | { readonly kind: "forbidden"; readonly reason: string }
  | { readonly kind: "failed" };

/** `context` is passed to the handler; null on public routes. */
export type Authorization =
  | { readonly kind: "allowed"; readonly context: Record<string, unknown> | null }
  | AuthorizerRefusal;

const NO_HEADER = "no Authorization header was sent";
const NO_KEY =
  "the Authorization header is not `Bearer` and a whole API key, `dr_live_` and 85 characters more";
const UNKNOWN_KEY = "the API key is unknown";

const MAX_REMEMBERED = 1_000;

export class Gate {
  readonly #authorize: Authorizer;
  readonly #remembered = new Map<string, { readonly until: number; readonly authorization: Authorization }>();

  constructor(authorize: Authorizer) {
    this.#authorize = authorize;
  }

  async check(request: GatewayRequest): Promise<Authorization> {
    const token = request.headers.authorization;
    // For a header that is missing or can't hold a key API Gateway answers 401 and does not call the authorizer.
    if (token === undefined) return { kind: "unauthorized", reason: NO_HEADER };
    if (!AUTHORIZATION_PATTERN.test(token)) return { kind: "unauthorized", reason: NO_KEY };
    const known = this.#remembered.get(token);
    if (known !== undefined && known.until > performance.now()) return known.authorization;
    const authorization = await this.#ask(request, token);
    if (authorization.kind === "allowed" || authorization.kind === "forbidden")
      this.#remember(token, authorization);
    return authorization;
  }

  async #ask(request: GatewayRequest, token: string): Promise<Authorization> {
    try {
      const { policyDocument, context } = await this.#authorize(buildAuthorizerEvent(request, token));
      const isAllowed = policyDocument.Statement.every(({ Effect }) => Effect === "Allow");
      return isAllowed
        ? { kind: "allowed", context: { ...context } }
        : { kind: "forbidden", reason: String(context?.reason) };
    } catch (error) {
      const isRefusal = error instanceof Error && error.message === "Unauthorized";
      return isRefusal ? { kind: "unauthorized", reason: UNKNOWN_KEY } : { kind: "failed" };
    }
  }

  #remember(token: string, authorization: Authorization): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    const until = performance.now() + AUTHORIZER_TTL_SECONDS * SECOND_MS;
    this.#remembered.set(token, { until, authorization });
  }
}
