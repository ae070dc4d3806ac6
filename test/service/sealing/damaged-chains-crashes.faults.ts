// The crash table of a run that meets a damaged chain, and of the one that finds it whole again.
import { afterAll, describe, expect, test } from "vitest";
import { runWithFault } from "../../support/deaths.ts";
import { crashTable, type Step } from "../../support/faults.ts";
import { CORE } from "../../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Together longer than the sealer looks for the news of a minute (seal-news.ts): from then on only a chain's name leads to it. */
const SETTLING_RUNS = 8;
const PAUSE_MS = 4 * MINUTE;

/** A damaged chain beside a sound one that has news. In a repaired world it was set aside, and is whole again. */
async function newWorld(isRepaired: boolean) {
  const ledger = await stack.newLedger({ isSigned: false });
  const [damaged, sound] = [await ledger.newTenant("damaged"), await ledger.newTenant("sound")];
  const attest = () => ledger.newProcess().attest(sound, requestOf("call"));
  await ledger.newProcess().attest(damaged, requestOf("call"));
  const [key = ["", ""]] = await keysUnder(ledger, `chain#${damaged.chainIds[0]}`);
  const whole = await readItem(ledger, key);
  await writeItem(ledger, without(whole, CORE));
  await attest();
  const repair = () => writeItem(ledger, whole);
  if (isRepaired) {
    await settle(ledger);
    await repair();
    await attest();
  }
  return { ledger, attest, repair };
}

async function sealOnce(ledger: Ledger): Promise<void> {
  await ledger
    .newProcess()
    .seal()
    .catch(() => undefined);
  ledger.now += MINUTE;
}

async function settle(ledger: Ledger): Promise<void> {
  for (let run = 0; run < SETTLING_RUNS; run++) {
    await sealOnce(ledger);
    ledger.now += PAUSE_MS - MINUTE;
  }
}

const WRITES = ["UpdateItem", "PutItem", "TransactWriteItems"];

async function stepsOfRun(isRepaired: boolean): Promise<Step[]> {
  const { ledger } = await newWorld(isRepaired);
  const process = ledger.newProcess();
  await process.seal().catch(() => undefined);
  return process.calls.steps.filter(({ name }) => WRITES.includes(name));
}

const crashes = [
  ...crashTable(await stepsOfRun(false)).map((row) => ({ ...row, isRepaired: false })),
  ...crashTable(await stepsOfRun(true)).map((row) => ({ ...row, isRepaired: true })),
];

describe.concurrent("after a run in which", () => {
  test.each(crashes)("$title (repaired: $isRepaired), the chain is sealed once it is whole", async (row) => {
    const { ledger, attest, repair } = await newWorld(row.isRepaired);
    const rival = async () => {
      await attest();
      await sealOnce(ledger);
    };
    await runWithFault(ledger, row.step, row.mode, rival, (process) => [process.seal()]);
    await settle(ledger);
    await repair();
    const last = ledger.newProcess();
    await last.seal();
    expect(last.counted.damagedChains).toBe(0);
    const { receipts, publishedReceipts } = await ledger.check();
    expect(publishedReceipts).toBe(receipts);
  });
});
