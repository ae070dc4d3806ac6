// Random work of all that meets in a conversation: calls of warm processes and of suspended ones, erasures and runs of
// retention that are frozen or die at any step, and ids that begin anew. At the end every conversation is whole.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { LedgerAudit } from "../../../service/audit/ledger-audit.ts";
import { erase } from "../../../service/erasure/erase.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { type Outcome, outcomeOf } from "../../support/deaths.ts";
import { FAULTS_ROUNDS, type Interceptor } from "../../support/faults.ts";
import {
  HOUR,
  type Ledger,
  MINUTE,
  SECOND,
  startLedgerStack,
  type TestCaller,
} from "../../support/ledger-stack.ts";
import { retainWith } from "../../support/retain.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { dump } from "./erased.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const RUNS = 15 * FAULTS_ROUNDS;
const DAY = 24 * HOUR;
const IDS = ["call-1-unique", "call-2-unique"];
const WARM_PROCESSES = 2;
/** AWS takes no request that was signed longer ago; a minute is left for the plan's own age. */
const LATEST_MS = 14 * MINUTE;
/** So long that work which is frozen in a lookup does not go on without it. */
const LOOKUP_WAIT_MS = 60_000;
/** By then a conversation that was closed can begin anew. */
const REOPENED_MS = 21 * MINUTE;
const EXCUSES = /^(ledger_contended|ledger_unavailable|not_found|invalid_request|receipt_removed)$/;

const id = fc.constantFrom(...IDS);
const nth = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 20 }));
const kind = fc.constantFrom("call", "erasure", "retention");
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("attest"), id, process: fc.nat(WARM_PROCESSES - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("run"), id, kind }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("freeze"), id, kind, nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("kill"), id, kind, nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wake") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("seal") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("wait"),
      ms: fc.constantFrom(10 * SECOND, 5 * MINUTE, REOPENED_MS, HOUR, 130 * DAY),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
type Kind = "call" | "erasure" | "retention";

/** Work that stands still before one of its calls to the table. */
interface Frozen {
  readonly since: number;
  readonly isSigned: boolean;
  readonly wake: () => Promise<void>;
}

class Chaos {
  readonly #ledger: Ledger;
  readonly #caller: TestCaller;
  readonly #warm: readonly TestProcess[];
  readonly #frozen: Frozen[] = [];

  constructor(ledger: Ledger, caller: TestCaller) {
    this.#ledger = ledger;
    this.#caller = caller;
    this.#warm = Array.from({ length: WARM_PROCESSES }, () => ledger.newProcess());
  }

  async do(next: Action): Promise<void> {
    switch (next.do) {
      case "attest":
        return requireExcuse(await outcomeOf(this.#work("call", next.id, this.#warm[next.process])));
      case "run":
        return requireExcuse(await outcomeOf(this.#work(next.kind, next.id)));
      case "freeze":
        return this.#freeze(next.kind, next.id, next.nth);
      case "kill":
        return this.#kill(next.kind, next.id, next.nth);
      case "wake":
        return this.#frozen.shift()?.wake();
      case "seal":
        return void (await this.#ledger.newProcess().seal());
      case "wait":
        return this.#wait(next.ms);
    }
  }

  /** All that is under way comes to its end, what died is repeated, and every id can be used. */
  async settle(): Promise<void> {
    while (this.#frozen.length > 0) await this.#frozen.shift()?.wake();
    for (const name of IDS) {
      for (const repeat of ["erasure", "retention"] as const)
        requireExcuse(await outcomeOf(this.#work(repeat, name)));
    }
    this.#ledger.now += REOPENED_MS;
    for (const name of IDS) await this.#work("call", name);
    await this.#ledger.newProcess().seal();
  }

  #work(work: Kind, name: string, process = this.#ledger.newProcess()): Promise<unknown> {
    if (work === "call") return process.attest(this.#caller, requestOf(name));
    if (work === "retention") return retainWith(process.table);
    const order = { tenantId: this.#caller.tenantId, interactionId: name, erased_by: "officer" };
    return erase(process.table, { ...order, ground: "request" });
  }

  async #freeze(work: Kind, name: string, at: number): Promise<void> {
    const [frozen, woken] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const process = this.#ledger.newProcess(
      waitBefore(
        // Those beside it were answered before.
        (call) => call === at,
        (called) => {
          frozen.resolve(called);
          return woken.promise;
        },
      ),
      { lookupWaitMs: LOOKUP_WAIT_MS },
    );
    const outcome = outcomeOf(this.#work(work, name, process));
    const call = await Promise.race([outcome, frozen.promise]);
    if (typeof call !== "string") return requireExcuse(call);
    const wake = async () => {
      woken.resolve();
      requireExcuse(await outcome);
    };
    this.#frozen.push({ since: this.#ledger.now, isSigned: call === "TransactWriteItems", wake });
  }

  async #kill(work: Kind, name: string, at: number): Promise<void> {
    const died = Promise.withResolvers<void>();
    const process = this.#ledger.newProcess(
      waitBefore(
        (call) => call >= at,
        () => {
          died.resolve();
          return new Promise(() => {});
        },
      ),
    );
    await Promise.race([outcomeOf(this.#work(work, name, process)).then(requireExcuse), died.promise]);
  }

  async #wait(ms: number): Promise<void> {
    const end = this.#ledger.now + ms;
    for (const late of this.#frozen.filter(({ isSigned, since }) => isSigned && end - since > LATEST_MS)) {
      this.#frozen.splice(this.#frozen.indexOf(late), 1);
      await late.wake();
    }
    this.#ledger.now = end;
  }
}

/** Has the process wait before those of its calls, counted from 1, for which `isMeant` says so. */
function waitBefore(isMeant: (call: number) => boolean, wait: (name: string) => Promise<void>): Interceptor {
  let calls = 0;
  return async (call, send) => {
    if (isMeant(++calls)) await wait(call.name);
    return send();
  };
}

function requireExcuse(outcome: Outcome<unknown>): void {
  if (outcome.kind === "refused") expect(outcome.error.code).toMatch(EXCUSES);
}

test("whatever is frozen or dies, each conversation is whole, and an erasure leaves nothing of its id", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60 }), async (actions) => {
      const ledger = await stack.newLedger({ isSigned: false });
      const caller = await ledger.newTenant("tenant");
      const { table, roots } = ledger.newProcess();
      const registry = new TenantRegistry(table, ledger.clock);
      await registry.setRetention("tenant", 3);
      const chaos = new Chaos(ledger, caller);
      for (const next of actions) await chaos.do(next);
      await chaos.settle();
      for (const name of IDS) {
        const { receipts } = await ledger.newProcess().interaction(caller, name);
        expect(receipts.map(({ turn }) => turn)).toEqual(receipts.map((_, i) => i + 1));
      }
      const scope = { tenantId: null, chainId: null };
      const audit = await LedgerAudit.begin({ table, roots, macs: null }, registry, scope);
      expect((await audit.run(() => {})).faults).toEqual([]);

      ledger.now += REOPENED_MS;
      const order = { tenantId: "tenant", erased_by: "officer", ground: "request" } as const;
      for (const interactionId of IDS) await erase(table, { ...order, interactionId });
      const text = await dump(ledger);
      expect(IDS.filter((name) => text.includes(name))).toEqual([]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
