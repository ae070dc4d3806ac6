// An honest service in time: calls of two tenants, seals, authorities and witnesses that come and go, erasures and
// retention, in an order that a seed gives.
import { exponential, indexIn, type Random, randomOf } from "../../bench/throughput/random.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { PENDING_TIMESTAMP, type TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import { disclosureOf } from "../../evidence/policy/package.ts";
import { erase } from "../../service/erasure/erase.ts";
import type { CosignOutcome, CosignRequest } from "../../service/log/witnesses.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { readTokenTime } from "../../service/timestamps/token-time.ts";
import { makeAuthority } from "./dated-authority.ts";
import { HOUR, type Ledger, MINUTE, SECOND, type TestCaller } from "./ledger-stack.ts";
import { retain } from "./retain.ts";
import { requestOf, type TestProcess } from "./test-process.ts";
import { TestWitness } from "./test-witness.ts";

const DAY = 24 * HOUR;
const TENANTS = [
  ["acme", 3],
  ["bank", 1],
] as const;
const RETENTION_MONTHS = 3;
/** Ids are used again after an erasure, as by callers who number their calls anew each day. */
const IDS = 6;
const WITNESSES = 3;
const QUORUM = 2;
/** The sealer gives up waiting for a token long before. */
const MAX_RUNS = 20;
/** Whether an authority or a witness answers. */
const IS_THERE = 0.7;
const REGISTERED = disclosureOf("de-voice-in-introduction-1");

export interface Called {
  readonly caller: TestCaller;
  readonly request: AttestationRequest;
  readonly answer: ComplianceReceipt;
}

export class HonestDays {
  readonly random: Random;
  readonly ledger: Ledger;
  readonly process: TestProcess;
  readonly witnesses: readonly TestWitness[];
  /** The first runs out within the world's time. */
  readonly authorities: readonly {
    readonly name: string;
    readonly validUntil: string;
    readonly authority: ReturnType<typeof makeAuthority>;
  }[];
  readonly callers: TestCaller[] = [];
  readonly called: Called[] = [];

  constructor(seed: number, ledger: Ledger) {
    this.random = randomOf(seed);
    this.ledger = ledger;
    this.witnesses = Array.from({ length: WITNESSES }, (_, i) => new TestWitness(ledger.clock, `w${i}.test`));
    const validUntil = [wholeSeconds(ledger.now + 45 * DAY), "2060-01-01T00:00:00Z"];
    this.authorities = ["Early", "Late"].map((name, i) => {
      const until = validUntil[i] ?? "";
      return { name, validUntil: until, authority: makeAuthority(name, until) };
    });
    this.process = ledger.newProcess(undefined, {
      stamp: async (root) => this.#tokens(root, this.authorities.slice(1))[0] ?? PENDING_TIMESTAMP,
      gather: async (root, held) => this.#gather(root, held),
      verifySealToken: async () => undefined,
      readTokenTime,
      witnesses: { cosign: (request) => this.#cosign(request) },
      publishesPolicy: true,
    });
  }

  async begin(): Promise<void> {
    for (const [tenantId, chains] of TENANTS)
      this.callers.push(await this.ledger.newTenant(tenantId, chains));
  }

  chance = (share: number): boolean => this.random() < share;
  /** Undefined where there is nothing to pick from. */
  pick = <T>(list: readonly T[]): T | undefined => list[indexIn(this.random, list.length)];

  /** One thing that happens. */
  async happen(): Promise<void> {
    const events: readonly (readonly [weight: number, () => Promise<unknown>])[] = [
      [10, () => this.#attest()],
      [5, () => this.#seal()],
      [4, async () => this.#pass(5 * MINUTE)],
      [2, async () => this.#pass(20 * DAY)],
      [2, () => this.#erase()],
      [0.3, () => this.#retain()],
    ];
    await this.oneOf(events);
    this.#pass(SECOND);
  }

  async oneOf(events: readonly (readonly [weight: number, () => Promise<unknown>])[]): Promise<void> {
    let at = this.random() * events.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, act] of events) {
      at -= weight;
      if (at >= 0) continue;
      await act();
      return;
    }
  }

  #pass(mean: number): void {
    this.ledger.now += Math.ceil(exponential(this.random, mean));
  }

  async #attest(): Promise<void> {
    const caller = this.pick(this.callers);
    if (caller === undefined) return;
    const id = `call-${indexIn(this.random, IDS)}`;
    const request = requestOf(id, this.chance(0.5) ? REGISTERED : {});
    const answer = await orRefused(this.process.attest(caller, request));
    if (answer !== null) this.called.push({ caller, request, answer });
  }

  async #seal(): Promise<void> {
    for (const witness of this.witnesses) witness.isDown = !this.chance(IS_THERE);
    // Runs come every minute, so that a seal waits for its first token for a few minutes at most.
    for (let run = 0; run < MAX_RUNS; run++) {
      if ((await this.process.seal()).outcome !== "awaiting_timestamp") return;
      this.ledger.now += MINUTE;
    }
    throw new Error("the seal still waits for a token");
  }

  /** A conversation that may go on is refused. */
  async #erase(): Promise<void> {
    const of = this.pick(this.called);
    if (of === undefined) return;
    const { caller, request } = of;
    const order = { erased_by: "data protection officer", ground: "request" } as const;
    const { tenantId } = caller;
    await orRefused(erase(this.process.table, { ...order, tenantId, interactionId: request.interaction_id }));
  }

  async #retain(): Promise<void> {
    const registry = new TenantRegistry(this.process.table, this.ledger.clock);
    for (const { tenantId } of this.callers) await registry.setRetention(tenantId, RETENTION_MONTHS);
    await retain(this.ledger);
  }

  #gather(root: Uint8Array, held: readonly TsaTimestamp[]) {
    const urls = new Set(held.map(({ tsa_url }) => tsa_url));
    const lacking = this.authorities.filter(({ name }) => !urls.has(urlOf(name)));
    const tokens = this.#tokens(root, lacking);
    return { tokens, missing: lacking.length - tokens.length };
  }

  #tokens(root: Uint8Array, authorities: HonestDays["authorities"]): TsaTimestamp[] {
    const at = wholeSeconds(this.ledger.now);
    return authorities
      .filter(({ validUntil }) => at < validUntil && this.chance(IS_THERE))
      .map(({ authority }) => authority.stamp(root, at));
  }

  async #cosign(request: CosignRequest): Promise<CosignOutcome> {
    const outcomes = await Promise.all(this.witnesses.map((witness) => witness.cosign(request)));
    const signatures = outcomes.flatMap((outcome) => outcome.signatures);
    return { signatures, hasQuorum: signatures.length >= QUORUM };
  }
}

const wholeSeconds = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
const urlOf = (name: string): string => `https://${name.toLowerCase()}.example/tsr`;

/** Null for what the service refuses, as it must: a closed conversation, a receipt that was removed. */
export async function orRefused<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (isDisclosureError(error) && error.code !== "ledger_corrupt") return null;
    throw error;
  });
}
