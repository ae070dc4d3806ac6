// Changes of both the table and API Gateway: keys are issued and revoked, and tenants change their plan. A key works
// only while it is in both. The table comes first: it lists every key that there is, whatever crashes when.
import { DisclosureError } from "../../core/errors.ts";
import type { ApiKey, ApiKeys, NewApiKey } from "./api-keys.ts";
import type { GatewayKeys } from "./gateway-keys.ts";
import type { TenantRegistry } from "./tenant-registry.ts";
import { SCOPES } from "./tenants.ts";

export interface TenantKeyServices {
  readonly registry: TenantRegistry;
  readonly keys: ApiKeys;
  /** Null where there is no API Gateway in front of the handlers. */
  readonly gateway: GatewayKeys | null;
  readonly clock: () => Date;
}

export type KeyState = "active" | "expired" | "revoked" | "not_at_gateway";
export type ListedKey = ApiKey & { readonly state: KeyState };

/** Waits until a change is known everywhere; `what` is shown to the operator. */
export type PausedKeys = (what: string) => Promise<void>;

/** Issues a key and returns it whole, for the only time. Throws `not_found`, `gateway_unavailable`. */
export async function issueKey(
  services: TenantKeyServices,
  newKey: NewApiKey,
): Promise<{ readonly keyId: string; readonly apiKey: string }> {
  const issued = await services.keys.create(newKey);
  // A crash from here on leaves a key that is listed and whose secret is lost: it can't be used.
  try {
    await enterPlan(services, newKey.tenantId, issued.keyId);
  } catch (cause) {
    await services.keys.revoke(issued.keyId);
    const message = "API Gateway did not take the key, so it was revoked; try again";
    throw new DisclosureError("gateway_unavailable", message, { keyId: issued.keyId }, cause);
  }
  return issued;
}

/** Enters a key in its tenant's plan, and in the next one where the plan changes meanwhile. */
async function enterPlan(
  { registry, gateway }: TenantKeyServices,
  tenantId: string,
  keyId: string,
): Promise<void> {
  if (gateway === null) return;
  for (let entered: string | null = null; ; ) {
    const { plan } = await registry.get(tenantId);
    if (plan === entered) return;
    await gateway.enter(keyId, plan);
    entered = plan;
  }
}

/** The terms on which a key is replaced by another one. */
export interface Rotation {
  readonly keyId: string;
  /** The time for which the old key still works. */
  readonly graceMs: number;
  /** When the new key ends, RFC 3339; undefined: when the old one would have. */
  readonly expiresAt?: string;
}

/**
 * Issues a key like an old one and gives that one an end, which is returned (RFC 3339). `show` gets the new key before
 * the old one's end is written: a crash in between costs nobody a working key. Throws `invalid_request` for an old key
 * that has expired or was revoked.
 */
export async function rotateKey(
  services: TenantKeyServices,
  { keyId, graceMs, expiresAt }: Rotation,
  show: (issued: NewApiKey & { readonly keyId: string; readonly apiKey: string }) => void,
): Promise<string> {
  const { keys, clock } = services;
  const old = await keys.get(keyId);
  const now = clock();
  if (!isAlive(old, now))
    throw new DisclosureError("invalid_request", "the key has expired or was revoked; create a new one");
  const scopes = SCOPES.filter((scope) => old.scopes.includes(scope));
  const newKey = { tenantId: old.tenantId, scopes, expiresAt: expiresAt ?? old.expiresAt };
  show({ ...newKey, ...(await issueKey(services, newKey)) });
  await keys.expire(keyId, new Date(now.getTime() + graceMs).toISOString());
  return (await keys.get(keyId)).expiresAt ?? "";
}

/** Safe to repeat. A crash in between leaves a dead key at API Gateway, which the next call takes away. */
export async function revokeKey({ keys, gateway }: TenantKeyServices, keyId: string): Promise<void> {
  await keys.revoke(keyId);
  await gateway?.remove(keyId);
}

export async function listKeys(services: TenantKeyServices, tenantId: string): Promise<ListedKey[]> {
  const { plan } = await services.registry.get(tenantId);
  const listed: ListedKey[] = [];
  for (const key of await services.keys.list(tenantId)) {
    listed.push({ ...key, state: await stateOf(services, key, plan) });
  }
  return listed;
}

async function stateOf({ gateway, clock }: TenantKeyServices, key: ApiKey, plan: string): Promise<KeyState> {
  if (key.revokedAt !== null) return "revoked";
  if (!isAlive(key, clock())) return "expired";
  if (gateway !== null && !(await gateway.isEntered(key.keyId, plan))) return "not_at_gateway";
  return "active";
}

const isAlive = ({ revokedAt, expiresAt }: ApiKey, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now.getTime());

/**
 * Moves a tenant and its keys to another plan, without a call that fails meanwhile: each key is in the new plan before
 * the authorizer names that plan, and stays in the old one until no cached answer of the authorizer names it. Safe to
 * repeat after a crash anywhere, and the way to enter keys that are not at API Gateway.
 */
export async function movePlan(
  services: TenantKeyServices,
  tenantId: string,
  plan: string,
  pause: PausedKeys,
): Promise<void> {
  const { registry, keys, gateway, clock } = services;
  await registry.get(tenantId);
  const listLiving = async (): Promise<string[]> =>
    (await keys.list(tenantId)).filter((key) => isAlive(key, clock())).map(({ keyId }) => keyId);
  const enterAll = async (): Promise<string[]> => {
    const keyIds = gateway === null ? [] : await listLiving();
    for (const keyId of keyIds) await gateway?.enter(keyId, plan);
    return keyIds;
  };
  const entered = await enterAll();
  if (entered.length > 0) await pause("API Gateway learns the keys of the new plan");
  await registry.setPlan(tenantId, plan);
  // Once more, for a key that was issued under the old plan meanwhile.
  const moved = await enterAll();
  if (moved.length > 0) await pause("the authorizer's cache forgets the old plan");
  // If another run has moved the tenant again, its keys must stay in this plan.
  if ((await registry.get(tenantId)).plan !== plan) return;
  for (const keyId of moved) await gateway?.remove(keyId, plan);
}
