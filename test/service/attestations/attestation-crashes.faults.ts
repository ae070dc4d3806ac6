// The crash table of an attestation: every call that it makes, with everything that can become of a call, in both kinds
// of process.
import { afterAll, describe, expect, test } from "vitest";
import type { Receipt } from "../../../evidence/core/formats/receipt.ts";
import { MANY_CALLS, ONE_CALL_AT_A_TIME, type ProcessKind } from "../../../service/ledger/process-kind.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { outcomeOf, runWithFault } from "../../support/deaths.ts";
import { crashTableWith } from "../../support/faults.ts";
import { type Ledger, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { attestPatiently } from "../../support/patient-caller.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** The first goes alone; the others wait for it and go together. */
const SUBMISSIONS = [
  { request: requestOf("call-1"), key: "key-1" },
  { request: requestOf("call-2"), key: "key-2" },
  { request: requestOf("call-1", { disclosure_method: "spoken_reminder" }), key: "key-3" },
];
const HISTORY = 1;

interface World {
  readonly processKind: ProcessKind;
  readonly ledger: Ledger;
  readonly caller: Caller;
}

async function newWorld(processKind: ProcessKind): Promise<World> {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  await ledger.newProcess().attest(caller, requestOf("call-1"));
  ledger.now += SECOND;
  return { processKind, ledger, caller };
}

const attestAll = (process: TestProcess, { caller }: World): Promise<Receipt>[] =>
  SUBMISSIONS.map(async ({ request, key }) =>
    onlyReceipt(await attestPatiently(process, caller, request, key)),
  );

function onlyReceipt({ receipts: [receipt] }: { receipts: Receipt[] }): Receipt {
  if (receipt === undefined) throw new Error("no receipt");
  return receipt;
}

async function stepsOfGoodRun(processKind: ProcessKind) {
  const world = await newWorld(processKind);
  const process = world.ledger.newProcess(undefined, { processKind });
  await Promise.all(attestAll(process, world));
  return process.calls.steps;
}

type Rival = (world: World) => Promise<number>;
const RIVALS: Readonly<Record<string, Rival>> = {
  "another call of the conversation": async ({ ledger, caller }) => {
    const other = requestOf("call-1", { agent_identity: "agent/8" });
    await attestPatiently(ledger.newProcess(), caller, other);
    return 1;
  },
  "the same body without a key": async ({ ledger, caller }) => {
    await attestPatiently(ledger.newProcess(), caller, requestOf("call-1"));
    return 1;
  },
  "its own retry": async (world) => {
    await Promise.all(attestAll(world.ledger.newProcess(), world));
    return 0;
  },
};

const casesOf = async (kind: ProcessKind) =>
  crashTableWith<Rival>(await stepsOfGoodRun(kind), RIVALS, async () => 0).map((row) => ({ ...row, kind }));

describe.concurrent.each([
  ["many calls", await casesOf(MANY_CALLS)],
  ["one call at a time", await casesOf(ONE_CALL_AT_A_TIME)],
])("in a process with %s, after an attestation in which", (_, cases) => {
  test.each(cases)("$title, a retry finds one receipt for each key", async ({ step, mode, kind, rival }) => {
    const world = await newWorld(kind);
    const { ledger } = world;
    let rivals = 0;
    const compete = async () => {
      rivals = await rival(world);
    };
    const outcomes = await runWithFault(ledger, step, mode, compete, (process) => attestAll(process, world), {
      processKind: kind,
    });
    for (const outcome of outcomes) {
      if (outcome.kind === "refused") expect(outcome.error.code).toMatch(/^(ledger|mac)_unavailable$/);
    }

    ledger.now += SECOND;
    const retries = await Promise.all(attestAll(ledger.newProcess(), world).map(outcomeOf));
    for (const [i, retry] of retries.entries()) {
      expect(retry.kind).toBe("answered");
      const outcome = outcomes[i];
      if (outcome?.kind === "answered") expect(retry).toEqual(outcome);
    }
    const log = await ledger.check();
    expect(log.idempotencyRecords).toHaveLength(SUBMISSIONS.length);
    expect(log.receipts).toBe(HISTORY + SUBMISSIONS.length + rivals);
  });
});
