// Tenants as operators see them: created, listed, suspended, changed. Every call is safe to repeat.
import { randomBytes, randomUUID } from "node:crypto";
import { MAX_CHAINS, MAX_RETENTION_MONTHS, MIN_RETENTION_MONTHS } from "../../contract/limits.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { ANCHOR_BYTES, fingerprintOf } from "../../evidence/core/formats/tenant-anchor.ts";
import type { Chain } from "../ledger/chain.ts";
import { listChains, type RetainedTenant, type TenantChains } from "../ledger/tenant-chains.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { allOf, isAtMost, isEqual, itemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { TENANTS_PARTITION, tenantIndexKey, tenantKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Update } from "../table/write.ts";
import { readInlineStamps, readPreview, readTenantChains } from "./tenants.ts";

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
  /** The same as in `Caller`, as the next one. */
  readonly inlineStampsPerMinute: number | null;
  readonly isPreview: boolean;
  /** Receipts of older months are removed; null where all are kept. */
  readonly retentionMonths: number | null;
}

/** A tenant with the secret from which the ids of its chains follow. */
export interface KnownTenant extends Tenant {
  readonly tenantAnchor: string;
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
    const message = `the tenant ${tenantId} exists already, with plan ${tenant.plan} and ${tenant.chains === 1 ? "1 chain" : `${tenant.chains} chains`}`;
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

  /** The anchor and the number of chains of each tenant, by their ids. */
  async tenantChains(): Promise<[tenantId: string, chains: TenantChains][]> {
    return (await this.#items()).map(([tenantId, item]) => [tenantId, readTenantChains(item)]);
  }

  /** The chains of all tenants. */
  async allChains(): Promise<Chain[]> {
    return (await this.#items()).flatMap(([, item]) => listChains(readTenantChains(item)));
  }

  /** All tenants, by their ids. */
  async list(): Promise<Tenant[]> {
    return (await this.#items()).map(([tenantId, item]) => readTenant(tenantId, item));
  }

  /** The same with their anchors, for an operator's program that looks into their chains. */
  async listWithAnchors(): Promise<KnownTenant[]> {
    return (await this.#items()).map(([tenantId, item]) => ({
      ...readTenant(tenantId, item),
      tenantAnchor: textOf(item, "tenant_anchor"),
    }));
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

  /**
   * Ends the suspension that there is now. A request of this call's that arrives late, when the call was long repeated, ends
   * no later suspension. Throws `not_found`.
   */
  async resume(tenantId: string): Promise<void> {
    const { suspendedAt } = await this.get(tenantId);
    if (suspendedAt === null) return;
    const isThisOne = isEqual("suspended_at", { S: suspendedAt });
    await this.#table.update({ key: tenantKey(tenantId), remove: ["suspended_at"], when: isThisOne });
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

  /** Lets the tenant use layers in development, or no longer. */
  setPreview(tenantId: string, isPreview: boolean): Promise<void> {
    if (!isPreview) return this.#change(tenantId, { remove: ["preview"] });
    return this.#change(tenantId, { set: { preview: { BOOL: true } } });
  }

  /** Receipts of older months are removed from now on; null: none are. */
  async setRetention(tenantId: string, months: number | null): Promise<void> {
    if (months === null) return this.#change(tenantId, { remove: ["retention_months"] });
    const isWithin = Number.isSafeInteger(months) && months >= MIN_RETENTION_MONTHS;
    if (!isWithin || months > MAX_RETENTION_MONTHS) {
      const message = `retention is ${MIN_RETENTION_MONTHS} to ${MAX_RETENTION_MONTHS} months`;
      throw new DisclosureError("invalid_request", message, { months });
    }
    return this.#change(tenantId, { set: { retention_months: { N: String(months) } } });
  }

  /** The chains of the tenants that have a retention: of all of them, or of one. Throws `not_found`. */
  async retained(tenantId: string | null): Promise<RetainedTenant[]> {
    if (tenantId !== null) await this.get(tenantId);
    return (await this.#items()).flatMap(([id, item]) => {
      const { retentionMonths: months } = readTenant(id, item);
      if (months === null || (tenantId !== null && id !== tenantId)) return [];
      return [{ months, chains: listChains(readTenantChains(item)) }];
    });
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
  isPreview: readPreview(item),
  retentionMonths: item.retention_months === undefined ? null : integerOf(item, "retention_months"),
});

function noTenant(tenantId: string): never {
  throw new DisclosureError("not_found", `there is no tenant ${tenantId}`);
}
