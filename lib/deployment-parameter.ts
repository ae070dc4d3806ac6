// The SSM parameter that tells the operator's command line where the parts of this deployment are.
import { Stack } from "aws-cdk-lib";
import { ParameterTier, StringParameter } from "aws-cdk-lib/aws-ssm";
import { Construct } from "constructs";
import { type Deployment, deploymentParameter } from "../contract/deployment.ts";
import type { BillStore } from "./evidence/bills.ts";
import type { LedgerTable } from "./evidence/ledger-table.ts";
import type { MacKey } from "./evidence/mac-key.ts";
import type { Roots } from "./evidence/roots.ts";
import type { WitnessPolicy } from "./evidence/witness-policy.ts";
import type { Front } from "./front/front.ts";
import type { PublicSite } from "./front/public-site.ts";
import type { Config } from "./settings/config.ts";

export interface DeploymentParameterProps {
  readonly config: Config;
  readonly ledger: LedgerTable;
  readonly roots: Roots;
  readonly bills: BillStore;
  readonly macKey: MacKey;
  readonly front: Front;
  readonly site: PublicSite;
  readonly witnesses: WitnessPolicy;
}

export class DeploymentParameter extends Construct {
  constructor(scope: Construct, id: string, props: DeploymentParameterProps) {
    super(scope, id);
    const { name } = props.config;
    new StringParameter(this, "Parameter", {
      parameterName: deploymentParameter(name),
      description: `${name}: the parts of the deployment, for the command line`,
      // Standard parameters, which cost nothing, hold 4 KB. With many witnesses it is more, and the parameter becomes an
      // advanced one for good: a deployment without them that asked for a standard one would be refused.
      tier: ParameterTier.INTELLIGENT_TIERING,
      stringValue: Stack.of(this).toJsonString(describe(props)),
    });
  }
}

const describe = (props: DeploymentParameterProps): Deployment => ({
  name: props.config.name,
  tableName: props.ledger.table.tableName,
  rootsBucket: props.roots.bucket.bucketName,
  billsBucket: props.bills.bucket.bucketName,
  macKeyId: props.macKey.key.keyId,
  retiredMacKeyIds: props.config.retiredMacKeyIds ?? [],
  apiId: props.front.runtime === "functions" ? props.front.api.rest.restApiId : null,
  plans: describePlans(props),
  sealIntervalMinutes: props.config.sealIntervalMinutes,
  url: props.site.url,
  knownAuthorities: props.config.timestampAuthorities === undefined,
  witnessPolicy: props.witnesses.text,
});

/** The web runtime has plans, but no usage plans of API Gateway. */
function describePlans({ config, front }: DeploymentParameterProps): Deployment["plans"] {
  const ids = front.runtime === "functions" ? front.plans.ids : {};
  const plans = Object.entries(config.plans).map(([name, plan]) => {
    return [name, { ...plan, usagePlanId: ids[name] ?? null }] as const;
  });
  return Object.fromEntries(plans);
}
