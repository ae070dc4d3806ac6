// The run that stores the final bills of the month before: each once, whatever dies, and never before the month is closed.
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, test } from "vitest";
import type { MetricName } from "../../../contract/metric-names.ts";
import { monthNamed } from "../../../evidence/core/formats/month.ts";
import { Bills } from "../../../service/bill/bills.ts";
import { type MonthlyRun, makeMonthlyBills } from "../../../service/bill/monthly-bills.ts";
import { StoredBills } from "../../../service/bill/stored-bills.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { checkBill } from "../../support/check-bill.ts";
import type { Interceptor } from "../../support/faults.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Ledgers of these tests begin on the first of May, 2040. */
const JUNE = Date.parse("2040-06-01T00:00:00.000Z");
const MAY = monthNamed("2040-05");
const NOTHING = { month: "2040-05", stored: 0, waiting: 0, failed: 0 };
const RETENTION = { mode: "COMPLIANCE", days: 1 } as const;

/** Two tenants with a receipt each in May; all is sealed, and it is June. */
async function newWorld(): Promise<Ledger> {
  const ledger = await stack.newLedger({ isSigned: false });
  const process = ledger.newProcess();
  for (const id of ["a", "b"]) await process.attest(await ledger.newTenant(id), requestOf(`call-${id}`));
  ledger.now += MINUTE;
  await process.seal();
  ledger.now = JUNE + HOUR;
  return ledger;
}

/** What a process has for bills; its calls to S3 are open to the interceptor, too. */
function servicesOf(ledger: Ledger, process: TestProcess) {
  const { table } = process;
  const bucket = `${ledger.name}-bills`;
  const s3 = process.calls.through(ledger.clients.s3);
  const counted: Partial<Record<MetricName, number>> = {};
  const failures: string[] = [];
  return {
    table,
    counted,
    failures,
    plans: new Map(),
    stored: new StoredBills(s3, bucket, RETENTION),
    registry: new TenantRegistry(table, table.clock),
    meter: (metric: MetricName, value: number) => {
      counted[metric] = (counted[metric] ?? 0) + value;
    },
    monotonic: () => 0,
    onFailure: (tenant: string) => failures.push(tenant),
  };
}

const run = (ledger: Ledger, intercept?: Interceptor): Promise<MonthlyRun> =>
  makeMonthlyBills(servicesOf(ledger, ledger.newProcess(intercept)));

describe("the monthly run", () => {
  test("stores the final bill of every tenant once, and then looks for some of them", async () => {
    const ledger = await newWorld();
    expect(await run(ledger)).toEqual({ ...NOTHING, stored: 2 });
    const process = ledger.newProcess();
    const services = servicesOf(ledger, process);
    for (const id of ["a", "b"]) {
      const bill = await services.stored.get(MAY, id);
      expect(bill).toMatchObject({ status: "final", count: 1, tenant: { id } });
      if (bill !== null) await checkBill(process, bill);
    }
    const later = ledger.newProcess();
    expect(await makeMonthlyBills(servicesOf(ledger, later))).toEqual(NOTHING);
    const asked = later.calls.steps.map(({ name }) => name);
    expect(asked).toEqual(["Query", "BatchGetItem", "GetObject", "GetObject", "GetObject"]);
  });

  test.each([
    ["of as many tenants as there are", { tenants: 2 }],
    ["of fewer", { tenants: 1 }],
    ["of nothing", {}],
  ])("makes the bills of a month that somebody marked as done, %s", async (_, mark) => {
    const ledger = await newWorld();
    const Bucket = `${ledger.name}-bills`;
    const Body = JSON.stringify({ month: "2040-05", ...mark });
    await ledger.clients.s3.send(new PutObjectCommand({ Bucket, Key: "bills/2040-05.json", Body }));
    expect(await run(ledger)).toEqual({ ...NOTHING, stored: 2 });
  });

  test("bills nobody before the month is closed", async () => {
    const ledger = await newWorld();
    ledger.now -= 1;
    expect(await run(ledger)).toEqual(NOTHING);
    expect(await servicesOf(ledger, ledger.newProcess()).stored.get(MAY, "a")).toBeNull();
  });

  test("leaves a tenant whose receipts wait for their seal to a later run, and says so after a day", async () => {
    const ledger = await newWorld();
    const process = ledger.newProcess();
    ledger.now = JUNE - 1;
    await process.attest(await ledger.newTenant("c"), requestOf("late"));
    ledger.now = JUNE + HOUR;
    expect(await run(ledger)).toEqual({ ...NOTHING, stored: 2, waiting: 1 });
    ledger.now = JUNE + 24 * HOUR;
    const services = servicesOf(ledger, process);
    expect(await makeMonthlyBills(services)).toEqual({ ...NOTHING, waiting: 1 });
    expect(services.counted.billFailures).toBe(1);
    await process.seal();
    expect(await run(ledger)).toEqual({ ...NOTHING, stored: 1 });
  });

  test("has no bill for a tenant that came after the month", async () => {
    const ledger = await newWorld();
    await ledger.newTenant("young");
    expect(await run(ledger)).toEqual({ ...NOTHING, stored: 2 });
  });

  test("keeps a bill that is stored, and refuses one that counts otherwise", async () => {
    const ledger = await newWorld();
    const { stored } = servicesOf(ledger, ledger.newProcess());
    const right = await new Bills({
      ...servicesOf(ledger, ledger.newProcess()),
      stored,
    }).whole("a", MAY);
    const [line] = right.lines;
    if (line === undefined) throw new Error("no line");
    const wrong = { ...right, count: 0, lines: [{ ...line, to: 0, count: 0 }] };
    await stored.put(MAY, wrong, new Date(ledger.now));
    // The bill that is there stays, and one that counts otherwise is refused.
    await expect(stored.put(MAY, right, new Date(ledger.now))).rejects.toMatchObject({
      code: "publication_conflict",
    });
    expect(await run(ledger)).toEqual({ ...NOTHING, stored: 1 });
  });

  test("may overlap with another: both find one bill of each tenant", async () => {
    const ledger = await newWorld();
    const runs = await Promise.all([run(ledger), run(ledger), run(ledger)]);
    expect(runs.map(({ failed, waiting }) => failed + waiting)).toEqual([0, 0, 0]);
    expect(await run(ledger)).toEqual(NOTHING);
  });
});

test("after a death at any step the next run stores what is missing", async () => {
  const ledger = await newWorld();
  const probe = ledger.newProcess();
  const bills = new Bills({ ...servicesOf(ledger, probe) });
  await bills.whole("a", MAY);
  const died = new Error("died");
  for (let step = 1; ; step++) {
    let calls = 0;
    const dying: Interceptor = async (_call, send) => {
      if (++calls >= step) throw died;
      return send();
    };
    const services = servicesOf(ledger, ledger.newProcess(dying));
    const outcome = await makeMonthlyBills(services).catch(() => null);
    if (outcome !== null && calls < step) break;
  }
  expect(await run(ledger)).toEqual(NOTHING);
  for (const id of ["a", "b"]) expect((await servicesOf(ledger, probe).stored.get(MAY, id))?.count).toBe(1);
});

test("a stored bill is what everybody is given, whatever the plan is by then", async () => {
  const ledger = await newWorld();
  await run(ledger);
  const price = { currency: "EUR", base: 1, tiers: [{ upTo: null, perThousand: 1 }] };
  const services = { ...servicesOf(ledger, ledger.newProcess()), plans: new Map([["test", { price }]]) };
  const bills = new Bills(services);
  const stored = await services.stored.get(MAY, "a");
  expect(stored?.amount).toBeNull();
  expect(await bills.whole("a", MAY)).toEqual(stored);
  expect(await bills.page("a", MAY, 0)).toEqual(stored);
  expect((await bills.page("a", MAY, 1)).lines).toEqual([]);
  expect(await bills.totals("a", MAY)).toMatchObject({ count: 1, status: "final", amount: null });
});

test("a stored bill is read once for its pages, and one that is not there yet is looked for again", async () => {
  const ledger = await newWorld();
  const process = ledger.newProcess();
  const services = servicesOf(ledger, process);
  expect(await services.stored.get(MAY, "a")).toBeNull();
  await run(ledger);
  const bills = new Bills(services);
  const pages = [await bills.page("a", MAY, 0), await bills.page("a", MAY, 0)];
  expect(pages.map(({ status }) => status)).toEqual(["final", "final"]);
  expect(process.calls.steps.filter(({ name }) => name === "GetObject")).toHaveLength(2);
});
