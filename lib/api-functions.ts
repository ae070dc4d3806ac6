// The functions of the API, each with only the environment and the grants that it needs.
import { Construct } from "constructs";
import type * as z from "zod";
import type { inlineStampVariables, planVariables } from "../contract/environment-variables.ts";
import { AUTHORIZER_HANDLER, type HandlerName, ROUTES } from "../contract/routes.ts";
import type { Assets } from "./assets.ts";
import type { Config } from "./config.ts";
import { HandlerFunction, type HandlerProps } from "./handler.ts";
import type { LedgerTable } from "./ledger-table.ts";
import type { MacKey } from "./mac-key.ts";
import type { Roots } from "./roots.ts";
import type { TimestampTrust } from "./timestamp-trust.ts";

/** API Gateway waits 29 seconds; a function must give up earlier. */
const LONG = { memoryMiB: 1_024, timeoutSeconds: 28 };
const SHORT = { memoryMiB: 1_024, timeoutSeconds: 10 };
/** For functions that answer from their own bundle. */
const SMALL = { memoryMiB: 512, timeoutSeconds: 5 };

export interface ApiFunctionsProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly trust: TimestampTrust;
  readonly ledger: LedgerTable;
  readonly macKey: MacKey;
  readonly roots: Roots;
}

type Sized = Pick<HandlerProps, "description" | "size"> &
  Partial<Pick<HandlerProps, "environment" | "files">>;

/**
 * For production: what strangers can keep busy takes no more than this, and always has it. An authorization takes some
 * 20 ms, and an answer to the public some 100, of which the gateway lets 100 a second through.
 */
const RESERVED_CONCURRENCY = { authorize: 100, public: 10 };

/** They answer with published objects as they are. */
type PublisherName = "metachain" | "root" | "timestamp" | "checkpoint" | "seal-checkpoint";

export class ApiFunctions extends Construct {
  readonly api: Readonly<Record<HandlerName, HandlerFunction>>;
  readonly authorizer: HandlerFunction;
  readonly #props: ApiFunctionsProps;

  constructor(scope: Construct, id: string, props: ApiFunctionsProps) {
    super(scope, id);
    this.#props = props;
    this.authorizer = this.#authorizer();
    this.api = {
      attest: this.#attest(),
      report: this.#report(),
      interaction: this.#interaction(),
      chains: this.#handler("chains", { description: "the tenant's chains", size: SMALL }),
      chain: this.#chain(),
      "chain-tile": this.#chainTile(),
      "verify-inclusion": this.#verifier(),
      metachain: this.#publisher("metachain", "the metachain's head"),
      root: this.#publisher("root", "one published root"),
      timestamp: this.#publisher("timestamp", "one later timestamp of a root"),
      checkpoint: this.#publisher("checkpoint", "the log's newest signed checkpoint"),
      "seal-checkpoint": this.#publisher("seal-checkpoint", "the signed checkpoint of one seal"),
      openapi: this.#handler("openapi", { description: "the API's description", size: SMALL }),
      "problems-page": this.#handler("problems-page", {
        description: "the API's problems, explained",
        size: SMALL,
      }),
    };
  }

  #authorizer(): HandlerFunction {
    const { ledger } = this.#props;
    const { environment } = ledger;
    const description = "authenticates API keys";
    const handler = this.#handler(AUTHORIZER_HANDLER, { description, size: SHORT, environment });
    ledger.grantAuthenticate(handler);
    return handler;
  }

  #attest(): HandlerFunction {
    const { config, trust, ledger, macKey } = this.#props;
    const inline = { TSA_INLINE: config.inlineTimestamps ? "true" : "false" } as const satisfies z.input<
      typeof inlineStampVariables
    >;
    // The month's quota; the rate is API Gateway's.
    const plans = { PLANS: JSON.stringify(config.plans) } satisfies z.input<typeof planVariables>;
    const handler = this.#handler("attest", {
      description: "records a disclosure",
      size: LONG,
      environment: {
        ...ledger.environment,
        ...macKey.environment,
        ...trust.environment,
        ...inline,
        ...plans,
      },
      files: trust.files,
    });
    ledger.grantAttest(handler);
    macKey.grantGenerate(handler);
    return handler;
  }

  #report(): HandlerFunction {
    const { trust, roots, ledger } = this.#props;
    // It verifies tokens to see which expire and need a renewal.
    const handler = this.#reader("report", "one receipt with its proofs", {
      environment: { ...trust.anchorEnvironment, ...roots.environment },
      files: trust.files,
    });
    ledger.grantReport(handler);
    roots.grantReadSignatures(handler);
    return handler;
  }

  #interaction(): HandlerFunction {
    const handler = this.#reader("interaction", "the receipts of a conversation");
    this.#props.ledger.grantInteraction(handler);
    return handler;
  }

  #chain(): HandlerFunction {
    const { ledger } = this.#props;
    const { environment } = ledger;
    const description = "the sealed heads of a chain";
    const handler = this.#handler("chain", { description, size: LONG, environment });
    ledger.grantHeads(handler);
    return handler;
  }

  #chainTile(): HandlerFunction {
    const { ledger } = this.#props;
    const { environment } = ledger;
    const description = "leaf hashes of a chain";
    const handler = this.#handler("chain-tile", { description, size: LONG, environment });
    ledger.grantLeaves(handler);
    return handler;
  }

  #reader(
    name: "report" | "interaction",
    description: string,
    { environment: own, ...sized }: Partial<Sized> = {},
  ): HandlerFunction {
    const { ledger, macKey } = this.#props;
    const environment = { ...ledger.environment, ...macKey.environment, ...own };
    const handler = this.#handler(name, { description, size: LONG, environment, ...sized });
    macKey.grantGenerate(handler);
    return handler;
  }

  #verifier(): HandlerFunction {
    const { trust, roots } = this.#props;
    const handler = this.#handler("verify-inclusion", {
      description: "checks a receipt's proof",
      size: SHORT,
      environment: { ...roots.environment, ...trust.anchorEnvironment },
      files: trust.files,
    });
    roots.grantRead(handler);
    return handler;
  }

  #publisher(name: PublisherName, description: string): HandlerFunction {
    const { roots } = this.#props;
    const handler = this.#handler(name, { description, size: SHORT, environment: roots.environment });
    roots.grantRead(handler);
    return handler;
  }

  #handler(handler: string, sized: Sized): HandlerFunction {
    const { assets, config } = this.#props;
    const reserved = reservedFor(handler, config);
    const options = reserved > 0 ? { reservedConcurrentExecutions: reserved } : {};
    return new HandlerFunction(this, handler, {
      assets,
      config,
      handler,
      environment: {},
      options,
      ...sized,
    });
  }
}

/** 0 for functions that callers with a key alone reach. */
function reservedFor(handler: string, { isProduction, reservedConcurrency }: Config): number {
  const reserved = reservedConcurrency ?? (isProduction ? RESERVED_CONCURRENCY : null);
  if (reserved === null) return 0;
  if (handler === AUTHORIZER_HANDLER) return reserved.authorize;
  const isPublic = ROUTES.some((route) => route.handler === handler && route.access === "public");
  return isPublic ? reserved.public : 0;
}
