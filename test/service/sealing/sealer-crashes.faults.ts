// The crash table of a sealer run: every call that it makes, with everything that can become of a call.
import { afterAll, describe, expect, test } from "vitest";
import type { SealRun } from "../../../service/sealing/sealer.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { runWithFault } from "../../support/deaths.ts";
import { isSecondEngine } from "../../support/engine.ts";
import { crashTable, type Step, sampleOf } from "../../support/faults.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

interface World {
  readonly ledger: Ledger;
  readonly caller: Caller;
}

/** Two conversations that fall on two chains. */
async function attestBoth({ ledger, caller }: World): Promise<void> {
  const process = ledger.newProcess();
  await Promise.all(["call-1", "call-2"].map((id) => process.attest(caller, requestOf(id))));
}

/** Two chains with news; in a used world, a seal is published already. */
async function newWorld(isUsed: boolean): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  const world = { ledger, caller: await ledger.newTenant("tenant", 2) };
  if (isUsed) {
    await attestBoth(world);
    await ledger.newProcess().seal();
    ledger.now += MINUTE;
  }
  await attestBoth(world);
  return world;
}

async function stepsOfGoodRun(isUsed: boolean): Promise<Step[]> {
  const { ledger } = await newWorld(isUsed);
  const process = ledger.newProcess();
  await process.seal();
  return process.calls.steps;
}

/** What a first run does otherwise than all that follow: it makes the public head. */
const isPublic = ({ name }: Step): boolean => name.endsWith("Object");

const crashes = [
  ...crashTable(await stepsOfGoodRun(true)).map((row) => ({ ...row, isUsed: true })),
  ...crashTable((await stepsOfGoodRun(false)).filter(isPublic)).map((row) => ({
    ...row,
    isUsed: false,
    title: `${row.title}, the first run of all`,
  })),
];

/** The whole table runs on the first engine; on the second, the steps are the same, and only the engine is another. */
const rows = isSecondEngine ? sampleOf(crashes) : crashes;

function sealIn(process: TestProcess, processes: TestProcess[]): Promise<SealRun> {
  processes.push(process);
  return process.seal();
}

describe.concurrent("after a run in which", () => {
  test.each(rows)("$title, two more runs leave all sealed and published once, and announced", async (row) => {
    const world = await newWorld(row.isUsed);
    const { ledger } = world;
    const processes: TestProcess[] = [];
    const rival = async () => {
      await attestBoth(world);
      await sealIn(ledger.newProcess(), processes);
    };
    const [outcome] = await runWithFault(ledger, row.step, row.mode, rival, (process) => [
      sealIn(process, processes),
    ]);
    if (outcome?.kind === "refused") {
      expect(outcome.error.code).toMatch(/^(ledger|publication|mac)_unavailable$/);
    }

    for (let run = 0; run < 2; run++) {
      ledger.now += MINUTE;
      await sealIn(ledger.newProcess(), processes);
    }
    const { seals, receipts, publishedReceipts, tiledSize } = await ledger.check();
    expect(publishedReceipts).toBe(receipts);
    expect(tiledSize).toBe(seals.at(-1)?.seal.tree_size);
    expect(seals.map(({ isPublished }) => isPublished)).not.toContain(false);
    expect(seals.map(({ seal }) => seal.receipt_count)).not.toContain(0);
    const announced = processes.flatMap((process) => process.announced.map(({ seal_index }) => seal_index));
    const isLost = row.step.name === "PutEvents" && row.mode.startsWith("fails");
    const latest = seals.map(({ seal }) => seal.index).slice(row.isUsed ? 1 : 0);
    if (!isLost) expect(announced).toEqual(expect.arrayContaining(latest));
    const answered = outcome?.kind === "answered" ? outcome.answer.published : [];
    const roots = seals.map(({ seal }) => seal.merkle_root);
    expect(roots).toEqual(expect.arrayContaining(answered.map(({ merkle_root }) => merkle_root)));
  });
});
