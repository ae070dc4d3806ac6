// Delivers webhooks. The ledger is the outbox: a run walks each chain from where its tenant was told last to the newest
// published seal. Runs may overlap, be repeated, or die between any two steps: a message is sent once more then.
import type { Meter } from "../../contract/metric-names.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { listChains } from "../ledger/tenant-chains.ts";
import { textOf } from "../table/attributes.ts";
import { minuteOf, tenantKey, WEBHOOKS_PARTITION } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { readTenantChains } from "../tenants/tenants.ts";
import {
  type Cursor,
  type Failing,
  giveUp,
  moveCursor,
  noteFailure,
  readCursor,
  stopWebhook,
} from "./delivery-state.ts";
import { isGivenUp, isPast, isWaiting, waitAfter } from "./retry-schedule.ts";
import {
  isEnd,
  messageAt,
  nextStep,
  placeAfter,
  readSealedRange,
  type SealedEnd,
  type SealedRange,
  type WebhookMessage,
} from "./webhook-messages.ts";
import { findWebhook, secretsOf, type Webhook } from "./webhook-registry.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";
import { isDelivered, type Posted, type PostMessage } from "./webhook-sender.ts";

/** After this long a run begins nothing more; it must end before the next one. */
const RUN_BUDGET_MS = 40_000;
/** A tenant has no more of a run: a slow receiver holds up its own messages alone. */
const TENANT_BUDGET_MS = 10_000;
/** Tenants that are served at the same time, and chains of each. */
const TENANTS_AT_ONCE = 8;
const CHAINS_AT_ONCE = 4;
/** Messages that a tenant is sent in a run. */
const MAX_MESSAGES = 1_000;
/** RFC 9110 section 15.5.11: the receiver does not want to be asked again. */
const GONE = 410;

export interface DelivererServices {
  readonly table: Table;
  readonly secrets: WebhookSecrets;
  readonly post: PostMessage;
  readonly clock: () => Date;
  readonly meter: Meter;
  /** Called with what kept a tenant, or one of its chains, from being served. The next run tries again. */
  readonly onFailure: (error: unknown) => void;
}

/** The part of a run that a tenant has left. */
class Allowance {
  readonly #deadline: number;
  #messages = MAX_MESSAGES;
  #isStopped = false;

  constructor(deadline: number) {
    this.#deadline = Math.min(deadline, performance.now() + TENANT_BUDGET_MS);
  }

  get isUsedUp(): boolean {
    return this.#isStopped || this.#messages <= 0 || performance.now() > this.#deadline;
  }

  take(): void {
    this.#messages -= 1;
  }

  stop(): void {
    this.#isStopped = true;
  }
}

interface Tour {
  readonly services: DelivererServices;
  readonly webhook: Webhook;
  readonly allowance: Allowance;
}

/** Throws only where the list of webhooks can't be read. */
export async function deliverWebhooks(services: DelivererServices): Promise<void> {
  const { table, clock } = services;
  const deadline = performance.now() + RUN_BUDGET_MS;
  const now = clock();
  const index = await table.query({ partition: WEBHOOKS_PARTITION });
  const tenantIds = index.map((item) => textOf(item, "sk"));
  const serve = (tenantId: string) => deliverTenant(services, tenantId, { now, deadline });
  await eachFrom(tenantIds, TENANTS_AT_ONCE, now, () => performance.now() > deadline, serve, services);
}

async function deliverTenant(
  services: DelivererServices,
  tenantId: string,
  { now, deadline }: { readonly now: Date; readonly deadline: number },
): Promise<void> {
  const { table } = services;
  const [webhook, tenant] = await Promise.all([findWebhook(table, tenantId), table.get(tenantKey(tenantId))]);
  if (webhook === null || webhook.offAt !== null || webhook.stoppedAt !== null || tenant === null) return;
  const chainIds = listChains(readTenantChains(tenant)).map(({ chainId }) => chainId);
  const allowance = new Allowance(deadline);
  const serve = (chainId: string) => deliverChain({ services, webhook, allowance }, chainId);
  await eachFrom(chainIds, CHAINS_AT_ONCE, now, () => allowance.isUsedUp, serve, services);
}

/** In order, until nothing is left, a message fails, another deliverer was faster, or the allowance is used up. */
async function deliverChain(tour: Tour, chainId: string): Promise<void> {
  const { table, clock } = tour.services;
  let cursor: Cursor | null = await readCursor(table, tour.webhook.tenantId, chainId);
  let range: SealedRange | null = null;
  while (cursor !== null && !tour.allowance.isUsedUp) {
    if (cursor.failing !== null && isWaiting(cursor.failing, clock())) return;
    const { sequence } = cursor.place;
    // A range never changes, and most have several messages.
    if (range?.from !== sequence) {
      const found = await readSealedRange(table, chainId, sequence);
      if (isEnd(found)) return setBack(tour, cursor, found);
      range = found;
    }
    if (range === null) return;
    cursor = await deliverNext(tour, cursor, range);
  }
}

/** The next run tells of the newest span once more, under the same ids: what a place that was set ahead passed is not known. */
async function setBack(
  { services: { table, onFailure } }: Tour,
  cursor: Cursor,
  { newestFrom }: SealedEnd,
): Promise<void> {
  const { chainId, place } = cursor;
  const message = "the place of a webhook lies behind all that is sealed";
  onFailure(new DisclosureError("ledger_corrupt", message, { chainId, ...place, newestFrom }));
  await moveCursor(table, cursor, { sequence: newestFrom, step: 0 });
}

/** Sends the next message of a range, and moves behind it. Null where the chain has to wait. */
async function deliverNext(tour: Tour, cursor: Cursor, range: SealedRange): Promise<Cursor | null> {
  const { table, meter } = tour.services;
  const { events } = tour.webhook;
  const step = nextStep(range, cursor.place.step, events);
  if (step === null) return moveCursor(table, cursor, { sequence: range.to, step: 0 });
  const message = messageAt(range, step, events);
  if (message === null) return null;
  tour.allowance.take();
  const posted = await postMessage(tour.services, tour.webhook, message);
  // A crash from here on leaves a message that was taken and counts as not sent: it is sent again, under the same id.
  if (!isDelivered(posted)) return notDelivered(tour, cursor, { range, step, posted });
  meter("webhookDeliveries", 1);
  return moveCursor(table, cursor, placeAfter(range, step, events));
}

/** Signs and sends a message. Throws what keeps it from being signed. */
export async function postMessage(
  { secrets, post, clock }: Pick<DelivererServices, "secrets" | "post" | "clock">,
  webhook: Webhook,
  { id, body }: WebhookMessage,
): Promise<Posted> {
  const now = clock();
  const headers = await secrets.sign(secretsOf(webhook, now), id, body, now);
  return post({ url: webhook.url, headers, body });
}

async function notDelivered(
  { services, webhook, allowance }: Tour,
  cursor: Cursor,
  { range, step, posted }: { readonly range: SealedRange; readonly step: number; readonly posted: Posted },
): Promise<Cursor | null> {
  const { table, clock, meter } = services;
  const now = clock();
  meter("webhookFailures", 1);
  if (posted.status === GONE) {
    // The message stays where it is: an operator who sets the address right again loses none.
    await stopWebhook(table, webhook, now);
    meter("webhookDeadLetters", 1);
    allowance.stop();
    return null;
  }
  const failing = failingAfter(cursor.failing, posted, now);
  if (!isGivenUp(new Date(failing.since), now)) {
    await noteFailure(table, cursor, failing);
    return null;
  }
  const places = { place: { sequence: range.from, step }, next: placeAfter(range, step, webhook.events) };
  const moved = await giveUp(table, cursor, places, { failing, now });
  if (moved !== null) meter("webhookDeadLetters", 1);
  return moved;
}

function failingAfter(before: Failing | null, { status, retryAfterMs }: Posted, now: Date): Failing {
  const attempts = (before?.attempts ?? 0) + 1;
  return {
    attempts,
    since: before !== null && isPast(before.since, now) ? before.since : now.toISOString(),
    nextAt: new Date(now.getTime() + waitAfter(attempts, retryAfterMs)).toISOString(),
    lastStatus: String(status),
  };
}

/**
 * Serves all, `width` at a time, until `isOver`. Each minute begins with others, so that all have their turn where there
 * is not enough time. One that fails keeps no other waiting.
 */
async function eachFrom(
  ids: readonly string[],
  width: number,
  now: Date,
  isOver: () => boolean,
  serve: (id: string) => Promise<void>,
  { onFailure }: Pick<DelivererServices, "onFailure">,
): Promise<void> {
  const start = (minuteOf(now) * width) % Math.max(1, ids.length);
  const waiting = [...ids.slice(start), ...ids.slice(0, start)].values();
  const work = async (): Promise<void> => {
    for (const id of waiting) {
      if (isOver()) return;
      await serve(id).catch(onFailure);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}
