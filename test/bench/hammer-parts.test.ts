// The hammer's parts that need no service: durations, schedule, armed faults, journal, lines of processes.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { FAULT_NAMES, type FaultName } from "../../bench/hammer/faults/names.ts";
import { scheduleOf } from "../../bench/hammer/faults/schedule.ts";
import { Histogram } from "../../bench/hammer/load/histogram.ts";
import { CALLS_FILE, CallJournal, readAnswer } from "../../bench/hammer/load/journal.ts";
import { ArmedFaults } from "../../bench/hammer/proxy/armed-faults.ts";
import { countingUnits, unitsIn } from "../../bench/hammer/proxy/capacity.ts";
import { canMeet, operationOf, type RequestHead } from "../../bench/hammer/proxy/operations.ts";
import { FORGED_INSTANT, ServiceLines } from "../../bench/hammer/world/lines.ts";

const folder = mkdtempSync(join(tmpdir(), "hammer-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a histogram", () => {
  test("gives each quantile with an error of some four percent, and the largest value exactly", () => {
    const values = fc.array(fc.double({ min: 0.1, max: 100_000, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(values, fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1), (durations, share) => {
        const histogram = new Histogram();
        for (const ms of durations) histogram.add(ms);
        const exact = durations.toSorted((a, b) => a - b)[Math.ceil(share * durations.length) - 1] ?? 0;
        const given = histogram.quantile(share) ?? 0;
        expect(given).toBeGreaterThanOrEqual(exact * 0.999);
        expect(given).toBeLessThanOrEqual(exact * 1.041);
        expect(histogram.max).toBe(Math.max(...durations));
      }),
    );
  });

  test("without a value has no quantile", () => {
    expect(new Histogram().quantile(0.5)).toBeNull();
  });
});

describe("the schedule", () => {
  test("is the same for the same seed, and another for another", () => {
    expect(scheduleOf(7, FAULT_NAMES, 60_000)).toEqual(scheduleOf(7, FAULT_NAMES, 60_000));
    expect(scheduleOf(7, FAULT_NAMES, 60_000)).not.toEqual(scheduleOf(8, FAULT_NAMES, 60_000));
  });

  test("has each fault at the same moments, whichever others there are", () => {
    const alone = scheduleOf(7, ["kill"], 60_000);
    expect(alone.length).toBeGreaterThan(0);
    expect(scheduleOf(7, FAULT_NAMES, 60_000).filter(({ name }) => name === "kill")).toEqual(alone);
  });

  test("is in the order of time, within the run, and has every fault of a run of ten minutes", () => {
    const schedule = scheduleOf(7, FAULT_NAMES, 600_000);
    expect(schedule.map(({ at }) => at)).toEqual(schedule.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(schedule.every(({ at }) => at > 0 && at < 600_000)).toBe(true);
    expect(new Set(schedule.map(({ name }) => name))).toEqual(new Set<FaultName>(FAULT_NAMES));
  });
});

const toTable = (name: string): RequestHead => ({
  method: "POST",
  path: "/",
  headers: { "x-amz-target": `DynamoDB_20120810.${name}` },
});
const put = (path: string): RequestHead => ({ method: "PUT", path, headers: { "if-none-match": "*" } });

describe("the proxy", () => {
  test.each([
    [toTable("TransactWriteItems"), { upstream: "table", name: "TransactWriteItems", isWrite: true }],
    [toTable("Query"), { upstream: "table", name: "Query", isWrite: false }],
    [
      { ...toTable(""), headers: { "x-amz-target": "TrentService.Sign" } },
      { upstream: "keys", name: "Sign", isWrite: false },
    ],
    [put("/bucket/v1/metachain"), { upstream: "objects", name: "PutObject", isWrite: true }],
    [
      { ...put("/tsa/1"), method: "POST" },
      { upstream: "authority", name: "Stamp", isWrite: false },
    ],
    [
      { ...put("/witness/add-checkpoint"), method: "POST" },
      { upstream: "witness", name: "AddCheckpoint" },
    ],
  ])("tells operations apart: %j", (head, operation) => {
    expect(operationOf(head)).toMatchObject(operation);
  });

  test("holds back writes alone, and says of seals and tiles alone that others are there", () => {
    const meets = (fault: FaultName, head: RequestHead) => canMeet(fault, operationOf(head), head);
    expect(meets("late", toTable("TransactWriteItems"))).toBe(true);
    expect(meets("late", toTable("Query"))).toBe(false);
    expect(meets("s3-other-bytes", put("/bucket/v1/metachain/roots/4"))).toBe(true);
    expect(meets("s3-other-bytes", put("/bucket/v1/metachain/tile/0/000"))).toBe(true);
    expect(meets("s3-other-bytes", put("/bucket/v1/metachain"))).toBe(false);
  });

  test("lets a fault meet the request after those that it skips, once, and only one of its kind of process", () => {
    const armed = new ArmedFaults();
    const fault = { name: "fails", role: "seal", skip: 1, seed: 0 } as const;
    armed.arm(fault);
    const head = toTable("Query");
    const take = (role: "seal" | "read") => armed.take(role, operationOf(head), head);
    expect([take("read"), take("seal"), take("seal"), take("seal")]).toEqual([null, null, fault, null]);
  });

  test("asks the table for units, and adds up what it says", () => {
    const asked = countingUnits("Query", Buffer.from('{"TableName":"t"}'));
    expect(JSON.parse(Buffer.from(asked).toString())).toEqual({
      TableName: "t",
      ReturnConsumedCapacity: "TOTAL",
    });
    expect(Buffer.from(countingUnits("DescribeTable", Buffer.from("{}"))).toString()).toBe("{}");
    expect(unitsIn('{"ConsumedCapacity":[{"CapacityUnits":6},{"CapacityUnits":0.5}]}')).toBe(6.5);
  });
});

const RECEIPT = { chain_id: "c", sequence: 4, turn: 1, verdict: "ALLOW", member_of_later: true };
const CALL = {
  tenant: 0,
  interaction_id: "i",
  idempotency_key: "k",
  body: '{"a": 1}',
  asked_at: 1,
  answered_at: 2,
  tries: 3,
};

describe("the journal", () => {
  test("has a line for each call, with the receipt as it was answered", async () => {
    const journal = new CallJournal(folder);
    const answer = readAnswer({ event_id: "e", receipts: [RECEIPT], merkle_proof: {} });
    journal.write({ ...CALL, status: 200 }, answer);
    journal.write({ ...CALL, status: 200 }, answer);
    journal.write({ ...CALL, status: null }, null);
    await journal.close();
    const lines = readFileSync(join(folder, CALLS_FILE), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...CALL, status: 200, receipt: RECEIPT, event_id: "e" },
      { ...CALL, status: 200, receipt: RECEIPT, event_id: "e" },
      { ...CALL, status: null, receipt: null, event_id: null },
    ]);
    expect([journal.calls, journal.receipts, journal.open]).toEqual([3, 1, 1]);
    expect([...journal.sizesOf(0)]).toEqual([["c", 5]]);
  });

  test.each([null, {}, { event_id: "e", receipts: [] }, { receipts: [RECEIPT] }])(
    "takes %j for no receipt",
    (answer) => {
      expect(readAnswer(answer)).toBeNull();
    },
  );
});

describe("the lines of a process", () => {
  test("give metrics, refusals of other bytes, and damage as a finding", () => {
    const lines = new ServiceLines();
    lines.hear("attest-0", '{"_aws":{},"LostRaces":[1,2],"Attestations":3}');
    lines.hear("attest-0", '{"_aws":{},"LostRaces":4');
    lines.hear("seal-0", '{"failure":{"code":"publication_conflict"}}');
    lines.hear("seal-0", '{"witness":"w","failure":{"code":"publication_conflict"}}');
    lines.hear(
      "seal-0",
      '{"failure":{"code":"publication_conflict","stack":"entry 4 is claimed by no chain"}}',
    );
    lines.hear("seal-0", '{"message":"an item of the table was not believed"}');
    lines.hear("read-0", `{"failure":{"code":"ledger_corrupt","erased_at":"${FORGED_INSTANT}"}}`);
    lines.hear(
      "read-0",
      '{"failure":{"code":"ledger_corrupt","stack":"a published seal is missing from the table"}}',
    );
    lines.hear("read-0", '{"failure":{"code":"ledger_corrupt"}}');
    expect(lines.told).toEqual({ disbelieved: 1, forged: 1, unmarked: 1 });
    expect(lines.total("lostRaces")).toBe(3);
    expect(lines.conflicts).toBe(1);
    expect(lines.findings).toEqual(['read-0 says: {"failure":{"code":"ledger_corrupt"}}']);
  });
});
