// Random work of all parts at once: receipts that come minutes after their clock, runs of the sealer that overlap or are
// cut off at any step, clocks that differ. At the end the oracle walks every chain, seal, entry, label and tile.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { type Outcome, outcomeOf, runWithFault } from "../../support/deaths.ts";
import { FAULT_MODES, FAULTS_ROUNDS } from "../../support/faults.ts";
import { beginLateWrite } from "../../support/late-write.ts";
import { type Ledger, MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const CHAINS = 4;
const RUNS = 10 * FAULTS_ROUNDS;
/** AWS takes no request that was signed longer ago; a minute is left for the plan's own age. */
const LATEST_MS = 14 * MINUTE;
/** By then a minute has had its last visit. */
const SETTLED_MINUTES = 22;
/** What a run or a call may say of a table, a bucket or rivals that failed it. */
const EXCUSES = /^(ledger_unavailable|ledger_contended|publication_unavailable|mac_unavailable)$/;

const chain = fc.nat(CHAINS - 1);
const action = fc.oneof(
  fc.record({ kind: fc.constant("attest"), chain, skewMs: fc.integer({ min: -50, max: 50 }) }),
  fc.record({ kind: fc.constant("sign"), chain }),
  fc.record({ kind: fc.constant("arrive") }),
  fc.record({ kind: fc.constant("wait"), minutes: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant("overlap"), runs: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant("cut off"),
    name: fc.constantFrom("TransactWriteItems", "UpdateItem", "PutItem", "PutObject", "Query", "Stamp"),
    nth: fc.integer({ min: 1, max: 4 }),
    mode: fc.constantFrom(...FAULT_MODES),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

class Chaos {
  readonly answers: ComplianceReceipt[] = [];
  readonly #ledger: Ledger;
  readonly #callers: readonly Caller[];
  readonly #late: { readonly signedAt: number; readonly arrive: () => Promise<ComplianceReceipt> }[] = [];
  #interactions = 0;

  constructor(ledger: Ledger, callers: readonly Caller[]) {
    this.#ledger = ledger;
    this.#callers = callers;
  }

  async do(next: Action): Promise<void> {
    switch (next.kind) {
      case "attest":
        return this.#attest(next.chain, next.skewMs * SECOND);
      case "sign": {
        const signedAt = this.#ledger.now;
        const id = `late-${this.#interactions++}`;
        this.#late.push({ signedAt, ...(await beginLateWrite(this.#ledger, this.#caller(next.chain), id)) });
        return;
      }
      case "arrive":
        return this.#arrive();
      case "wait":
        return this.#wait(next.minutes);
      case "overlap":
        return this.#overlap(next.runs);
      case "cut off":
        return this.#cutOff(next);
    }
  }

  /** All that is under way comes to its end, and nobody disturbs the sealer any more. */
  async settle(): Promise<void> {
    while (this.#late.length > 0) await this.#arrive();
    for (let minute = 0; minute < SETTLED_MINUTES; minute++) {
      this.#ledger.now += MINUTE;
      await this.#ledger.newProcess().seal();
    }
  }

  #caller(index: number): Caller {
    return this.#callers[index] ?? expect.fail(`there is no caller ${index}`);
  }

  async #attest(index: number, skewMs: number): Promise<void> {
    const clock = () => new Date(this.#ledger.now + skewMs);
    const process = this.#ledger.newProcess(undefined, { clock });
    const id = `call-${this.#interactions++ % 3}`;
    this.answers.push(await process.attest(this.#caller(index), requestOf(id)));
  }

  async #arrive(): Promise<void> {
    const late = this.#late.shift();
    if (late === undefined) return;
    const outcome = await outcomeOf(late.arrive());
    if (outcome.kind === "answered") this.answers.push(outcome.answer);
    else requireExcuse(outcome);
  }

  async #wait(minutes: number): Promise<void> {
    const end = this.#ledger.now + minutes * MINUTE;
    for (;;) {
      const [first] = this.#late;
      if (first === undefined || end - first.signedAt <= LATEST_MS) break;
      this.#ledger.now = Math.max(this.#ledger.now, first.signedAt + LATEST_MS);
      await this.#arrive();
    }
    this.#ledger.now = end;
  }

  async #overlap(runs: number): Promise<void> {
    const sealing = Array.from({ length: runs }, () => outcomeOf(this.#ledger.newProcess().seal()));
    for (const outcome of await Promise.all(sealing)) requireExcuse(outcome);
  }

  async #cutOff({ name, nth, mode }: Extract<Action, { kind: "cut off" }>): Promise<void> {
    const rival = async () => void (await outcomeOf(this.#ledger.newProcess().seal()));
    const [outcome] = await runWithFault(this.#ledger, { name, nth }, mode, rival, (process) => [
      process.seal(),
    ]);
    requireExcuse(outcome);
  }
}

function requireExcuse(outcome: Outcome<unknown> | undefined): void {
  if (outcome?.kind === "refused") expect(outcome.error.code).toMatch(EXCUSES);
}

test("whatever comes late or is cut off, every receipt is under one seal, and every tile is published", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 30 }), async (actions) => {
      const ledger = await stack.newLedger();
      const callers = await Promise.all(
        [...Array(CHAINS).keys()].map((i) => ledger.newTenant(`tenant-${i}`)),
      );
      const chaos = new Chaos(ledger, callers);
      for (const next of actions) await chaos.do(next);
      await chaos.settle();
      const { seals, chains, receipts, publishedReceipts, tiledSize } = await ledger.check();
      expect(publishedReceipts).toBe(receipts);
      expect(tiledSize).toBe(seals.at(-1)?.seal.tree_size ?? 0);
      const recorded = new Set(
        [...chains.values()].flatMap(({ cores }) => cores.map((core) => core.event_id)),
      );
      for (const { event_id } of chaos.answers) expect(recorded).toContain(event_id);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
