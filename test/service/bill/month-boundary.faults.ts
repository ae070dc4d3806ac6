// A month's boundary under fire: 64 callers who retry with the same Idempotency-Key, processes that die in the middle,
// sealers that overlap. In both months the bill counts what the callers hold, to the last receipt.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { monthNamed } from "../../../evidence/core/formats/month.ts";
import type { Receipt } from "../../../evidence/core/formats/receipt.ts";
import { buildWholeBill } from "../../../service/bill/build-bill.ts";
import { checkBill } from "../../support/check-bill.ts";
import { FAULTS_ROUNDS, outage } from "../../support/faults.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Ledgers of these tests begin on the first of May, 2040. */
const JUNE = Date.parse("2040-06-01T00:00:00.000Z");
const JULY = Date.parse("2040-07-01T00:00:00.000Z");
const CALLERS = 64;
/** Each is another order of deaths and lost answers, of which one run has dozens. */
const SEEDS = 2;
const CALLS_EACH = 2;
/** The clock goes on by so much with each answer: whole batches are answered at once, and no plan may grow old by that. */
const PACE_MS = 50;
const PROCESSES = 2;
const MAX_TRIES = 100;
const RETRY_MS = 20;
const OVERLAPPING_SEALERS = 4;
const SEAL_PAUSE_MS = 100;
/** Of a process's writes, one in so many is its last, and one in so many has no answer. */
const DEATHS = 20;
const LOST_ANSWERS = 20;

/** A process that may die at any write; then none of its calls ever returns. */
interface Mortal {
  readonly process: TestProcess;
  readonly died: Promise<null>;
}

/** The same numbers in every run. */
function newRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function newMortal(ledger: Ledger, random: (below: number) => number): Mortal {
  const death = Promise.withResolvers<null>();
  let isDead = false;
  const process = ledger.newProcess(async (call, send) => {
    if (isDead) return new Promise(() => {});
    if (!/^(?:TransactWriteItems|UpdateItem|PutItem|PutObject)$/.test(call.name)) return send();
    if (random(DEATHS) === 0) {
      isDead = true;
      // Some die before the write takes effect, and some after it; it may be refused, too.
      if (random(2) === 0) await send().catch(() => {});
      death.resolve(null);
      return new Promise(() => {});
    }
    const answer = await send();
    if (random(LOST_ANSWERS) === 0) throw outage();
    return answer;
  });
  return { process, died: death.promise };
}

/** Makes a call until somebody answers it, in whichever process is alive. */
async function untilAnswered<T>(
  pool: Mortal[],
  ledger: Ledger,
  random: (below: number) => number,
  call: (process: TestProcess) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const slot = random(pool.length);
    const mortal = pool[slot];
    if (mortal === undefined) throw new Error("no such process");
    const dies = mortal.died.then(() => {
      if (pool[slot] === mortal) pool[slot] = newMortal(ledger, random);
      return null;
    });
    const answer = await Promise.race([call(mortal.process).catch(() => null), dies]);
    if (answer !== null) return answer;
    await sleep(RETRY_MS);
  }
  throw new Error("no process answers");
}

/** Each call is made twice at the same time with one key, as by a caller that did not wait. */
async function callerLoop(
  n: number,
  world: { ledger: Ledger; caller: TestCaller; pool: Mortal[]; random: (below: number) => number },
  held: Map<string, Receipt>,
): Promise<void> {
  const { ledger, caller, pool, random } = world;
  for (let call = 0; call < CALLS_EACH; call++) {
    const attest = (process: TestProcess) =>
      process.attest(caller, requestOf(`call-${n}`, { agent_identity: `agent/${call}` }), `key-${n}-${call}`);
    const answers = await Promise.all([
      untilAnswered(pool, ledger, random, attest),
      untilAnswered(pool, ledger, random, attest),
    ]);
    const [first, second] = answers.map(({ receipts: [receipt] }) => receipt);
    if (first === undefined) throw new Error("an answer without a receipt");
    expect(second).toEqual(first);
    held.set(first.event_id, first);
    ledger.now += PACE_MS;
  }
}

const heldIn = (held: ReadonlyMap<string, Receipt>, month: string): number =>
  [...held.values()].filter(({ issued_at }) => issued_at.startsWith(month)).length;

async function expectBill(ledger: Ledger, month: string, held: ReadonlyMap<string, Receipt>): Promise<void> {
  const process = ledger.newProcess();
  const price = { currency: "EUR", base: 0, tiers: [{ upTo: null, perThousand: 1_000 }] };
  const plans = new Map([["test", { price }]]);
  const bill = await buildWholeBill({ table: process.table, plans }, "tenant", monthNamed(month));
  expect(bill).toMatchObject({ month, status: "final", count: heldIn(held, month) });
  await checkBill(process, bill);
}

test.each(ascending(SEEDS * FAULTS_ROUNDS, (index) => index + 1))(
  "both months' bills count what the callers hold, run %i",
  async (seed) => {
    const ledger = await stack.newLedger({ isSigned: false });
    const caller = await ledger.newTenant("tenant", 3);
    const random = newRandom(seed);
    // Half of the calls are answered before the month ends.
    ledger.now = JUNE - ((CALLERS * CALLS_EACH) / 2) * PACE_MS;
    const pool = ascending(PROCESSES, () => newMortal(ledger, random));
    const held = new Map<string, Receipt>();
    const runs = ascending(OVERLAPPING_SEALERS, async (i) => {
      await sleep(i * SEAL_PAUSE_MS);
      await ledger.newProcess().seal();
    });
    const calling = ascending(CALLERS, (n) => callerLoop(n, { ledger, caller, pool, random }, held));
    await Promise.all([...calling, ...runs]);
    expect(held.size).toBe(CALLERS * CALLS_EACH);
    expect(heldIn(held, "2040-05")).toBeGreaterThan(0);
    expect(heldIn(held, "2040-06")).toBeGreaterThan(0);
    ledger.now += 20 * MINUTE;
    await ledger.newProcess().seal();
    expect((await ledger.check()).receipts).toBe(held.size);
    ledger.now = JUNE + 2 * HOUR;
    await expectBill(ledger, "2040-05", held);
    ledger.now = JULY + 2 * HOUR;
    await expectBill(ledger, "2040-06", held);
  },
);
