// The tenants of a run, and the operator who makes them.
import type { LocalDeployment } from "../../../contract/deployment.ts";
import { MINUTE_SECONDS } from "../../../contract/time.ts";
import { BILLS_BUCKET, BUCKET, TABLE_NAME } from "../../../host/local/stand-ins.ts";
import { connectLocal, type Operator } from "../../../service/operator.ts";
import { SCOPES } from "../../../service/tenants/tenants.ts";
import type { OpenStandIns } from "./messages.ts";

/** On no plan, a tenant has no limits. */
const PLAN = "hammer";

export interface LoadTenant {
  readonly index: number;
  readonly name: string;
  /** It has every scope, and stays valid. */
  readonly apiKey: string;
  /** The secret from which the chains' ids follow; null where the run does not know it. */
  readonly anchor: string | null;
  readonly fingerprint: string | null;
}

/** Of the stand-ins' own clients. */
export const accessKeyOf = ({ AWS_ACCESS_KEY_ID = "" }: OpenStandIns["environment"]): string =>
  AWS_ACCESS_KEY_ID;

/** Through the address `endpoint`, which may be the proxy's. */
export function openOperator({ environment }: OpenStandIns, endpoint: string): Operator {
  const deployment: LocalDeployment = {
    name: "hammer",
    tableName: TABLE_NAME,
    rootsBucket: BUCKET,
    billsBucket: BILLS_BUCKET,
    macKeyId: environment.MAC_KEY_ID ?? "",
    retiredMacKeyIds: [],
    apiId: null,
    plans: {},
    sealIntervalMinutes: 1 / MINUTE_SECONDS,
    url: endpoint,
    knownAuthorities: false,
    witnessPolicy: null,
    pid: process.pid,
    accessKey: accessKeyOf(environment),
    endpoints: { dynamoDb: endpoint, s3: endpoint, kms: endpoint },
    trustAnchorsFile: environment.TSA_CA_FILE ?? "",
  };
  return connectLocal(deployment);
}

export async function createTenant(
  { registry, keys }: Operator,
  { index, name, chains }: Pick<LoadTenant, "index" | "name"> & { readonly chains: number },
): Promise<LoadTenant> {
  const { fingerprint } = await registry.create({ tenantId: name, plan: PLAN, chains });
  const { apiKey } = await keys.create({ tenantId: name, scopes: SCOPES, expiresAt: null });
  return { index, name, apiKey, anchor: await registry.anchor(name), fingerprint };
}
