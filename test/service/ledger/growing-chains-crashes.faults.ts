// The crash table of attestations by a process that looks for their conversations on the wrong chain: every call that it
// makes, with everything that can become of a call.
import { afterAll, describe, expect, test } from "vitest";
import type { Receipt } from "../../../evidence/core/formats/receipt.ts";
import { MANY_CALLS, ONE_CALL_AT_A_TIME, type ProcessKind } from "../../../service/ledger/process-kind.ts";
import { chainOf } from "../../../service/ledger/tenant-chains.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { outcomeOf, runWithFault } from "../../support/deaths.ts";
import { crashTableWith } from "../../support/faults.ts";
import { type Ledger, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

interface World {
  readonly ledger: Ledger;
  /** As before and after its number of chains grew. */
  readonly before: Caller;
  readonly after: Caller;
  /** Conversations that the two look for on different chains: one that goes on, and one that begins. */
  readonly calls: readonly string[];
}

const KEYS = ["key-1", "key-2"];

async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  const before = await ledger.newTenant("tenant", 1);
  const process = ledger.newProcess();
  await new TenantRegistry(process.table, ledger.clock).raiseChains("tenant", 2);
  const after = { ...before, chains: 2 };
  const calls = ascending(50, (i) => `call-${i}`).filter((call) => chainOf(after, call).shard === 1);
  await process.attest(before, requestOf(calls[0] ?? ""));
  ledger.now += SECOND;
  return { ledger, before, after, calls: calls.slice(0, 2) };
}

const attestAll = (process: TestProcess, caller: Caller, { calls }: World): Promise<Receipt>[] =>
  calls.map(async (call, i) => {
    const { receipts } = await process.attest(caller, requestOf(call), KEYS[i]);
    return receipts[0] ?? expect.fail("no receipt");
  });

async function stepsOfGoodRun(processKind: ProcessKind) {
  const world = await newWorld();
  const process = world.ledger.newProcess(undefined, { processKind });
  await Promise.all(attestAll(process, world.after, world));
  return process.calls.steps;
}

/** A process that was told the old number, and so takes the conversation that begins to the other chain. */
type Rival = (world: World) => Promise<number>;
const RIVALS: Readonly<Record<string, Rival>> = {
  "its own retry": async (world) => {
    await Promise.all(attestAll(world.ledger.newProcess(), world.before, world));
    return 0;
  },
  "calls of the same conversations": async ({ ledger, before, calls }) => {
    const process = ledger.newProcess();
    await Promise.all(calls.map((call) => process.attest(before, requestOf(call))));
    return calls.length;
  },
};

const casesOf = async (kind: ProcessKind) =>
  crashTableWith<Rival>(await stepsOfGoodRun(kind), RIVALS, async () => 0).map((row) => ({ ...row, kind }));

describe.concurrent.each([
  ["many calls", await casesOf(MANY_CALLS)],
  ["one call at a time", await casesOf(ONE_CALL_AT_A_TIME)],
])("in a process with %s, after an attestation where its conversation began, in which", (_, cases) => {
  test.each(cases)("$title, a retry finds one receipt for each key", async ({ step, mode, kind, rival }) => {
    const world = await newWorld();
    const { ledger, after, before } = world;
    let rivals = 0;
    const compete = async () => {
      rivals = await rival(world);
    };
    const attesting = (process: TestProcess) => attestAll(process, after, world);
    const outcomes = await runWithFault(ledger, step, mode, compete, attesting, { processKind: kind });
    for (const outcome of outcomes) {
      if (outcome.kind === "refused") expect(outcome.error.code).toMatch(/^(ledger|mac)_unavailable$/);
    }

    ledger.now += SECOND;
    const retries = await Promise.all(attestAll(ledger.newProcess(), before, world).map(outcomeOf));
    for (const [i, retry] of retries.entries()) {
      expect(retry.kind).toBe("answered");
      const outcome = outcomes[i];
      if (outcome?.kind === "answered") expect(retry).toEqual(outcome);
    }
    // The oracle also sees to it that no conversation is on two chains.
    const log = await ledger.check();
    expect(log.idempotencyRecords).toHaveLength(KEYS.length);
    expect(log.receipts).toBe(1 + KEYS.length + rivals);
  });
});
