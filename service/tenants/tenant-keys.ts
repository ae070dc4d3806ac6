// API keys as operators issue, rotate and list them. They are in the table alone: API Gateway counts by tenant
// (counted-tenants.ts), so a key works as soon as it is written, if its tenant is there.
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { ApiKey, ApiKeys, NewApiKey } from "./api-keys.ts";
import type { CountedTenant } from "./gateway-keys.ts";
import type { TenantRegistry } from "./tenant-registry.ts";
import { SCOPES } from "./tenants.ts";

export interface TenantKeyServices {
  readonly registry: TenantRegistry;
  readonly keys: ApiKeys;
  readonly clock: () => Date;
}

/** The part of API Gateway that the list of keys needs. */
interface Gateway {
  readonly isEntered: (tenant: CountedTenant, plan: string) => Promise<boolean>;
}

export type KeyState = "active" | "expired" | "revoked" | "not_at_gateway";
export interface ListedKey extends ApiKey {
  readonly state: KeyState;
  /** YYYY-MM-DD, UTC; null where no use was noted. */
  readonly lastUsedOn: string | null;
}

/** The terms on which a key is replaced by another one. */
export interface Rotation {
  readonly keyId: string;
  /** The time for which the old key still works. */
  readonly graceMs: number;
  /** The new key's end, RFC 3339; undefined for the end that the old key would have had. */
  readonly expiresAt?: string;
}

/**
 * Issues a key like an old one and gives that one an end, which is returned (RFC 3339). `show` gets the new key before
 * the old one's end is written: a crash in between costs nobody a working key. Throws `invalid_request` for an old key
 * that has expired or was revoked.
 */
export async function rotateKey(
  { keys, clock }: TenantKeyServices,
  { keyId, graceMs, expiresAt }: Rotation,
  show: (issued: NewApiKey & { readonly keyId: string; readonly apiKey: string }) => void,
): Promise<string> {
  const old = await keys.get(keyId);
  const now = clock();
  if (!isAlive(old, now))
    throw new DisclosureError("invalid_request", "the key has expired or was revoked; create a new one");
  const scopes = SCOPES.filter((scope) => old.scopes.includes(scope));
  const newKey = { tenantId: old.tenantId, scopes, expiresAt: expiresAt ?? old.expiresAt };
  show({ ...newKey, ...(await keys.create(newKey)) });
  await keys.expire(keyId, new Date(now.getTime() + graceMs).toISOString());
  return (await keys.get(keyId)).expiresAt ?? "";
}

/** The keys of a tenant, oldest first. Those of a suspended tenant open nothing, whichever plan the gateway has it on. */
export async function listKeys(
  { registry, keys, gateway, clock }: TenantKeyServices & { readonly gateway: Gateway | null },
  tenantId: string,
): Promise<ListedKey[]> {
  const tenant = await registry.get(tenantId);
  const isCounted =
    gateway === null || tenant.suspendedAt !== null || (await gateway.isEntered(tenant, tenant.plan));
  const now = clock();
  const listed = await keys.list(tenantId);
  const lastUses = await keys.lastUses(listed.map(({ keyId }) => keyId));
  return listed.map((key) => ({
    ...key,
    state: stateOf(key, isCounted, now),
    lastUsedOn: lastUses.get(key.keyId) ?? null,
  }));
}

function stateOf(key: ApiKey, isCounted: boolean, now: Date): KeyState {
  if (key.revokedAt !== null) return "revoked";
  if (!isAlive(key, now)) return "expired";
  return isCounted ? "active" : "not_at_gateway";
}

/** Resolves to true if anybody can call with a key of the tenant's. */
export const hasLivingKey = async ({ keys, clock }: TenantKeyServices, tenantId: string): Promise<boolean> =>
  (await keys.list(tenantId)).some((key) => isAlive(key, clock()));

const isAlive = ({ revokedAt, expiresAt }: ApiKey, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now.getTime());
