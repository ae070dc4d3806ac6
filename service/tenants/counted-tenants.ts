// Tenants in the table and at API Gateway, which lets a call through only where its tenant has a key in a plan. The table
// says which key that is: one for each tenant that is not suspended, of its plan. Each command ends by making it so.
//
// A crash or a failure in between leaves a tenant that is not at API Gateway, or a key there that nobody is counted by. The
// list shows both, and the same command again clears them up.
import { usageKeyOf } from "./api-key-format.ts";
import type { GatewayKeys } from "./gateway-keys.ts";
import { hasLivingKey, type TenantKeyServices } from "./tenant-keys.ts";
import type { NewTenant, Tenant } from "./tenant-registry.ts";

export interface CountedTenantServices extends TenantKeyServices {
  /** Null where there is no API Gateway in front of the handlers. */
  readonly gateway: GatewayKeys | null;
}

/** Waits until a change is known everywhere; `what` is shown to the operator. */
export type PausedKeys = (what: string) => Promise<void>;

/** Creates a tenant, or finds the one that an earlier call created alike. */
export async function createTenant(services: CountedTenantServices, newTenant: NewTenant): Promise<Tenant> {
  const tenant = await services.registry.create(newTenant);
  // A crash here leaves a tenant that is listed as not at API Gateway: the same command finds it and goes on.
  await settle(services, tenant.tenantId);
  return tenant;
}

/** Refuses the tenant's calls, and frees its place at API Gateway, which has room for 10,000 keys of an account. */
export async function suspendTenant(services: CountedTenantServices, tenantId: string): Promise<void> {
  await services.registry.suspend(tenantId);
  // A crash here leaves a key at API Gateway by which nobody is counted.
  await settle(services, tenantId);
}

export async function resumeTenant(services: CountedTenantServices, tenantId: string): Promise<void> {
  const { registry, gateway } = services;
  const tenant = await registry.get(tenantId);
  // First, so that API Gateway knows it when the authorizer lets calls through again. A crash here leaves a key by which
  // nobody is counted yet.
  await gateway?.enter(tenant, tenant.plan);
  await registry.resume(tenantId);
  await settle(services, tenantId);
}

/** The plan that a tenant is moved to, and the chains that it gives. */
export interface NextPlan {
  readonly name: string;
  readonly chains: number;
}

/**
 * Moves a tenant to another plan, without a call that fails meanwhile: it is entered in the new plan before the authorizer
 * names that plan, and stays in the old one until no cached answer of the authorizer names it. Where the plan has more
 * chains, the tenant gets as many. Safe to repeat after a crash anywhere, and the way to enter a tenant that is not at API
 * Gateway.
 */
export async function movePlan(
  services: CountedTenantServices,
  tenantId: string,
  { name, chains }: NextPlan,
  pause: PausedKeys,
): Promise<void> {
  const { registry, gateway } = services;
  const before = await registry.get(tenantId);
  const isCalling = before.suspendedAt === null && (await hasLivingKey(services, tenantId));
  if (gateway !== null && before.suspendedAt === null && before.plan !== name) {
    await enterNext(services, before, name);
    // A crash up to here leaves a key of the new plan by which nobody is counted yet.
    if (isCalling) await pause("API Gateway knows the tenant in the new plan");
  }
  await registry.setPlan(tenantId, name);
  // A crash from here on leaves the tenant in both plans, or with fewer chains than its plan gives.
  await registry.raiseChains(tenantId, chains);
  if (gateway !== null && before.suspendedAt === null) {
    // Once more: a run at the same time may have taken the key away, while the table did not name its plan yet.
    await gateway.enter(before, name);
    const isInBoth = (await gateway.keysOf(tenantId)).length > 1;
    if (isCalling && isInBoth) await pause("the authorizer's cache forgets the old plan");
  }
  await settle(services, tenantId);
}

/** Enters a tenant in its next plan, or leaves nothing of it. */
async function enterNext(services: CountedTenantServices, tenant: Tenant, plan: string): Promise<void> {
  try {
    await services.gateway?.enter(tenant, plan);
  } catch (error) {
    // Where this fails as well, the list shows what is left.
    await settle(services, tenant.tenantId).catch(() => {});
    throw error;
  }
}

/** The plan in which API Gateway is to have the tenant; null for none. */
const countedPlan = ({ plan, suspendedAt }: Tenant): string | null => (suspendedAt === null ? plan : null);

/** Brings API Gateway to what the table says, and does so again where the table changes meanwhile. */
async function settle({ registry, gateway }: CountedTenantServices, tenantId: string): Promise<void> {
  if (gateway === null) return;
  for (let settled: string | null | undefined; ; ) {
    const tenant = await registry.get(tenantId);
    const plan = countedPlan(tenant);
    if (plan === settled) return;
    if (plan !== null) await gateway.enter(tenant, plan);
    await gateway.remove(tenant, plan);
    settled = plan;
  }
}

export interface ListedTenant extends Tenant {
  /** True where API Gateway lets the tenant's calls through, and for a suspended tenant, which needs no key there. */
  readonly isCounted: boolean;
}

export interface TenantList {
  readonly tenants: readonly ListedTenant[];
  /** The names of keys at API Gateway by which no tenant is counted. */
  readonly deadKeys: readonly string[];
}

export async function listTenants({ registry, gateway }: CountedTenantServices): Promise<TenantList> {
  const keys = gateway === null ? [] : await gateway.keysOf();
  const tenants = await registry.list();
  const wanted = new Set(tenants.map(usageKeyFor));
  const entered = new Set(gateway === null ? wanted : await gateway.valuesInPlans(keys));
  return {
    tenants: tenants.map((tenant) => {
      const value = usageKeyFor(tenant);
      return { ...tenant, isCounted: value === null || entered.has(value) };
    }),
    deadKeys: keys.filter(({ value }) => !wanted.has(value)).map(({ name }) => name),
  };
}

/** The name that the authorizer gives the tenant's calls; null where it lets none through. */
function usageKeyFor(tenant: Tenant): string | null {
  const plan = countedPlan(tenant);
  return plan === null ? null : usageKeyOf(tenant.fingerprint, plan);
}
