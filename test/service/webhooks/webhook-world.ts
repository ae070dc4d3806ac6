// A ledger with a tenant whose webhook leads to a receiver of this test.
import type { Meter, MetricName } from "../../../contract/metric-names.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { type DelivererServices, deliverWebhooks } from "../../../service/webhooks/deliverer.ts";
import { WebhookRegistry } from "../../../service/webhooks/webhook-registry.ts";
import { WebhookSecrets } from "../../../service/webhooks/webhook-secrets.ts";
import { postFrom } from "../../../service/webhooks/webhook-sender.ts";
import { type Interceptor, undisturbed } from "../../support/faults.ts";
import { type Ledger, type LedgerStack, MINUTE, type TestCaller } from "../../support/ledger-stack.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { WebhookReceiver } from "../../support/webhook-receiver.ts";

const TENANT = "tenant";
/** A receiver that hangs costs a test as long. */
const POST_MS = 5_000;

export class WebhookWorld {
  readonly ledger: Ledger;
  readonly caller: TestCaller;
  readonly receiver: WebhookReceiver;
  readonly secrets: WebhookSecrets;
  readonly counted: Partial<Record<MetricName, number>> = {};
  readonly failures: unknown[] = [];
  readonly meter: Meter = (metric, value) => {
    this.counted[metric] = (this.counted[metric] ?? 0) + value;
  };

  private constructor(ledger: Ledger, caller: TestCaller, receiver: WebhookReceiver) {
    this.ledger = ledger;
    this.caller = caller;
    this.receiver = receiver;
    this.secrets = new WebhookSecrets(ledger.clients.kms, [ledger.key.id]);
  }

  static async start(stack: LedgerStack, chains = 1): Promise<WebhookWorld> {
    const ledger = await stack.newLedger({ isSigned: false });
    const caller = await ledger.newTenant(TENANT, chains);
    return new WebhookWorld(ledger, caller, await WebhookReceiver.start());
  }

  registryOf({ table }: Pick<TestProcess, "table">): WebhookRegistry {
    const { clock, key } = this.ledger;
    const registry = new TenantRegistry(table, clock);
    return new WebhookRegistry({ table, registry, clock, keyId: key.id, reach: "loopback_too" });
  }

  get registry(): WebhookRegistry {
    return this.registryOf(this.ledger.newProcess());
  }

  /** Records so many disclosures, each of a conversation of its own; their ids, in the order of the answers. */
  async attest(count: number, prefix = "call"): Promise<string[]> {
    const process = this.ledger.newProcess();
    const calls = Array.from({ length: count }, (_, i) =>
      process.attest(this.caller, requestOf(`${prefix}-${i}`)),
    );
    return (await Promise.all(calls)).map(({ event_id }) => event_id);
  }

  async seal(): Promise<void> {
    this.ledger.now += MINUTE;
    await this.ledger.newProcess().seal();
  }

  services(process: TestProcess): DelivererServices {
    const secrets = new WebhookSecrets(process.calls.through(this.ledger.clients.kms), [this.ledger.key.id]);
    const send = postFrom("loopback_too", POST_MS);
    return {
      table: process.table,
      secrets,
      post: (message) => process.calls.make("Post", {}, () => send(message)),
      clock: this.ledger.clock,
      meter: this.meter,
      onFailure: (error) => this.failures.push(error),
    };
  }

  async deliver(intercept: Interceptor = undisturbed): Promise<void> {
    await deliverWebhooks(this.services(this.ledger.newProcess(intercept)));
  }
}
