// The whole service as one construct: a table of contents, each concern in a file of its own.
import { Construct } from "constructs";
import { DeploymentParameter } from "./deployment-parameter.ts";
import { BillStore } from "./evidence/bills.ts";
import { DeployedPolicy } from "./evidence/deployed-policy.ts";
import { EvidenceWatch } from "./evidence/evidence-watch.ts";
import { LedgerTable } from "./evidence/ledger-table.ts";
import { LogKey } from "./evidence/log-key.ts";
import { MacKey } from "./evidence/mac-key.ts";
import { Roots } from "./evidence/roots.ts";
import { StageGuard } from "./evidence/stage-guard.ts";
import { TimestampTrust } from "./evidence/timestamp-trust.ts";
import { WitnessPolicy } from "./evidence/witness-policy.ts";
import type { Api } from "./front/api.ts";
import { buildFront } from "./front/front.ts";
import { PublicSite } from "./front/public-site.ts";
import { Assets } from "./parts/assets.ts";
import { tagCosts } from "./parts/cost-tag.ts";
import { AccessLogs } from "./parts/private-bucket.ts";
import { EventBus } from "./runs/event-bus.ts";
import { Sealer } from "./runs/sealer.ts";
import { Webhooks } from "./runs/webhooks.ts";
import { type AttestationConfig, type Config, parseConfig } from "./settings/config.ts";
import { Alarms } from "./watch/alarms.ts";
import { Dashboard } from "./watch/dashboard.ts";
import { MonthlyBudget } from "./watch/monthly-budget.ts";

export interface ConfiguredServiceProps {
  readonly config: Config;
  readonly assets: Assets;
}

/** The service, from settings that were parsed. */
export class ConfiguredService extends Construct {
  readonly ledger: LedgerTable;
  readonly roots: Roots;
  /** Null in the web runtime, which has no API Gateway. */
  readonly api: Api | null;
  readonly alarms: Alarms;
  /** The public address of the service, without a slash at its end. */
  readonly url: string;
  /** CloudFront's id of the public host; null where there is no CloudFront. */
  readonly distributionId: string | null;

  constructor(scope: Construct, id: string, { config, assets }: ConfiguredServiceProps) {
    super(scope, id);
    tagCosts(this, config.name);
    const trust = new TimestampTrust(config, assets);
    const witnesses = new WitnessPolicy(config);
    const policy = new DeployedPolicy(config);
    policy.warn(this);
    const accessLogs = new AccessLogs(this, "AccessLogs", { config });

    const ledger = new LedgerTable(this, "Ledger", { config });
    const macKey = new MacKey(this, "MacKey", { config });
    const roots = new Roots(this, "Roots", { assets, config, accessLogs });
    const bills = new BillStore(this, "Bills", { assets, config, accessLogs, ledger });

    const events = new EventBus(this, config);
    const parts = { assets, config, policy, trust, ledger, roots, bills, witnesses, events };
    const front = buildFront(this, { ...parts, accessLogs, macKey });
    const site = new PublicSite(this, "PublicSite", { assets, config, front, roots, accessLogs });

    const logKey = new LogKey(this, "LogKey", { config, publicAddress: site.address });
    const sealer = new Sealer(this, "Sealer", { ...parts, macKey, logKey });
    const webhooks = new Webhooks(this, "Webhooks", { ...parts, macKey });
    const evidence = [accessLogs, ledger, macKey, roots, bills, logKey];
    new StageGuard(this, "StageGuard", { assets, config, evidence });

    const measured = { config, ledger, front, sealer, bills, webhooks };
    const alarms = new Alarms(this, "Alarms", measured);
    new EvidenceWatch(this, "EvidenceWatch", { topic: alarms.topic, ledger, macKey, logKey, roots, bills });
    new Dashboard(this, "Dashboard", measured);
    addMonthlyBudget(this, config, alarms);
    new DeploymentParameter(this, "Deployment", { ...parts, macKey, front, site });

    this.ledger = ledger;
    this.roots = roots;
    this.api = front.runtime === "functions" ? front.api : null;
    this.alarms = alarms;
    this.url = site.url;
    this.distributionId = site.distributionId;
  }
}

function addMonthlyBudget(scope: Construct, { name, monthlyBudget }: Config, { alarmTopic }: Alarms): void {
  if (monthlyBudget === undefined) return;
  new MonthlyBudget(scope, "MonthlyBudget", { name, usd: monthlyBudget, alarmTopic });
}

/** Every setting has a safe default; docs/deploy.md lists them. */
export interface AttestationServiceProps extends AttestationConfig {
  /** The folder that `npm run bundle` built; by default the one that came with this package. */
  readonly assetsFolder?: string;
}

/** Disclosure receipts in one AWS account and region. Throws `misconfigured`, in one line, for a wrong setting. */
export class AttestationService extends ConfiguredService {
  constructor(scope: Construct, id: string, { assetsFolder, ...settings }: AttestationServiceProps = {}) {
    super(scope, id, { config: parseConfig(settings), assets: new Assets(assetsFolder) });
  }
}
