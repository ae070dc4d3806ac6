// A small honest service with all that a table may hold, whose further steps a test chooses, among those of an insider.
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import { KeyUses } from "../../service/tenants/key-uses.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { WebhookRegistry } from "../../service/webhooks/webhook-registry.ts";
import { copyLedger } from "./copied-ledger.ts";
import { outcomeOf } from "./deaths.ts";
import { type Given, HonestService } from "./honest-service.ts";
import { type Items, readItems } from "./insider-edits.ts";
import { HOUR, type LedgerStack, MINUTE, SECOND } from "./ledger-stack.ts";
import type { Chance } from "./random-choices.ts";

const EVENING = Date.parse("2040-08-31T22:00:00.000Z");
export const MONTH = "2040-08";
const NEXT_MONTH = Date.parse("2040-09-01T00:00:00.000Z");

export class InsiderWorld extends HonestService {
  /** Reports that readers got before anybody wrote into the table, under seals. */
  readonly kept: Given[] = [];
  /** The table at earlier times. */
  readonly earlier: Items[] = [];
  /** How many seals were public before anybody wrote into the table. */
  seals = 0;
  /** The kinds of the items that an insider wrote. */
  readonly touched = new Set<string>();

  static async start(stack: LedgerStack): Promise<InsiderWorld> {
    const world = new InsiderWorld(await stack.newLedger());
    await world.witness.start();
    await world.#begin();
    return world;
  }

  /** What an insider sees. */
  get insider() {
    const { ledger, callers, earlier } = this;
    return { ledger, callers, earlier };
  }

  /** Another world that went the same way up to here. */
  async fork(stack: LedgerStack): Promise<InsiderWorld> {
    const fork = new InsiderWorld(await stack.newLedger());
    fork.ledger.now = this.ledger.now;
    fork.callers = this.callers;
    await fork.witness.start();
    await copyLedger(this.ledger, fork.ledger, this.objects);
    for (const [chainId, places] of this.written)
      fork.written.set(chainId, new Map([...places].map(([place, hashes]) => [place, new Set(hashes)])));
    fork.seals = (await this.process.roots.head()).size;
    for (const list of ["given", "kept", "earlier"] as const) fork[list].push(...(this[list] as never[]));
    return fork;
  }

  /** Old conversations, and others of this evening, which are sealed; of everything that the table may hold, something. */
  async #begin(): Promise<void> {
    const { ledger } = this;
    const { table } = ledger.newProcess();
    const registry = new TenantRegistry(table, ledger.clock);
    this.callers = [await ledger.newTenant("a", 2), await ledger.newTenant("b"), await ledger.newTenant("c")];
    await registry.setRetention("c", 3);
    const key = { tenantId: "a", scopes: ["attest"], expiresAt: null } as const;
    const { keyId } = await new ApiKeys(table, ledger.clock).create(key);
    new KeyUses({ table, clock: ledger.clock, onFault: () => {} }).note(keyId);
    const services = { table, registry, clock: ledger.clock, keyId: ledger.key.id, reach: "public" } as const;
    await new WebhookRegistry(services).set("a", "https://receiver.example/", ["sealed"]);
    for (const id of ["old-1", "old-1", "old-2"]) await this.attest(2, id);
    await this.attest(1, "old");
    await this.seal();
    ledger.now = EVENING;
    for (const [tenant, id] of [
      [0, "call-1"],
      [0, "call-1"],
      [0, "call-2"],
      [1, "call-1"],
      [2, "old-2"],
    ] as const)
      await this.attest(tenant, id, `key-${id}`);
    await this.seal();
    ledger.now += MINUTE;
    await this.remember();
    await this.deliver();
    for (const tenant of [0, 1]) await this.attest(tenant, "call-3");
    await this.seal();
    ledger.now += MINUTE;
    await this.retain();
    await this.erase(1, "old");
    for (const { caller, receipt } of this.given.splice(0)) {
      const report = await outcomeOf(this.process.report(caller, receipt.event_id));
      // Retention has removed the old ones.
      if (report.kind !== "answered") continue;
      this.given.push({ caller, receipt });
      this.kept.push({ caller, receipt: report.answer });
    }
    for (const tenant of [0, 1, 2]) await this.attest(tenant, "call-4");
    await this.remember();
  }

  async remember(): Promise<void> {
    this.earlier.push(await readItems(this.ledger, this.callers));
  }

  /** Takes one honest step; says which. */
  async step(chance: Chance): Promise<string> {
    switch (chance.below(10)) {
      case 0:
      case 1:
      case 2: {
        const [tenant, id] = [chance.below(this.callers.length), `call-${chance.below(8)}`];
        await this.attest(tenant, id, chance.below(2) === 0 ? `key-${id}` : null);
        return `attest ${tenant} ${id}`;
      }
      case 3:
        await this.retain();
        return "retain";
      case 4:
        await this.deliver();
        return "deliver";
      case 5:
        this.restart();
        return "a new process";
      case 6: {
        const ms = chance.pick([20 * SECOND, MINUTE, 3 * MINUTE, 25 * MINUTE]);
        this.ledger.now += ms;
        return `wait ${ms / SECOND} s`;
      }
      default:
        await this.seal();
        return "seal";
    }
  }

  /** Honest runs for so long that everything is sealed, or an alarm tells. */
  async settle(): Promise<void> {
    for (const wait of [30 * SECOND, MINUTE, 18 * MINUTE]) {
      this.ledger.now += wait;
      await this.seal();
    }
  }

  /** The month ends, and is billed. */
  async endMonth(): Promise<void> {
    this.ledger.now = Math.max(this.ledger.now, NEXT_MONTH + HOUR);
    for (const tenant of this.callers.keys()) await this.attest(tenant, "call-of-september");
    await this.seal();
    this.ledger.now += 2 * HOUR;
    await this.seal();
    await this.bill();
  }
}
