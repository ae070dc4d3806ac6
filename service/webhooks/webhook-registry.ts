// The webhooks of tenants as operators set them: one a tenant. Every call is safe to repeat.
import { DAY_MS } from "../../contract/time.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../evidence/core/formats/webhooks.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readNewestSpanWithin } from "../seals/span.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { isEqual, itemExists } from "../table/condition.ts";
import { mapInGroups } from "../table/in-groups.ts";
import type { Item } from "../table/item.ts";
import { webhookIndexKey, webhookKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import { writeCursor } from "./delivery-state.ts";
import type { SecretName } from "./webhook-secrets.ts";
import { parseWebhookUrl, type WebhookReach } from "./webhook-url.ts";

/** For so long messages are signed with the former secret, too. */
const ROTATION_MS = DAY_MS;
/** The most chains whose place is noted at the same time. */
const WRITE_CONCURRENCY = 16;

export interface Webhook {
  readonly tenantId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly createdAt: string;
  readonly secret: SecretName;
  /** The secret before it, and until when messages are signed with that, too (RFC 3339); null where there is none. */
  readonly formerSecret: (SecretName & { readonly until: string }) | null;
  /** Since when nothing is sent, because the receiver answered 410 Gone; null where it did not. */
  readonly stoppedAt: string | null;
  /** Since when it is off; null where it is on. */
  readonly offAt: string | null;
}

export interface WebhookRegistryServices {
  readonly table: Table;
  readonly registry: Pick<TenantRegistry, "chains">;
  readonly clock: () => Date;
  /** The KMS key that new secrets are derived from. */
  readonly keyId: string;
  readonly reach: WebhookReach;
}

export class WebhookRegistry {
  readonly #services: WebhookRegistryServices;

  constructor(services: WebhookRegistryServices) {
    this.#services = services;
  }

  /**
   * Sets the webhook, or changes its address and events, which loses no message. A webhook that is set anew begins with
   * what is published from now on, and has a new secret. Throws `invalid_request`, and `not_found` for the tenant.
   */
  async set(tenantId: string, url: string, events: readonly WebhookEvent[]): Promise<Webhook> {
    const { table, registry, clock, keyId, reach } = this.#services;
    parseWebhookUrl(url, reach);
    const chains = await registry.chains(tenantId);
    const before = await findWebhook(table, tenantId);
    const [key, set] = [webhookKey(tenantId), { url: { S: url }, events: { SS: [...events] } }];
    if (before !== null && before.offAt === null) {
      await table.update({ key, set, remove: ["stopped_at"] });
      return this.get(tenantId);
    }
    const published = (await new SealRecords(table).newestPublished())?.tree.tree_size ?? 0;
    await mapInGroups(chains, WRITE_CONCURRENCY, async ({ chainId }) => {
      const span = await readNewestSpanWithin(table, chainId, published);
      await writeCursor(table, tenantId, chainId, span?.treeSize ?? 0);
    });
    await table.put(webhookIndexKey(tenantId));
    // A crash up to here has changed nothing that is delivered: the webhook is not there, or off.
    await table.put({
      ...key,
      ...set,
      created_at: { S: clock().toISOString() },
      key_id: { S: keyId },
      generation: { N: String((before?.secret.generation ?? 0) + 1) },
    });
    return this.get(tenantId);
  }

  /** Throws `not_found` where the tenant has none. */
  async get(tenantId: string): Promise<Webhook> {
    const found = await findWebhook(this.#services.table, tenantId);
    if (found === null) throw new DisclosureError("not_found", `${tenantId} has no webhook`);
    return found;
  }

  /** Nothing is sent any more. What is published meanwhile is not sent later either. Throws `not_found`. */
  async turnOff(tenantId: string): Promise<Webhook> {
    const set = { off_at: { S: this.#services.clock().toISOString() } };
    await this.#services.table.update({ key: webhookKey(tenantId), setOnce: set, when: itemExists });
    return this.get(tenantId);
  }

  /** Lifts the stop that a 410 made. Throws `not_found`. */
  async resume(tenantId: string): Promise<void> {
    await this.#services.table.update({
      key: webhookKey(tenantId),
      remove: ["stopped_at"],
      when: itemExists,
    });
  }

  /**
   * Gives the webhook a new secret; the former one signs too for a day. Of two runs at once, one rotates. Throws
   * `not_found`, and `invalid_request` while a former secret is still in use: there is room for one.
   */
  async rotate(tenantId: string): Promise<Webhook> {
    const { table, clock, keyId } = this.#services;
    const { secret, formerSecret } = await this.get(tenantId);
    const now = clock();
    if (isInUse(formerSecret, now)) {
      const message = `the secret was rotated already; the former one signs until ${formerSecret?.until}`;
      throw new DisclosureError("invalid_request", message);
    }
    await table.update({
      key: webhookKey(tenantId),
      set: {
        key_id: { S: keyId },
        generation: { N: String(secret.generation + 1) },
        former_key_id: { S: secret.keyId },
        former_until: { S: new Date(now.getTime() + ROTATION_MS).toISOString() },
      },
      when: isEqual("generation", { N: String(secret.generation) }),
    });
    return this.get(tenantId);
  }
}

/** Null where the tenant has none. */
export async function findWebhook(table: Pick<Table, "get">, tenantId: string): Promise<Webhook | null> {
  const item = await table.get(webhookKey(tenantId));
  return item === null ? null : readWebhook(tenantId, item);
}

function readWebhook(tenantId: string, item: Item): Webhook {
  const generation = integerOf(item, "generation");
  const former = item.former_until === undefined ? null : { until: textOf(item, "former_until") };
  return {
    tenantId,
    url: textOf(item, "url"),
    events: eventsOf(item.events?.SS ?? []),
    createdAt: textOf(item, "created_at"),
    secret: { tenantId, generation, keyId: textOf(item, "key_id") },
    formerSecret: former && {
      ...former,
      tenantId,
      generation: generation - 1,
      keyId: textOf(item, "former_key_id"),
    },
    stoppedAt: item.stopped_at?.S ?? null,
    offAt: item.off_at?.S ?? null,
  };
}

const eventsOf = (names: readonly string[]): WebhookEvent[] =>
  (Object.keys(WEBHOOK_EVENTS) as WebhookEvent[]).filter((name) => names.includes(name));

const isInUse = (former: Webhook["formerSecret"], now: Date): boolean =>
  former !== null && Date.parse(former.until) > now.getTime();

/** The secrets that sign now, the newest first. */
export const secretsOf = ({ secret, formerSecret }: Webhook, now: Date): SecretName[] =>
  formerSecret !== null && isInUse(formerSecret, now) ? [secret, formerSecret] : [secret];
