// The web runtime: two servers with roles of their own, one that records disclosures and one that reads.
import { Construct } from "constructs";
import type * as z from "zod";
import type {
  inlineStampVariables,
  planVariables,
  webVariables,
} from "../../contract/environment-variables.ts";
import type { BillStore } from "../evidence/bills.ts";
import type { DeployedPolicy } from "../evidence/deployed-policy.ts";
import type { LedgerTable } from "../evidence/ledger-table.ts";
import type { MacKey } from "../evidence/mac-key.ts";
import type { Roots } from "../evidence/roots.ts";
import type { TimestampTrust } from "../evidence/timestamp-trust.ts";
import type { WitnessPolicy } from "../evidence/witness-policy.ts";
import type { Assets } from "../parts/assets.ts";
import type { AccessLogs } from "../parts/private-bucket.ts";
import type { EventBus } from "../runs/event-bus.ts";
import type { Config } from "../settings/config.ts";
import { OriginSecret } from "./origin-secret.ts";
import { ServerCode } from "./server-code.ts";
import { WebServer } from "./web-server.ts";

export interface WebRuntimeProps {
  readonly accessLogs: AccessLogs;
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

/** Many requests share a process, and no API Gateway limits them. */
const SHARED = { SHARED_PROCESS: "true", RATE_LIMIT: "true" };

export class WebRuntime extends Construct {
  readonly attest: WebServer;
  readonly read: WebServer;
  readonly secret: OriginSecret;
  readonly #props: WebRuntimeProps;
  readonly #code: ServerCode;

  constructor(scope: Construct, id: string, props: WebRuntimeProps) {
    super(scope, id);
    this.#props = props;
    this.secret = new OriginSecret(this, "OriginSecret", props);
    this.#code = new ServerCode(this, "Code", props);
    this.attest = this.#attest();
    this.read = this.#read();
    for (const server of [this.attest, this.read]) props.ledger.grantAuthenticate(server);
    this.#code.acknowledgeCopies();
  }

  #attest(): WebServer {
    const { assets, config, policy, trust, ledger, macKey, events } = this.#props;
    const inline = { TSA_INLINE: config.inlineTimestamps ? "true" : "false" } as const satisfies z.input<
      typeof inlineStampVariables
    >;
    const server = new WebServer(this, "attest", {
      assets,
      config,
      code: this.#code,
      server: "attest",
      description: "records disclosures",
      environment: { ...this.#environment(), ...events.environment, ...trust.environment, ...inline },
      files: { ...trust.files, ...policy.files },
    });
    ledger.grantAttest(server);
    macKey.grantGenerate(server);
    events.grantPut(server);
    return server;
  }

  #read(): WebServer {
    const { assets, config, policy, trust, ledger, macKey, roots, bills, witnesses } = this.#props;
    const server = new WebServer(this, "read", {
      assets,
      config,
      code: this.#code,
      server: "read",
      description: "reports, chains, proofs, the metachain and the wording policy",
      environment: {
        ...this.#environment(),
        ...roots.environment,
        ...bills.environment,
        ...trust.anchorEnvironment,
        ...witnesses.environment,
      },
      files: { ...trust.files, ...policy.files, ...witnesses.files },
    });
    ledger.grantReport(server);
    ledger.grantInteraction(server);
    ledger.grantList(server);
    ledger.grantLeaves(server);
    ledger.grantBill(server);
    bills.grantRead(server);
    macKey.grantGenerate(server);
    roots.grantRead(server);
    roots.grantReadPolicy(server);
    roots.grantReadSignatures(server);
    return server;
  }

  #environment(): Record<string, string> {
    const { config, policy, ledger, macKey } = this.#props;
    const web = {
      ...this.secret.environment,
      MAX_REQUESTS: String(config.web.concurrency),
    } satisfies z.input<typeof webVariables>;
    const plans = { PLANS: JSON.stringify(config.plans) } satisfies z.input<typeof planVariables>;
    return {
      ...ledger.environment,
      ...macKey.environment,
      ...policy.environment,
      ...plans,
      ...SHARED,
      ...web,
    };
  }
}
