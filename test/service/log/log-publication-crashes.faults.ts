// The crash table of the log's files: a run that publishes those of two seals, over several tiles and levels, with
// everything that can become of each of its calls.
import { afterAll, describe, expect, test } from "vitest";
import { runWithFault } from "../../support/deaths.ts";
import { crashTable, type Interceptor, type Step } from "../../support/faults.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { entryBytesAt, growMetachain } from "../../support/metachain-entries.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { untilSigning } from "../../support/signed-metachain.ts";
import { checkTiles } from "../../support/whole-tiles.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** The calls that write files or progress, or that read what decides of them; sealer-crashes.faults.ts has the rest. */
const OF_FILES = ["PutObject", "GetObject", "UpdateItem", "GetItem"];
/** The second fills a tile, and so begins level 1. */
const SIZES = [255, 258];
const mth = treeOf((index) => leafHash(entryBytesAt(index)));

const noTiles: Interceptor = async (call, send) => {
  const { Key } = call.input as { Key?: unknown };
  if (call.name === "PutObject" && String(Key).includes("/tile/")) throw new Error("no");
  return send();
};

/** Two seals without their files. */
async function newWorld(): Promise<Ledger> {
  const ledger = await stack.newLedger({ isSigned: false });
  for (const size of SIZES) {
    await growMetachain(ledger.newProcess(), size);
    await ledger
      .newProcess(noTiles)
      .seal()
      .catch(() => {});
    ledger.now += MINUTE;
  }
  return ledger;
}

async function stepsOfGoodRun(): Promise<readonly Step[]> {
  const process = (await newWorld()).newProcess();
  await process.seal();
  return untilSigning(process.calls.steps);
}

const steps = await stepsOfGoodRun();

test("the run writes the files of both seals, and notes its progress after each", () => {
  const count = (name: string) => steps.filter((step) => step.name === name).length;
  // Two for the first seal; for the second, two full ones, two partial ones, and one of level 1.
  expect([count("PutObject"), count("UpdateItem")]).toEqual([2 + 5, 2]);
});

describe.concurrent("after a run in which", () => {
  test.each(crashTable(steps.filter(({ name }) => OF_FILES.includes(name))))(
    "$title, the next runs leave every file of both seals",
    async ({ step, mode }) => {
      const ledger = await newWorld();
      const rival = async () => void (await ledger.newProcess().seal());
      const [outcome] = await runWithFault(ledger, step, mode, rival, (process) => [process.seal()]);
      if (outcome?.kind === "refused") {
        expect(outcome.error.code).toMatch(/^(ledger|publication)_unavailable$/);
      }
      for (let run = 0; run < 2; run++) {
        ledger.now += MINUTE;
        await ledger.newProcess().seal();
      }
      const { roots } = ledger.newProcess();
      for (const size of SIZES) {
        await checkTiles({ size, mth, entryAt: entryBytesAt }, (key) =>
          roots.logFile(key.replace("v1/metachain/", "")),
        );
      }
      const process = ledger.newProcess();
      await process.seal();
      expect(process.calls.steps.filter(({ name }) => name === "PutObject")).toEqual([]);
    },
  );
});
