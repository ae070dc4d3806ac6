// An operator's work on a webhook by hand: it is tried, and what was given up is sent again.
import type { Table } from "../table/table.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import { postMessage } from "./deliverer.ts";
import { type DeadLetter, deadLetters, forgetWait, markDelivered, readCursor } from "./delivery-state.ts";
import { isEnd, messageAt, readSealedRange, testMessage } from "./webhook-messages.ts";
import type { Webhook, WebhookRegistry } from "./webhook-registry.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";
import { isDelivered, type Posted, type PostMessage } from "./webhook-sender.ts";

export interface OperateServices {
  readonly table: Table;
  readonly registry: Pick<TenantRegistry, "chains">;
  readonly webhooks: WebhookRegistry;
  readonly secrets: WebhookSecrets;
  readonly post: PostMessage;
  readonly clock: () => Date;
}

/** Sends a message that tells nothing. Throws `not_found`. */
export async function sendTest(services: OperateServices, tenantId: string): Promise<Posted> {
  const webhook = await services.webhooks.get(tenantId);
  return postMessage(services, webhook, testMessage(services.clock()));
}

export interface RetriedLetter {
  readonly letter: DeadLetter;
  readonly posted: Posted;
}

/**
 * Sends the dead letters of a tenant again, in their order, and has the deliverer go on at once with what waits. Safe to
 * repeat: a message that is sent twice has one id. Throws `not_found`.
 */
export async function retryDeadLetters(
  services: OperateServices,
  tenantId: string,
  onSent: (sent: RetriedLetter) => void,
): Promise<void> {
  const { table, registry, webhooks, clock } = services;
  const webhook = await webhooks.get(tenantId);
  for await (const letter of deadLetters(table, tenantId)) {
    const posted = await sendAgain(services, webhook, letter);
    // A crash here leaves a letter that was taken: the same command sends it once more, under the same id.
    if (isDelivered(posted)) await markDelivered(table, tenantId, letter, clock());
    onSent({ letter, posted });
  }
  await webhooks.resume(tenantId);
  for (const { chainId } of await registry.chains(tenantId))
    await forgetWait(table, await readCursor(table, tenantId, chainId));
}

/** A letter whose receipts were removed meanwhile, or whose event the webhook is no longer for, has nothing to tell. */
async function sendAgain(services: OperateServices, webhook: Webhook, letter: DeadLetter): Promise<Posted> {
  const range = await readSealedRange(services.table, letter.chainId, letter.sequence);
  const message = range === null || isEnd(range) ? null : messageAt(range, letter.step, webhook.events);
  if (message === null) return { status: NOTHING_TO_SEND, retryAfterMs: null };
  return postMessage(services, webhook, message);
}

/** HTTP's "no content": the letter is done with. */
const NOTHING_TO_SEND = 204;
