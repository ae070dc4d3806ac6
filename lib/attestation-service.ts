// The whole service as one construct: a table of contents, each concern in a file of its own.
import { Construct } from "constructs";
import { Api } from "./api.ts";
import { Handlers } from "./api-functions.ts";
import { Assets } from "./assets.ts";
import { ownEmptierLogs } from "./bucket-emptier.ts";
import { type AttestationConfig, type Config, parseConfig } from "./config.ts";
import { Operator } from "./deployment-parameter.ts";
import { Firewall } from "./firewall.ts";
import { LedgerTable } from "./ledger-table.ts";
import { MacKey } from "./mac-key.ts";
import { Observability } from "./observability.ts";
import { AccessLogs } from "./private-bucket.ts";
import { PublicHost } from "./public-host.ts";
import { Roots } from "./roots.ts";
import { Sealer } from "./sealer.ts";
import { Site } from "./site.ts";
import { TimestampTrust } from "./timestamp-trust.ts";
import { UsagePlans } from "./usage-plans.ts";

/** Every setting has a safe default; docs/deploy.md lists them. */
export interface AttestationServiceProps extends AttestationConfig {
  /** The folder of what `npm run bundle` built; by default what came with this package. */
  readonly assetsFolder?: string;
}

/** Disclosure receipts in one AWS account and region. Throws `misconfigured`, in one line, for a wrong setting. */
export class AttestationService extends Construct {
  readonly ledger: LedgerTable;
  readonly roots: Roots;
  readonly api: Api;
  readonly observability: Observability;
  /** Where the public finds the service, without a slash at its end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: AttestationServiceProps = {}) {
    super(scope, id);
    const { assetsFolder, ...settings } = props;
    const config = parseConfig(settings);
    const { name, retentionYears } = config;
    const isProduction = config.stage === "production";
    const assets = new Assets(assetsFolder);
    const trust = new TimestampTrust(config, assets);
    const logs = new AccessLogs(this, "AccessLogs", { isProduction, retentionDays: config.logRetentionDays });

    this.ledger = new LedgerTable(this, "Ledger", { isProduction });
    const macKey = new MacKey(this, "MacKey", { name, isProduction });
    this.roots = new Roots(this, "Roots", { isProduction, retentionYears, accessLogs: logs.bucket });
    const { ledger, roots } = this;

    const handlers = new Handlers(this, "Handlers", { assets, config, trust, ledger, macKey, roots });
    const sealer = new Sealer(this, "Sealer", { assets, config, trust, ledger, roots });
    this.api = new Api(this, "Api", { config, handlers });
    const { api } = this;
    const plans = new UsagePlans(this, "Plans", { config, api });
    if (config.waf) new Firewall(this, "Firewall", { name, api });
    this.url = this.#publish(config, assets, logs);
    this.observability = new Observability(this, "Observability", { config, ledger, handlers, api, sealer });

    ownEmptierLogs(this, config.logRetentionDays);

    new Operator(this, "Operator", {
      name,
      tableName: ledger.table.tableName,
      rootsBucket: roots.bucket.bucketName,
      macKeyId: macKey.key.keyId,
      apiId: api.rest.restApiId,
      usagePlanIds: plans.ids,
      chainsPerTenant: config.chainsPerTenant,
      sealIntervalMinutes: config.sealIntervalMinutes,
      url: this.url,
      knownAuthorities: config.timestampAuthorities === undefined,
    });
  }

  /** The public host: CloudFront, or the API by itself. Returns its address. */
  #publish(config: Config, assets: Assets, { bucket: accessLogs }: AccessLogs): string {
    const { api, roots } = this;
    const ownName = config.domain?.name;
    if (!config.cloudFront) return ownName === undefined ? api.url : `https://${ownName}`;
    const site = new Site(this, "Site", { assets, config, accessLogs });
    const { distribution } = new PublicHost(this, "PublicHost", { config, api, roots, site });
    return `https://${ownName ?? distribution.distributionDomainName}`;
  }
}
