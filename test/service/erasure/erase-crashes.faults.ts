// The crash table of an erasure: every call that it makes, with everything that can become of a call. A repeat completes
// it, and what is left is one tombstone under one new id.
import { afterAll, describe, expect, test } from "vitest";
import { erase } from "../../../service/erasure/erase.ts";
import { outcomeOf, runWithFault } from "../../support/deaths.ts";
import { crashTable } from "../../support/faults.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";
import { CALL, dump, expectErased, newWorld, ORDER, type World } from "./erased.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Where the first run was done when it died, or another one was. */
const DONE = /^not_found$/;
/** A rival may also have been first: the conversation goes on, or was erased while this run looked at it. */
const REFUSALS = /^(ledger_unavailable|ledger_contended|not_found|invalid_request)$/;
const TURNS = 2;

async function stepsOfGoodRun() {
  const { ledger } = await newWorld(stack, TURNS);
  const process = ledger.newProcess();
  await erase(process.table, ORDER);
  return process.calls.steps;
}

const RIVALS: Record<string, (world: World) => Promise<unknown>> = {
  "another operator": ({ ledger }) => erase(ledger.newProcess().table, { ...ORDER, ground: "order" }),
  "a call that goes on with the conversation": ({ ledger, caller }) =>
    ledger.newProcess().attest(caller, requestOf(CALL)),
};

const cases = crashTable(await stepsOfGoodRun()).flatMap((row) =>
  row.mode === "loses a race"
    ? Object.entries(RIVALS).map(([name, rival]) => ({ ...row, rival, title: `${row.title} to ${name}` }))
    : [{ ...row, rival: async () => {} }],
);

describe.concurrent("after an erasure in which", () => {
  test.each(cases)(
    "$title, a repeat leaves one tombstone, and every proof",
    async ({ step, mode, rival }) => {
      const world = await newWorld(stack, TURNS);
      const { ledger } = world;
      // The rival may come too late itself, or be refused because the conversation is closed.
      const compete = async () => void (await outcomeOf(rival(world)));
      const [outcome] = await runWithFault(ledger, step, mode, compete, ({ table }) => [erase(table, ORDER)]);
      if (outcome?.kind === "refused") expect(outcome.error.code).toMatch(REFUSALS);

      const repeated = await outcomeOf(erase(ledger.newProcess().table, ORDER));
      if (repeated.kind === "refused" && repeated.error.message.includes("may go on")) {
        // The rival's call came first: the conversation is whole, and nothing of it is erased.
        await expect(ledger.newProcess().interaction(world.caller, CALL)).resolves.toMatchObject({
          receipts: { length: TURNS + 1 },
        });
        expect(await dump(ledger)).not.toContain("erased_at");
        return void (await ledger.check());
      }
      if (repeated.kind === "refused") expect(repeated.error.code).toMatch(DONE);
      const erasure = await expectErased(world);
      for (const one of [outcome, repeated])
        if (one?.kind === "answered") expect(one.answer).toEqual({ erasure, receipts: TURNS });
    },
  );
});
