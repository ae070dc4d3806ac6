// Tenants, their chains and their API keys. Of a key only a hash is stored; it is compared in constant time.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { utf8 } from "../core/bytes.ts";
import { DisclosureError } from "../core/errors.ts";
import { MAX_SHARD } from "../core/event-id.ts";
import { hashBytes } from "../core/hash.ts";
import type { Chain } from "./append-plan.ts";
import { textOf } from "./attributes.ts";
import { apiKeyKey, tenantKey } from "./keys.ts";
import type { Table } from "./table.ts";
import type { Item } from "./transaction-outcome.ts";

/** dr_live_<key id>_<secret>: 80 bits that name the key, 256 bits that open it. */
const API_KEY = /^dr_live_([0-9a-f]{20})_([0-9a-f]{64})$/;
const KEY_ID_BYTES = 10;
const SECRET_BYTES = 32;
const CHAIN_ID_BYTES = 16;

export const SCOPES = ["attest", "report"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who calls, as the authorizer found it out. */
export interface Caller {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly plan: string;
  /** The tenant's chains; the place of a chain in the list is its shard. */
  readonly chainIds: readonly string[];
}

export interface NewTenant {
  readonly tenantId: string;
  readonly plan: string;
  /** How many chains the tenant's conversations are spread over; it can't be changed later. */
  readonly chains: number;
}

export interface NewApiKey {
  readonly tenantId: string;
  readonly scopes: readonly Scope[];
  /** RFC 3339, or null for a key that doesn't expire. */
  readonly expiresAt: string | null;
}

export class Tenants {
  readonly #table: Table;
  readonly #clock: () => Date;

  constructor(table: Table, clock: () => Date) {
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * Who holds `apiKey`. Throws `unauthorized` for a key that there is not, and `forbidden` for one that is revoked
   * or expired or whose tenant is suspended: its holder may know that.
   */
  async authenticate(apiKey: string): Promise<Caller> {
    const [, keyId, secret] = API_KEY.exec(apiKey) ?? [];
    if (keyId === undefined || secret === undefined) throw unauthorized();
    const key = await this.#table.get(apiKeyKey(keyId));
    // An unknown key is compared too, so that the time of the answer doesn't tell which key ids exist.
    const isRight = timingSafeEqual(hashSecret(secret), key?.secret_hash?.B ?? new Uint8Array(SECRET_BYTES));
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

  /** Creates a tenant and its chains. Throws `invalid_request` where it exists. */
  async createTenant({ tenantId, plan, chains }: NewTenant): Promise<void> {
    if (!Number.isSafeInteger(chains) || chains < 1 || chains > MAX_SHARD + 1) {
      throw new DisclosureError("invalid_request", "a tenant has 1 to 4,096 chains", { chains });
    }
    const chainIds = Array.from({ length: chains }, () => randomBytes(CHAIN_ID_BYTES).toString("hex"));
    const isNew = await this.#table.update({
      Key: tenantKey(tenantId),
      UpdateExpression: "SET chain_ids = :chains, #plan = :plan, created_at = :now",
      ConditionExpression: "attribute_not_exists(pk)",
      ExpressionAttributeNames: { "#plan": "plan" },
      ExpressionAttributeValues: {
        ":chains": { L: chainIds.map((S) => ({ S })) },
        ":plan": { S: plan },
        ":now": { S: this.#clock().toISOString() },
      },
    });
    if (!isNew) throw new DisclosureError("invalid_request", "the tenant exists already");
  }

  /** Creates a key and returns it whole. It can't be shown again: only the hash of its secret is kept. */
  async createApiKey({ tenantId, scopes, expiresAt }: NewApiKey): Promise<string> {
    const keyId = randomBytes(KEY_ID_BYTES).toString("hex");
    const secret = randomBytes(SECRET_BYTES).toString("hex");
    await this.#table.put({
      ...apiKeyKey(keyId),
      tenant_id: { S: tenantId },
      secret_hash: { B: hashSecret(secret) },
      scopes: { L: scopes.map((S) => ({ S })) },
      created_at: { S: this.#clock().toISOString() },
      ...(expiresAt !== null && { expires_at: { S: expiresAt } }),
    });
    return `dr_live_${keyId}_${secret}`;
  }

  /** Revokes a key for good; it dies as soon as the authorizer's cache forgets it. Throws `not_found`. */
  async revokeApiKey(keyId: string): Promise<void> {
    const wasThere = await this.#table.update({
      Key: apiKeyKey(keyId),
      UpdateExpression: "SET revoked_at = if_not_exists(revoked_at, :now)",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":now": { S: this.#clock().toISOString() } },
    });
    if (!wasThere) throw new DisclosureError("not_found", "there is no such API key");
  }
}

/** The chain of a conversation: always the same one, by a hash of its id. */
export function chainOf(caller: Caller, interactionId: string): Chain {
  const hash = hashBytes(utf8(interactionId));
  const shard = new DataView(hash.buffer, hash.byteOffset).getUint32(0) % caller.chainIds.length;
  return { shard, chainId: chainAt(caller, shard) ?? noChain() };
}

/** The id of one of the caller's chains, or null where there is none of that shard. */
export const chainAt = (caller: Caller, shard: number): string | null => caller.chainIds[shard] ?? null;

function noChain(): never {
  throw new DisclosureError("ledger_corrupt", "a tenant has no chain");
}

/** A secret of 256 random bits needs no slow hash: there is nothing to guess. */
const hashSecret = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

const unauthorized = (): DisclosureError => new DisclosureError("unauthorized", "the API key is unknown");

const readCaller = (keyId: string, key: Item, tenant: Item): Caller => ({
  keyId,
  tenantId: textOf(key, "tenant_id"),
  scopes: readTexts(key, "scopes"),
  plan: textOf(tenant, "plan"),
  chainIds: readTexts(tenant, "chain_ids"),
});

const readTexts = (item: Item, name: string): string[] => (item[name]?.L ?? []).flatMap(({ S }) => S ?? []);
