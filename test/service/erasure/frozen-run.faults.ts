// A run of an erasure or of retention that is frozen before one of its calls, as on a laptop that is shut, and wakes when
// another run has ended the work and the id has begun anew: what is recorded under the id since is none of its business.
import { afterAll, describe, expect, test } from "vitest";
import { LedgerAudit } from "../../../service/audit/ledger-audit.ts";
import { erase } from "../../../service/erasure/erase.ts";
import { readRetainedChains } from "../../../service/erasure/retained-chains.ts";
import { runRetention } from "../../../service/erasure/retention.ts";
import type { Table } from "../../../service/table/table.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { outcomeOf } from "../../support/deaths.ts";
import type { Step } from "../../support/faults.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";
import { CALL, newWorld, ORDER, type World } from "./erased.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

type Run = (table: Table) => Promise<unknown>;
const RUNS: Readonly<Record<string, Run>> = {
  erasure: (table) => erase(table, ORDER),
  retention: async (table) => {
    const retained = await new TenantRegistry(table, table.clock).retained(null);
    const chains = await readRetainedChains(table, retained);
    return runRetention(table, { chains, isDryRun: false, isResumable: true, onProgress: () => {} });
  },
};

/** A conversation that is old enough to be removed, and a younger one. */
async function newOldWorld(turns: number): Promise<World> {
  const world = await newWorld(stack, turns);
  const { ledger, caller } = world;
  const process = ledger.newProcess();
  await new TenantRegistry(process.table, ledger.clock).setRetention("tenant", 3);
  ledger.now += 140 * 24 * HOUR;
  await process.attest(caller, requestOf("of now"));
  await process.seal();
  return world;
}

/** The calls of a run that nobody disturbs. */
async function stepsOf(run: Run, turns: number): Promise<readonly Step[]> {
  const { ledger } = await newOldWorld(turns);
  const process = ledger.newProcess();
  await run(process.table);
  return process.calls.steps;
}

/** Begins a run, and returns once it is frozen. */
async function freeze(ledger: Ledger, run: Run, { name, nth }: Step) {
  const [frozen, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const process = ledger.newProcess(async (call, send) => {
    if (call.name === name && call.nth === nth) {
      frozen.resolve();
      await woken.promise;
    }
    return send();
  });
  const outcome = outcomeOf(run(process.table));
  await frozen.promise;
  return {
    wake: () => {
      woken.resolve();
      return outcome;
    },
  };
}

async function faultsOf(ledger: Ledger) {
  const { table, roots } = ledger.newProcess();
  const registry = new TenantRegistry(table, ledger.clock);
  const scope = { tenantId: null, chainId: null };
  const audit = await LedgerAudit.begin({ table, roots, macs: null }, registry, scope);
  return (await audit.run(() => {})).faults;
}

/** The turns of the old conversation and of the new one: the place that was closed lies below, in or above the new one. */
const TURNS = [
  [1, 3],
  [3, 5],
  [3, 1],
] as const;

const rows = await Promise.all(
  Object.entries(RUNS).flatMap(([kind, run]) =>
    TURNS.map(async ([before, after]) =>
      (await stepsOf(run, before)).map((step) => ({
        ...{ run, before, after, step },
        title: `${kind} of ${before}, frozen before ${step.name} ${step.nth}`,
      })),
    ),
  ),
);

describe.concurrent("a run of", () => {
  test.each(rows.flat())("$title, takes none of $after new ones", async ({ run, before, after, step }) => {
    const { ledger, caller } = await newOldWorld(before);
    const { wake } = await freeze(ledger, run, step);
    await outcomeOf(run(ledger.newProcess().table));
    ledger.now += 25 * MINUTE;
    const process = ledger.newProcess();
    const begun: string[] = [];
    for (let turn = 0; turn < after; turn++)
      begun.push((await process.attest(caller, requestOf(CALL))).event_id);

    const outcome = await wake();
    if (outcome.kind === "refused")
      expect(outcome.error.code).toMatch(/^(ledger_contended|invalid_request|not_found)$/);
    begun.push((await ledger.newProcess().attest(caller, requestOf(CALL))).event_id);
    const { receipts } = await ledger.newProcess().interaction(caller, CALL);
    expect(receipts.map(({ event_id }) => event_id)).toEqual(begun);
    expect(await faultsOf(ledger)).toEqual([]);
  });
});
