// A tenant in a table and at an API Gateway, and runs of the operator's program on both that may die at any call.
import type { Deployment } from "../../contract/deployment.ts";
import { DEFAULT_PLANS } from "../../contract/plans.ts";
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import { createTenant } from "../../service/tenants/counted-tenants.ts";
import { GatewayKeys } from "../../service/tenants/gateway-keys.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { Tenants } from "../../service/tenants/tenants.ts";
import { FakeGateway } from "./fake-gateway.ts";
import { faultAt, type Interceptor, type Step, undisturbed } from "./faults.ts";
import type { Ledger, LedgerStack } from "./ledger-stack.ts";

export const DEPLOYMENT: Deployment = {
  name: "receipts",
  tableName: "table",
  rootsBucket: "bucket",
  billsBucket: "bills",
  macKeyId: "key",
  retiredMacKeyIds: [],
  apiId: "api",
  plans: {
    trial: { ...DEFAULT_PLANS.trial, usagePlanId: "plan-trial" },
    standard: { ...DEFAULT_PLANS.standard, usagePlanId: "plan-standard" },
  },
  sealIntervalMinutes: 1,
  url: "https://receipts.example",
  knownAuthorities: true,
  witnessPolicy: null,
};

export const ACME = { tenantId: "acme", plan: "trial", chains: 1 };
export const STANDARD = { name: "standard", chains: 8 };

/** One run of the program: what it calls passes through `intercept`. */
export function newRun(ledger: Ledger, fake: FakeGateway, intercept: Interceptor = undisturbed) {
  const process = ledger.newProcess(intercept);
  const services = {
    registry: new TenantRegistry(process.table, ledger.clock),
    keys: new ApiKeys(process.table, ledger.clock),
    gateway: new GatewayKeys(process.calls.through(fake.client), DEPLOYMENT),
    clock: ledger.clock,
  };
  return { ...services, services, tenants: new Tenants(process.table, ledger.clock), calls: process.calls };
}

/** With the tenant ACME. */
export async function newWorld(stack: LedgerStack) {
  const [ledger, fake] = [await stack.newLedger(), new FakeGateway()];
  const run = newRun(ledger, fake);
  const { fingerprint } = await createTenant(run.services, ACME);
  fake.learn();
  return { ledger, fake, fingerprint, ...run };
}

/** Runs until the step, of which the process dies; false where the run ended without it. */
export async function die(
  step: Step,
  mode: Parameters<typeof faultAt>[1],
  run: (intercept: Interceptor) => Promise<unknown>,
): Promise<boolean> {
  const death = Promise.withResolvers<boolean>();
  const died = () => death.resolve(true);
  const survived = run(faultAt(step, mode, { rival: async () => {}, died })).then(() => false);
  return Promise.race([survived, death.promise]);
}

export const DEATHS = ["is never made, for the process dies", "is the last that the process makes"] as const;
