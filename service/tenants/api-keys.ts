// API keys as operators see them. A key and its place in the list of its tenant are written together.
import { randomUUID } from "node:crypto";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { textOf } from "../table/attributes.ts";
import { allOf, anyOf, isAbove, isAbsent, itemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import {
  API_KEYS_FROM,
  API_KEYS_UP_TO,
  apiKeyIndexKey,
  apiKeyKey,
  tenantKey,
  tenantPartition,
} from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { CONDITION_FAILED, type TransactionOutcome } from "../table/transaction-outcome.ts";
import { formatApiKey, hashSecret, newApiKey } from "./api-key-format.ts";
import { readLastUses } from "./key-uses.ts";
import { readTexts, type Scope } from "./tenants.ts";

export interface NewApiKey {
  readonly tenantId: string;
  readonly scopes: readonly Scope[];
  /** RFC 3339, or null for a key that doesn't expire. */
  readonly expiresAt: string | null;
}

/** All that is stored of a key but the hash of its secret. Instants are RFC 3339. */
export interface ApiKey {
  readonly keyId: string;
  readonly tenantId: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export class ApiKeys {
  readonly #table: Table;
  readonly #clock: () => Date;

  constructor(table: Table, clock: () => Date) {
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * Creates a key and returns it whole. It can't be shown again: only the hash of its secret is kept. A crash after
   * the write leaves a key in the list whose secret is lost. Throws `not_found` for an unknown tenant.
   */
  async create({ tenantId, scopes, expiresAt }: NewApiKey): Promise<{ keyId: string; apiKey: string }> {
    const { keyId, secret } = newApiKey();
    const createdAt = this.#clock().toISOString();
    const item: Item = {
      ...apiKeyKey(keyId),
      tenant_id: { S: tenantId },
      secret_hash: { B: hashSecret(secret) },
      scopes: { L: scopes.map((S) => ({ S })) },
      created_at: { S: createdAt },
      ...(expiresAt !== null && { expires_at: { S: expiresAt } }),
    };
    const outcome = await this.#table.transact(
      [{ check: tenantKey(tenantId) }, { insert: item }, { put: apiKeyIndexKey(tenantId, keyId) }],
      randomUUID(),
    );
    if (outcome.kind !== "committed") refused(outcome, tenantId);
    return { keyId, apiKey: formatApiKey({ keyId, secret }) };
  }

  /** Throws `not_found`. */
  async get(keyId: string): Promise<ApiKey> {
    const item = await this.#table.get(apiKeyKey(keyId));
    return item === null ? noKey(keyId) : readApiKey(keyId, item);
  }

  /** The keys of a tenant, oldest first. */
  async list(tenantId: string): Promise<ApiKey[]> {
    const range = { from: API_KEYS_FROM, upTo: API_KEYS_UP_TO };
    const index = await this.#table.query({ partition: tenantPartition(tenantId), ...range });
    const ids = index.map((item) => textOf(item, "sk").slice(API_KEYS_FROM.length));
    const items = await this.#table.batchGet(ids.map(apiKeyKey));
    return items
      .map((item) => readApiKey(textOf(item, "pk").slice(API_KEYS_FROM.length), item))
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }

  /** The last day on which each of these was used, as far as it was noted. */
  lastUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return readLastUses(this.#table, keyIds);
  }

  /** Revokes a key; that can't be undone, and works once the authorizer's cache forgets the key. Throws `not_found`. */
  async revoke(keyId: string): Promise<void> {
    const revoked_at = { S: this.#clock().toISOString() };
    const wasThere = await this.#table.update({
      key: apiKeyKey(keyId),
      setOnce: { revoked_at },
      when: itemExists,
    });
    if (!wasThere) noKey(keyId);
  }

  /** Lets a key end at `expiresAt` (RFC 3339), unless it ends before anyway. Throws `not_found`. */
  async expire(keyId: string, expiresAt: string): Promise<void> {
    await this.get(keyId);
    const expires_at = { S: expiresAt };
    // The table decides: of two runs at once, neither may put off the end that the other gave.
    const endsLater = anyOf(isAbsent("expires_at"), isAbove("expires_at", expires_at));
    await this.#table.update({
      key: apiKeyKey(keyId),
      set: { expires_at },
      when: allOf(itemExists, endsLater),
    });
  }
}

const readApiKey = (keyId: string, item: Item): ApiKey => ({
  keyId,
  tenantId: textOf(item, "tenant_id"),
  scopes: readTexts(item, "scopes"),
  createdAt: textOf(item, "created_at"),
  expiresAt: item.expires_at?.S ?? null,
  revokedAt: item.revoked_at?.S ?? null,
});

function refused(outcome: TransactionOutcome, tenantId: string): never {
  const [tenant] = outcome.kind === "refused" ? outcome.refusals : [];
  if (tenant?.code === CONDITION_FAILED)
    throw new DisclosureError("not_found", `there is no tenant ${tenantId}`);
  throw new DisclosureError("ledger_contended", "the table is too busy; try again");
}

function noKey(keyId: string): never {
  throw new DisclosureError("not_found", `there is no API key ${keyId}`);
}
