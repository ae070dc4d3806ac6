// The crash table of retention: every call that it makes, with everything that can become of a call. The next run
// completes it, and no conversation is left in part.
import { afterAll, describe, expect, test } from "vitest";
import { LedgerAudit } from "../../../service/audit/ledger-audit.ts";
import { readRetainedChains } from "../../../service/erasure/retained-chains.ts";
import { type RetentionTally, runRetention } from "../../../service/erasure/retention.ts";
import type { Table } from "../../../service/table/table.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { outcomeOf, runWithFault } from "../../support/deaths.ts";
import { crashTable } from "../../support/faults.ts";
import { HOUR, type Ledger, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";
import { dump } from "./erased.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

interface World {
  readonly ledger: Ledger;
  readonly caller: TestCaller;
}

/** An old conversation of two turns and a new one. */
async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  await new TenantRegistry(process.table, ledger.clock).setRetention("tenant", 3);
  for (const call of ["old", "old"]) await process.attest(caller, requestOf(call));
  ledger.now += 140 * 24 * HOUR;
  await process.attest(caller, requestOf("new"));
  await process.seal();
  return { ledger, caller };
}

async function retain(table: Table): Promise<RetentionTally> {
  const retained = await new TenantRegistry(table, table.clock).retained(null);
  const chains = await readRetainedChains(table, retained);
  const whole = { isDryRun: false, isResumable: true, onProgress: () => {} };
  return runRetention(table, { chains, ...whole });
}

async function stepsOfGoodRun() {
  const { ledger } = await newWorld();
  const process = ledger.newProcess();
  await retain(process.table);
  return process.calls.steps;
}

const RIVALS: Record<string, (world: World) => Promise<unknown>> = {
  "another run": ({ ledger }) => retain(ledger.newProcess().table),
  "a call that goes on with the conversation": ({ ledger, caller }) =>
    ledger.newProcess().attest(caller, requestOf("old")),
};

const cases = crashTable(await stepsOfGoodRun()).flatMap((row) =>
  row.mode === "loses a race"
    ? Object.entries(RIVALS).map(([name, rival]) => ({ ...row, rival, title: `${row.title} to ${name}` }))
    : [{ ...row, rival: async () => {} }],
);

describe.concurrent("after a run of retention in which", () => {
  test.each(cases)("$title, the next one leaves whole conversations only", async ({ step, mode, rival }) => {
    const world = await newWorld();
    const { ledger, caller } = world;
    let wasContinued = false;
    const compete = async () => {
      const { kind } = await outcomeOf(rival(world));
      wasContinued = kind === "answered" && rival === RIVALS["a call that goes on with the conversation"];
    };
    const [outcome] = await runWithFault(ledger, step, mode, compete, ({ table }) => [retain(table)]);
    if (outcome?.kind === "refused") expect(outcome.error.code).toBe("ledger_unavailable");

    const process = ledger.newProcess();
    expect(await retain(process.table)).toMatchObject({ skipped: 0 });
    const reading = process.interaction(caller, "old");
    if (wasContinued) {
      // It goes on as it was, or it begins anew where all of it was removed before.
      const { receipts } = await reading;
      expect([1, 3]).toContain(receipts.length);
      expect(receipts[0]?.turn).toBe(1);
    } else {
      await expect(reading).rejects.toMatchObject({ code: "not_found" });
      expect(await dump(ledger)).not.toContain('interaction_id\\":\\"old');
    }
    expect((await process.interaction(caller, "new")).receipts).toHaveLength(1);
    const { table, roots } = process;
    const registry = new TenantRegistry(table, ledger.clock);
    const audit = await LedgerAudit.begin({ table, roots, macs: null }, registry, {
      tenantId: null,
      chainId: null,
    });
    expect((await audit.run(() => {})).faults).toEqual([]);
  });
});
