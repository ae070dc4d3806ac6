// An operator of a ledger of these tests, and the console that it opens.
import { afterAll, onTestFinished } from "vitest";
import { type AnswerConsole, openAnswers } from "../../../host/console/answers.ts";
import { startConsole } from "../../../host/console/console-server.ts";
import type { ReadingOperator } from "../../../host/console/reading-operator.ts";
import { ApiKeys } from "../../../service/tenants/api-keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { type Ledger, startLedgerStack } from "../../support/ledger-stack.ts";
import type { TestProcess } from "../../support/test-process.ts";

export const stack = await startLedgerStack();
afterAll(stack.close);

const PLAN = { rate: 5, burst: 10, monthlyQuota: 100, chains: 1, usagePlanId: null };

export function operatorOf(ledger: Ledger, process: TestProcess = ledger.newProcess()): ReadingOperator {
  const { table, roots, macs } = process;
  const { clock } = ledger;
  return {
    deployment: {
      name: "tests",
      tableName: ledger.name,
      rootsBucket: ledger.name,
      billsBucket: "bills",
      macKeyId: ledger.key.id,
      retiredMacKeyIds: [],
      apiId: null,
      plans: { test: PLAN },
      sealIntervalMinutes: 1,
      url: "http://receipts.test",
      knownAuthorities: false,
      witnessPolicy: null,
    },
    region: null,
    table,
    roots,
    macs,
    clock,
    registry: new TenantRegistry(table, clock),
    keys: new ApiKeys(table, clock),
    gateway: null,
    close: () => {},
  };
}

/** The console's answers, by path and question. Throws what it throws. */
export function asking(operator: ReadingOperator): (path: string) => Promise<unknown> {
  const answer: AnswerConsole = openAnswers(operator, { trustAnchors: [], onFault: () => {} });
  return async (path) => {
    const { pathname, searchParams } = new URL(path, "http://console.test");
    return answer(pathname, searchParams);
  };
}

/** The console itself, until the test ends. */
export async function serveConsole(operator: ReadingOperator, onFault: (error: unknown) => void = () => {}) {
  const options = { port: 0, portAdvice: "take another", trustAnchors: [], trustAnchorsPem: null, onFault };
  const server = await startConsole(operator, options);
  onTestFinished(server.close);
  return server;
}
