// Tenants as operators see them: created, listed, suspended, changed. Every call is safe to repeat.
import { randomBytes, randomUUID } from "node:crypto";
import { MAX_CHAINS } from "../../contract/limits.ts";
import { DisclosureError } from "../../core/errors.ts";
import { ANCHOR_BYTES, fingerprintOf } from "../../core/formats/tenant-anchor.ts";
import type { Chain } from "../ledger/chain.ts";
import { listChains } from "../ledger/tenant-chains.ts";
import { textOf } from "../table/attributes.ts";
import { allOf, isAtMost, itemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { TENANTS_PARTITION, tenantIndexKey, tenantKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Update } from "../table/write.ts";
import { readInlineStamps, readTenantChains } from "./tenants.ts";

export interface NewTenant {
  readonly tenantId: string;
  readonly plan: string;
  /** The number of chains that the tenant's conversations are spread over; it may grow later. */
  readonly chains: number;
}

export interface Tenant {
  readonly tenantId: string;
  readonly plan: string;
  /** How many chains its conversations are spread over. */
  readonly chains: number;
  /** The hash of its anchor, which may be printed. */
  readonly fingerprint: string;
  /** RFC 3339, as the next one. */
  readonly createdAt: string;
  readonly suspendedAt: string | null;
  /** The same as in `Caller`. */
  readonly inlineStampsPerMinute: number | null;
}

export class TenantRegistry {
  readonly #table: Table;
  readonly #clock: () => Date;

  constructor(table: Table, clock: () => Date) {
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * Creates a tenant and its anchor, or finds the one that an earlier call created alike, which keeps its anchor. Throws
   * `invalid_request` where one of this id has another plan or number of chains.
   */
  async create({ tenantId, plan, chains }: NewTenant): Promise<Tenant> {
    requireChains(chains);
    const outcome = await this.#table.transact(
      [{ insert: this.#newItem({ tenantId, plan, chains }) }, { put: tenantIndexKey(tenantId) }],
      randomUUID(),
    );
    // Another run may have created it: its anchor, and so its chains, are those that the table holds.
    const item = await this.#table.get(tenantKey(tenantId));
    if (item === null) throw new DisclosureError("ledger_contended", "the table is too busy; try again");
    // A tenant of a version that had no list gets its place in it.
    if (outcome.kind !== "committed") await this.#table.put(tenantIndexKey(tenantId));
    const tenant = readTenant(tenantId, item);
    if (tenant.plan === plan && tenant.chains === chains) return tenant;
    const message = `the tenant ${tenantId} exists already, with plan ${tenant.plan} and ${tenant.chains} chains`;
    throw new DisclosureError("invalid_request", message);
  }

  #newItem({ tenantId, plan, chains }: NewTenant): Item {
    return {
      ...tenantKey(tenantId),
      tenant_anchor: { S: randomBytes(ANCHOR_BYTES).toString("hex") },
      chains: { N: String(chains) },
      plan: { S: plan },
      created_at: { S: this.#clock().toISOString() },
    };
  }

  /** Throws `not_found`. */
  async get(tenantId: string): Promise<Tenant> {
    const item = await this.#table.get(tenantKey(tenantId));
    return item === null ? noTenant(tenantId) : readTenant(tenantId, item);
  }

  /** The secret from which all chain ids of the tenant follow. Throws `not_found`. */
  async anchor(tenantId: string): Promise<string> {
    const item = await this.#table.get(tenantKey(tenantId));
    return item === null ? noTenant(tenantId) : textOf(item, "tenant_anchor");
  }

  /** The chains of one tenant, in the order of their shards. Throws `not_found`. */
  async chains(tenantId: string): Promise<Chain[]> {
    const item = await this.#table.get(tenantKey(tenantId));
    return item === null ? noTenant(tenantId) : listChains(readTenantChains(item));
  }

  /** The chains of all tenants. */
  async allChains(): Promise<Chain[]> {
    return (await this.#items()).flatMap(([, item]) => listChains(readTenantChains(item)));
  }

  /** All tenants, by their ids. */
  async list(): Promise<Tenant[]> {
    return (await this.#items()).map(([tenantId, item]) => readTenant(tenantId, item));
  }

  async #items(): Promise<[tenantId: string, item: Item][]> {
    const index = await this.#table.query({ partition: TENANTS_PARTITION });
    const ids = index.map((item) => textOf(item, "sk"));
    const items = await this.#table.batchGet(ids.map(tenantKey));
    const byKey = new Map(items.map((item) => [textOf(item, "pk"), item]));
    return ids.flatMap((id): [string, Item][] => {
      const item = byKey.get(tenantKey(id).pk.S);
      return item === undefined ? [] : [[id, item]];
    });
  }

  /** Refuses the tenant's keys as soon as the authorizer's cache forgets them. Throws `not_found`. */
  suspend(tenantId: string): Promise<void> {
    return this.#change(tenantId, { setOnce: { suspended_at: { S: this.#clock().toISOString() } } });
  }

  resume(tenantId: string): Promise<void> {
    return this.#change(tenantId, { remove: ["suspended_at"] });
  }

  setPlan(tenantId: string, plan: string): Promise<void> {
    return this.#change(tenantId, { set: { plan: { S: plan } } });
  }

  /**
   * Spreads the tenant's new conversations over so many chains, unless they are spread over as many already: the number
   * never shrinks, for no chain may be left without its conversations. Of two runs at once, the larger number stands.
   * Throws `not_found`.
   */
  async raiseChains(tenantId: string, chains: number): Promise<void> {
    requireChains(chains);
    const fewer = isAtMost("chains", { N: String(chains - 1) });
    const change = { key: tenantKey(tenantId), set: { chains: { N: String(chains) } } };
    const wasRaised = await this.#table.update({ ...change, when: allOf(itemExists, fewer) });
    if (!wasRaised) await this.get(tenantId);
  }

  /** Attestations a minute that are stamped in the call; 0 means none, null means what the deployment does. */
  setInlineStamps(tenantId: string, perMinute: number | null): Promise<void> {
    if (perMinute === null) return this.#change(tenantId, { remove: ["inline_stamps_per_minute"] });
    return this.#change(tenantId, { set: { inline_stamps_per_minute: { N: String(perMinute) } } });
  }

  async #change(tenantId: string, change: Pick<Update, "set" | "setOnce" | "remove">): Promise<void> {
    const wasThere = await this.#table.update({ key: tenantKey(tenantId), when: itemExists, ...change });
    if (!wasThere) noTenant(tenantId);
  }
}

function requireChains(chains: number): void {
  if (Number.isSafeInteger(chains) && chains >= 1 && chains <= MAX_CHAINS) return;
  throw new DisclosureError("invalid_request", `a tenant has 1 to ${MAX_CHAINS} chains`, { chains });
}

const readTenant = (tenantId: string, item: Item): Tenant => ({
  tenantId,
  plan: textOf(item, "plan"),
  chains: readTenantChains(item).chains,
  fingerprint: fingerprintOf(textOf(item, "tenant_anchor")),
  createdAt: textOf(item, "created_at"),
  suspendedAt: item.suspended_at?.S ?? null,
  inlineStampsPerMinute: readInlineStamps(item),
});

function noTenant(tenantId: string): never {
  throw new DisclosureError("not_found", `there is no tenant ${tenantId}`);
}
