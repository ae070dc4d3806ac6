// The functions of the API, each with only the environment and the grants that it needs.
import { Construct } from "constructs";
import type * as z from "zod";
import type { inlineStampVariables, planVariables } from "../../contract/environment-variables.ts";
import { AUTHORIZER_HANDLER, type HandlerName, ROUTES } from "../../contract/routes.ts";
import type { BillStore } from "../evidence/bills.ts";
import type { DeployedPolicy } from "../evidence/deployed-policy.ts";
import type { LedgerTable } from "../evidence/ledger-table.ts";
import type { MacKey } from "../evidence/mac-key.ts";
import type { Roots } from "../evidence/roots.ts";
import type { TimestampTrust } from "../evidence/timestamp-trust.ts";
import type { WitnessPolicy } from "../evidence/witness-policy.ts";
import type { Assets } from "../parts/assets.ts";
import { HandlerFunction, type HandlerProps } from "../parts/handler.ts";
import type { EventBus } from "../runs/event-bus.ts";
import type { Config } from "../settings/config.ts";

/** API Gateway waits 29 seconds; a function must give up earlier. */
const LONG = { memoryMiB: 1_024, timeoutSeconds: 28 };
const SHORT = { memoryMiB: 1_024, timeoutSeconds: 10 };
const SMALL = { memoryMiB: 512, timeoutSeconds: 5 };

export interface ApiFunctionsProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly policy: DeployedPolicy;
  readonly trust: TimestampTrust;
  readonly ledger: LedgerTable;
  readonly macKey: MacKey;
  readonly roots: Roots;
  readonly bills: BillStore;
  readonly witnesses: WitnessPolicy;
  readonly events: EventBus;
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
type PolicyName = "policy" | "policy-jurisdiction" | "policy-layer";

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
      receipts: this.#tableReader("receipts", "the receipts of a range of time", (ledger, handler) =>
        ledger.grantList(handler),
      ),
      chains: this.#small("chains", "the tenant's chains"),
      "chain-heads": this.#tableReader("chain-heads", "the sealed heads of a chain", (ledger, handler) =>
        ledger.grantHeads(handler),
      ),
      "chain-entries": this.#tableReader("chain-entries", "leaves of a chain", (ledger, handler) =>
        ledger.grantLeaves(handler),
      ),
      key: this.#key(),
      usage: this.#usage(),
      "verify-inclusion": this.#verifier(),
      metachain: this.#publisher("metachain", "the metachain's head"),
      root: this.#publisher("root", "one published root"),
      timestamp: this.#publisher("timestamp", "one later timestamp of a root"),
      checkpoint: this.#publisher("checkpoint", "the log's newest signed checkpoint"),
      "seal-checkpoint": this.#publisher("seal-checkpoint", "the signed checkpoint of one seal"),
      policy: this.#policyPublisher("policy", "the wording policy's index"),
      "policy-jurisdiction": this.#policyPublisher("policy-jurisdiction", "the layers of a jurisdiction"),
      "policy-layer": this.#policyPublisher("policy-layer", "one layer of the wording policy"),
      status: this.#status(),
      health: this.#small("health", "answers that it answers"),
      openapi: this.#small("openapi", "the API's description"),
      "problems-page": this.#small("problems-page", "the API's problems, explained"),
    };
  }

  /** The plans with their quotas; the rate is API Gateway's. */
  get #plans() {
    return { PLANS: JSON.stringify(this.#props.config.plans) } satisfies z.input<typeof planVariables>;
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
    const { config, policy, trust, ledger, macKey, events } = this.#props;
    const inline = { TSA_INLINE: config.inlineTimestamps ? "true" : "false" } as const satisfies z.input<
      typeof inlineStampVariables
    >;
    const handler = this.#handler("attest", {
      description: "records a disclosure",
      size: LONG,
      environment: {
        ...ledger.environment,
        ...macKey.environment,
        ...trust.environment,
        ...policy.environment,
        ...events.environment,
        ...inline,
        ...this.#plans,
      },
      files: { ...trust.files, ...policy.files },
    });
    ledger.grantAttest(handler);
    macKey.grantGenerate(handler);
    events.grantPut(handler);
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

  /** A function of a key that reads the table alone. */
  #tableReader(
    name: "receipts" | "chain-heads" | "chain-entries",
    description: string,
    grant: (ledger: LedgerTable, handler: HandlerFunction) => void,
  ): HandlerFunction {
    const { ledger } = this.#props;
    const { environment } = ledger;
    const handler = this.#handler(name, { description, size: LONG, environment });
    grant(ledger, handler);
    return handler;
  }

  #key(): HandlerFunction {
    const { ledger } = this.#props;
    const handler = this.#handler("key", {
      description: "what a key may do",
      size: LONG,
      environment: { ...ledger.environment, ...this.#plans },
    });
    ledger.grantGrowth(handler);
    return handler;
  }

  #usage(): HandlerFunction {
    const { ledger, bills } = this.#props;
    const handler = this.#handler("usage", {
      description: "the bill of a tenant's month",
      size: LONG,
      environment: { ...ledger.environment, ...bills.environment, ...this.#plans },
    });
    ledger.grantBill(handler);
    bills.grantRead(handler);
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

  #policyPublisher(name: PolicyName, description: string): HandlerFunction {
    const { roots } = this.#props;
    const handler = this.#handler(name, { description, size: SHORT, environment: roots.environment });
    roots.grantReadPolicy(handler);
    return handler;
  }

  #status(): HandlerFunction {
    const { policy, roots, witnesses } = this.#props;
    const description = "the status of the interface and of the log";
    const environment = { ...policy.environment, ...roots.environment, ...witnesses.environment };
    const files = { ...policy.files, ...witnesses.files };
    const handler = this.#handler("status", { description, size: SHORT, environment, files });
    roots.grantReadQuorum(handler);
    return handler;
  }

  /** A function that answers from its own bundle. */
  #small(name: HandlerName, description: string): HandlerFunction {
    return this.#handler(name, { description, size: SMALL });
  }

  #handler(handler: string, sized: Sized): HandlerFunction {
    const { assets, config } = this.#props;
    const reserved = reservedFor(handler, config);
    const options = reserved > 0 ? { reservedConcurrentExecutions: reserved } : {};
    const common = { assets, config, handler, environment: {}, options };
    return new HandlerFunction(this, handler, { ...common, ...sized });
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
