// The crash table of what seals lack: a run that notes it, and a run that completes a seal, with everything that can
// become of each of their calls.
import { afterAll, describe, expect, test } from "vitest";
import { outcomeOf } from "../../support/deaths.ts";
import { crashTable, faultAt, type Interceptor, type Step } from "../../support/faults.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { untilSigning } from "../../support/signed-metachain.ts";
import { AUTHORITIES, requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** The first of these authorities answer nobody. */
const without =
  (count: number): Interceptor =>
  (call, send) =>
    AUTHORITIES.slice(0, count).includes(call.input.url ?? "")
      ? Promise.reject(new Error("no answer"))
      : send();

const both =
  (outer: Interceptor, inner: Interceptor): Interceptor =>
  (call, send) =>
    outer(call, () => inner(call, send));

/** A conversation to be sealed; or one under a seal that was published without a token. */
async function newWorld(isSealed: boolean): Promise<Ledger> {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  await ledger.newProcess().attest(caller, requestOf("call"));
  for (let run = 0; isSealed && run < 3; run++) {
    await ledger.newProcess(without(2)).seal();
    ledger.now += MINUTE;
  }
  return ledger;
}

interface Run {
  readonly name: string;
  readonly isSealed: boolean;
  /** How many authorities are down during the run. */
  readonly down: number;
}
const RUNS: readonly Run[] = [
  { name: "a run that publishes a seal one token short", isSealed: false, down: 1 },
  { name: "a run that completes a seal", isSealed: true, down: 0 },
  { name: "a run that gives a seal its first token", isSealed: true, down: 1 },
];

/** What this adds to a run; sealer-crashes.faults.ts has the rest. */
const OF_TOKENS = ["Stamp", "GetItem", "UpdateItem", "PutObject"];

async function stepsOf({ isSealed, down }: Run): Promise<Step[]> {
  const process = (await newWorld(isSealed)).newProcess(without(down));
  await process.seal();
  return untilSigning(process.calls.steps).filter(({ name }) => OF_TOKENS.includes(name));
}

const rows = await Promise.all(
  RUNS.map(async (run) => crashTable(await stepsOf(run)).map((row) => ({ ...row, run, of: run.name }))),
);

describe.concurrent("after", () => {
  test.each(rows.flat())("$of, in which $title, the seal gets all its tokens, each once", async (row) => {
    const ledger = await newWorld(row.run.isSealed);
    const death = Promise.withResolvers<void>();
    const rival = async () => void (await ledger.newProcess(without(row.run.down)).seal());
    const fault = faultAt(row.step, row.mode, { rival, died: death.resolve });
    const run = ledger.newProcess(both(without(row.run.down), fault)).seal();
    const outcome = await Promise.race([outcomeOf(run), death.promise]);
    if (outcome?.kind === "refused") {
      expect(outcome.error.code).toMatch(/^(ledger|publication)_unavailable$/);
    }
    await ledger.check();

    for (let next = 0; next < 3; next++) {
      ledger.now += MINUTE;
      await ledger.newProcess().seal();
    }
    expect((await ledger.check()).seals).toMatchObject([{ isPublished: true, tokens: 2 }]);
    const { seals } = ledger.newProcess();
    expect(await seals.incomplete()).toEqual({ tokenless: [], incomplete: [] });
  });
});
