// The parts of an honest service as they run, one after the other. It notes what its processes wrote, what callers were
// answered, and everything that anybody was told of a fault.
import type { PutObjectCommandInput } from "@aws-sdk/client-s3";
import type { MetricName } from "../../contract/metric-names.ts";
import { formatHex } from "../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { parseWitnessPolicy } from "../../evidence/core/log/witness-policy.ts";
import { makeMonthlyBills } from "../../service/bill/monthly-bills.ts";
import { StoredBills } from "../../service/bill/stored-bills.ts";
import { erase } from "../../service/erasure/erase.ts";
import { Witnesses } from "../../service/log/witnesses.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { deliverWebhooks } from "../../service/webhooks/deliverer.ts";
import { WebhookSecrets } from "../../service/webhooks/webhook-secrets.ts";
import { FakeWitness } from "./fake-witness.ts";
import type { Interceptor } from "./faults.ts";
import type { Item } from "./items.ts";
import { LEAF_HASH } from "./leaf-items.ts";
import type { Ledger, TestCaller } from "./ledger-stack.ts";
import { retainWith } from "./retain.ts";
import { requestOf, type TestProcess } from "./test-process.ts";

const RETENTION = { mode: "COMPLIANCE", days: 1 } as const;
/** The alarms of what waits come after a quarter of an hour. */
const LATE_SECONDS = 900;

/** The metrics behind the alarms of docs/operations.md: these count failures, and the others tell an age. */
const COUNTS: readonly MetricName[] = [
  "publicationConflicts",
  "unclaimedEntries",
  "damagedChains",
  "policyFailures",
  "billFailures",
  "checkpointFailures",
  "largerTrees",
  "stampedSealFailures",
];
const AGES: readonly MetricName[] = ["sealLag", "checkpointAge"];
/** What a caller is told of itself: no fault of ours. */
const CALLERS_OWN = /^(not_found|receipt_removed|idempotency_conflict|invalid_request|quota_exceeded)$/;

export interface Given {
  readonly caller: TestCaller;
  readonly receipt: ComplianceReceipt;
}

export class HonestService {
  readonly ledger: Ledger;
  readonly witness: FakeWitness;
  callers: readonly TestCaller[] = [];
  /** By chain and place, the hashes of the leaves that its processes wrote there. */
  readonly written = new Map<string, Map<number, Set<string>>>();
  /** The answers that callers got. */
  readonly given: Given[] = [];
  /** The alarms and faults that anybody saw, in order. */
  readonly told: string[] = [];
  /** What the sealer's last run told: a receipt that still waits must be told there. */
  toldByLastRun: readonly string[] = [];
  /** What was published, object by object. */
  readonly objects: PutObjectCommandInput[] = [];
  #warm: TestProcess | null = null;
  #calls = 0;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
    this.witness = new FakeWitness("witness.test/w", ledger.clock);
  }

  stop = (): Promise<void> => this.witness.stop();

  async attest(tenant: number, id: string, idempotencyKey: string | null = null): Promise<void> {
    const caller = this.callers[tenant];
    if (caller === undefined) throw new Error(`there is no tenant ${tenant}`);
    const key = idempotencyKey === null ? null : `${idempotencyKey}-${this.#calls}`;
    const request = requestOf(id, { agent_identity: `agent/${this.#calls++}` });
    const receipt = await this.#noted("attest", this.process.attest(caller, request, key));
    if (receipt !== null) this.given.push({ caller, receipt });
  }

  async seal(): Promise<void> {
    const process = this.process;
    const before = { ...process.counted };
    const alreadyTold = this.told.length;
    for (const age of AGES) delete process.counted[age];
    await this.#noted("seal", process.seal());
    for (const metric of COUNTS)
      if ((process.counted[metric] ?? 0) > (before[metric] ?? 0)) this.told.push(`alarm: ${metric}`);
    for (const metric of AGES)
      if ((process.counted[metric] ?? Number.POSITIVE_INFINITY) > LATE_SECONDS)
        this.told.push(`alarm: ${metric}`);
    this.toldByLastRun = this.told.slice(alreadyTold);
  }

  async bill(): Promise<void> {
    const { table } = this.process;
    const counted = (metric: MetricName, value: number): void => {
      if (value > 0) this.told.push(`alarm: ${metric}`);
    };
    const services = {
      table,
      plans: new Map(),
      stored: this.storedBills,
      registry: new TenantRegistry(table, table.clock),
      meter: counted,
      monotonic: () => 0,
      onFailure: (tenant: string, error: unknown) => this.note(`bill of ${tenant}`, error),
    };
    await this.#noted("bill", makeMonthlyBills(services));
  }

  get storedBills(): StoredBills {
    return new StoredBills(this.ledger.clients.s3, `${this.ledger.name}-bills`, RETENTION);
  }

  async retain(): Promise<void> {
    await this.#noted("retain", retainWith(this.process.table));
  }

  async erase(tenant: number, interactionId: string): Promise<void> {
    const tenantId = this.callers[tenant]?.tenantId ?? "";
    const order = { tenantId, interactionId, erased_by: "officer", ground: "request" } as const;
    await this.#noted("erase", erase(this.process.table, order));
  }

  async deliver(): Promise<void> {
    const { ledger } = this;
    const services = {
      table: this.process.table,
      secrets: new WebhookSecrets(ledger.clients.kms, [ledger.key.id]),
      post: async () => ({ status: 200, retryAfterMs: null }),
      clock: ledger.clock,
      meter: () => {},
      onFailure: (error: unknown) => this.note("deliver", error),
    };
    await this.#noted("deliver", deliverWebhooks(services));
  }

  /** A process that has worked before, or that begins now. */
  get process(): TestProcess {
    this.#warm ??= this.#newProcess();
    return this.#warm;
  }

  /** The next step is a new process's. */
  restart(): void {
    this.#warm = null;
  }

  #newProcess(): TestProcess {
    const policy = parseWitnessPolicy(`${this.witness.policyLine}\nquorum w`, { plainHttp: true });
    const { clock } = this.ledger;
    const witnesses = new Witnesses({ policy, clock, meter: () => {}, onFailure: () => {} });
    return this.ledger.newProcess(this.#watch, { witnesses });
  }

  /** Notes the leaves that a transaction wrote, and what was published. */
  readonly #watch: Interceptor = async (call, send) => {
    const answer = await send();
    if (call.name === "TransactWriteItems") {
      for (const { Put } of (call.input.TransactItems ?? []) as { Put?: { Item: Item } }[])
        this.#wrote(Put?.Item);
    }
    if (call.name === "PutObject") this.objects.push(call.input as unknown as PutObjectCommandInput);
    return answer;
  };

  #wrote(item: Item | undefined): void {
    const [, chainId, place] =
      /^chain#([0-9a-f]{32}) leaf#(\d+)$/.exec(`${item?.pk?.S} ${item?.sk?.S}`) ?? [];
    const hash = item?.[LEAF_HASH]?.B;
    if (chainId === undefined || hash === undefined) return;
    const places = this.written.get(chainId) ?? new Map<number, Set<string>>();
    this.written.set(chainId, places);
    places.set(Number(place), (places.get(Number(place)) ?? new Set()).add(formatHex(hash)));
  }

  async #noted<T>(what: string, work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      return this.note(what, error);
    }
  }

  note(what: string, error: unknown): null {
    // Whatever is in the table, the service knows what to say of it.
    if (!isDisclosureError(error)) throw error;
    if (!CALLERS_OWN.test(error.code)) this.told.push(`${what}: ${error.code}: ${error.message}`);
    return null;
  }
}
