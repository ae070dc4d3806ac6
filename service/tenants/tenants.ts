// Authenticates callers: tenants by their API keys. Only a hash of a key is stored.
import { timingSafeEqual } from "node:crypto";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { TenantChains } from "../ledger/tenant-chains.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { apiKeyKey, tenantKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { hashSecret, parseApiKey, SECRET_HASH_BYTES } from "./api-key-format.ts";

export const SCOPES = ["attest", "report"] as const;
export type Scope = (typeof SCOPES)[number];

/** The caller as the authorizer found it. */
export interface Caller extends TenantChains {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** When the key ends (RFC 3339), or null. */
  readonly keyExpiresAt: string | null;
  readonly plan: string;
  /** Attestations a minute that are stamped in the call; 0 means none, null means what the deployment does. */
  readonly inlineStampsPerMinute: number | null;
  /** The digest of the document with the tenant's own wordings; null where it has none. */
  readonly ownWordings: string | null;
  /** True where the tenant may use layers in development. */
  readonly isPreview: boolean;
}

export class Tenants {
  readonly #table: Table;
  readonly #clock: () => Date;

  constructor(table: Table, clock: () => Date) {
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * The caller that holds `apiKey`. Throws `unauthorized` for an unknown key, and `forbidden` for one that is revoked or
   * expired or whose tenant is suspended: its holder may know that.
   */
  async authenticate(apiKey: string): Promise<Caller> {
    const parsed = parseApiKey(apiKey);
    if (parsed === null) throw unauthorized();
    const { keyId, secret } = parsed;
    const key = await this.#table.get(apiKeyKey(keyId));
    // An unknown key is compared too, so that the time of the answer doesn't tell which key ids exist.
    const expected = key?.secret_hash?.B ?? new Uint8Array(SECRET_HASH_BYTES);
    const isRight = timingSafeEqual(hashSecret(secret), expected);
    if (key === null || !isRight) throw unauthorized();
    this.#checkLife(key);
    const tenant = await this.#table.get(tenantKey(textOf(key, "tenant_id")));
    if (tenant?.suspended_at !== undefined)
      throw new DisclosureError("forbidden", "the account is suspended");
    return readCaller(keyId, key, tenant ?? {});
  }

  #checkLife(key: Item): void {
    if (key.revoked_at !== undefined) throw new DisclosureError("forbidden", "the API key was revoked");
    const expiresAt = key.expires_at?.S;
    // Written so that an instant which can't be read counts as past.
    if (expiresAt !== undefined && !(Date.parse(expiresAt) > this.#clock().getTime())) {
      throw new DisclosureError("forbidden", "the API key has expired");
    }
  }
}

const unauthorized = (): DisclosureError => new DisclosureError("unauthorized", "the API key is unknown");

const readCaller = (keyId: string, key: Item, tenant: Item): Caller => ({
  keyId,
  tenantId: textOf(key, "tenant_id"),
  scopes: readTexts(key, "scopes"),
  keyExpiresAt: key.expires_at?.S ?? null,
  plan: textOf(tenant, "plan"),
  ...readTenantChains(tenant),
  inlineStampsPerMinute: readInlineStamps(tenant),
  ownWordings: readOwnWordingsDigest(tenant),
  isPreview: readPreview(tenant),
});

/** The secret from which the ids of the tenant's chains follow, and their number. */
export const readTenantChains = (tenant: Item): TenantChains => ({
  tenantAnchor: textOf(tenant, "tenant_anchor"),
  chains: chainsOf(tenant),
});

/** The number of a tenant's chains; `ledger_corrupt` where it has none. */
function chainsOf(tenant: Item): number {
  const chains = integerOf(tenant, "chains");
  if (chains > 0) return chains;
  throw new DisclosureError("ledger_corrupt", "a tenant has no chain");
}

/** Null where the tenant's item says nothing of it. */
export const readInlineStamps = (tenant: Item): number | null =>
  tenant.inline_stamps_per_minute === undefined ? null : integerOf(tenant, "inline_stamps_per_minute");

export const readOwnWordingsDigest = (tenant: Item): string | null =>
  tenant.own_wordings === undefined ? null : textOf(tenant, "own_wordings");

export const readPreview = (tenant: Item): boolean => tenant.preview?.BOOL === true;

export const readTexts = (item: Item, name: string): string[] =>
  (item[name]?.L ?? []).flatMap(({ S }) => S ?? []);
