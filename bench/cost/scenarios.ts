// The scenarios that are measured: calls far apart, calls that follow each other, calls that arrive together, reports, and seals.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../contract/time.ts";
import { canonicalBytes } from "../../evidence/core/canonical-json.ts";
import { receiptCoreSchema } from "../../evidence/core/formats/receipt.ts";
import { mapInGroups } from "../../service/table/in-groups.ts";
import { SCOPES } from "../../service/tenants/tenants.ts";
import { DISCLOSURE } from "../disclosure.ts";
import { type Counts, combine, countLogs } from "./counters.ts";
import { type Service, startService } from "./service.ts";

/** Each by its words in the table of the result. */
export const SCENARIOS = {
  apart: "far apart",
  following: "following each other",
  together: "50 at once, one process",
  report: "report",
  sealWithNews: "seal, one chain's news",
  sealWithout: "seal, no news",
};
export type Scenario = keyof typeof SCENARIOS;
export type Measurement = Record<Scenario, Counts>;

/** A short run has a part of each. */
const SHORT = 0.1;
const TENANTS = 300;
/** A busy machine takes no more connections within the service's timeouts. */
const PREPARED_AT_ONCE = 10;
const CONVERSATIONS = 75;
const TURNS = 4;
const BATCHES = 10;
const TOGETHER = 50;
const SEALS = 20;

/** Runs everything, in one to two minutes. */
export async function countScenarios(isQuick: boolean): Promise<Measurement> {
  const service = await startService();
  const logs = countLogs(service.counts);
  try {
    const run = new ScenarioRun(service, isQuick ? SHORT : 1);
    // Seals first: later they would also look at the chains that the other parts of the run wrote.
    return {
      sealWithNews: await run.sealWithNews(),
      sealWithout: await run.sealWithout(),
      apart: await run.apart(),
      following: await run.following(),
      together: await run.together(),
      report: await run.reports(),
    };
  } finally {
    logs.end();
    await service.close();
  }
}

class ScenarioRun {
  readonly #service: Service;
  /** The share of all calls that is made. */
  readonly #part: number;
  #reader = "";
  readonly #eventIds: string[] = [];

  constructor(service: Service, part: number) {
    this.#service = service;
    this.#part = part;
  }

  /** The dearest kind: each call is the first of its minute on its chain, and its key is not remembered. */
  async apart(): Promise<Counts> {
    const tenants = await mapInGroups(Array(TENANTS * this.#part).fill(null), PREPARED_AT_ONCE, () =>
      this.#newTenant(),
    );
    for (const tenantId of tenants) await this.#attest(await this.#newKey(tenantId), randomUUID());
    const keys = await mapInGroups(tenants, PREPARED_AT_ONCE, (tenantId) => this.#newKey(tenantId));
    await sleep(MINUTE_MS - (Date.now() % MINUTE_MS));
    return this.#count(async () => {
      for (const apiKey of keys) await this.#attest(apiKey, randomUUID());
    });
  }

  /** One conversation after the other, on one chain. */
  async following(): Promise<Counts> {
    this.#reader = await this.#newKey(await this.#newTenant());
    const counts = await this.#count(async () => {
      for (let i = 0; i < CONVERSATIONS * TURNS * this.#part; i++) {
        this.#eventIds.push(await this.#attest(this.#reader, `call-${Math.floor(i / TURNS)}`));
      }
    });
    if (counts.storedCoreBytes === 0) throw new Error("the counters don't know a leaf's receipt any more");
    return counts;
  }

  /** Many conversations at once in one process: what a Lambda function that takes one call at a time can't do. */
  async together(): Promise<Counts> {
    const apiKey = await this.#newKey(await this.#newTenant());
    return this.#count(async () => {
      for (let i = 0; i < BATCHES * this.#part; i++) {
        await Promise.all(Array.from({ length: TOGETHER }, () => this.#attest(apiKey, randomUUID())));
      }
    });
  }

  /** Runs of the sealer that find one chain grown. */
  async sealWithNews(): Promise<Counts> {
    const apiKey = await this.#newKey(await this.#newTenant());
    await this.#service.handlers.seal();
    const runs: Counts[] = [];
    for (let i = 0; i < SEALS * this.#part; i++) {
      await this.#attest(apiKey, randomUUID());
      runs.push(await this.#count(() => this.#seal()));
    }
    return runs.reduce((a, b) => combine(a, b, (x, y) => x + y));
  }

  /** Runs of the sealer just after news, which look at the last minutes once more. */
  sealWithout(): Promise<Counts> {
    return this.#count(async () => {
      for (let i = 0; i < SEALS * this.#part; i++) await this.#seal();
    });
  }

  /** Reports of receipts under a published root. */
  async reports(): Promise<Counts> {
    await this.#service.handlers.seal();
    return this.#count(async () => {
      for (const eventId of this.#eventIds) await this.#call(this.#reader, `/v1/attestation/${eventId}`);
    });
  }

  async #newTenant(): Promise<string> {
    const tenantId = randomUUID();
    await this.#service.registry.create({ tenantId, plan: "standard", chains: 1 });
    return tenantId;
  }

  async #newKey(tenantId: string): Promise<string> {
    const key = { tenantId, scopes: SCOPES, expiresAt: null };
    return (await this.#service.apiKeys.create(key)).apiKey;
  }

  async #seal(): Promise<void> {
    await this.#service.handlers.seal();
    this.#service.counts.calls++;
  }

  /** Returns the event id. */
  async #attest(apiKey: string, interactionId: string): Promise<string> {
    const body = JSON.stringify({ ...DISCLOSURE, interaction_id: interactionId });
    const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
    const answer = JSON.parse(await this.#call(apiKey, "/v1/attestation", { method: "POST", body, headers }));
    const core = receiptCoreSchema.parse(answer.receipts[0]);
    this.#service.counts.coreTextBytes += canonicalBytes(core).length;
    return core.event_id;
  }

  async #call(apiKey: string, path: string, { headers, ...init }: RequestInit = {}): Promise<string> {
    const authorized = { ...headers, authorization: `Bearer ${apiKey}` };
    const response = await fetch(this.#service.url + path, { ...init, headers: authorized });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    this.#service.counts.calls++;
    this.#service.counts.answerBytes += Buffer.byteLength(text);
    return text;
  }

  async #count(work: () => Promise<void>): Promise<Counts> {
    const before = { ...this.#service.counts };
    await work();
    return combine(this.#service.counts, before, (after, earlier) => after - earlier);
  }
}
