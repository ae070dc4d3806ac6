// The line by which a function tells CloudWatch what it counted (embedded metric format).
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { METRIC_NAMES, METRICS_NAMESPACE, type Meter, PLAN_METRICS } from "../../contract/metric-names.ts";

const lines: string[] = [];

beforeEach(() => {
  lines.length = 0;
  vi.resetModules();
  vi.stubEnv("POWERTOOLS_SERVICE_NAME", "acme-receipts");
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", METRICS_NAMESPACE);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A fresh module, since Powertools reads the environment when it is loaded. */
const load = () => import("../../lambdas/middleware/metrics.ts");

test("what a call counted goes out in one line, under the deployment's name", async () => {
  const { measured, meter } = await load();
  const answer = await measured(async (text: string) => {
    meter("timestampFailures", 1);
    meter("timestampFailures", 1);
    meter("sealLag", 75);
    return text;
  })("answer");
  expect(answer).toBe("answer");
  expect(lines).toHaveLength(1);
  const { _aws, ...values } = JSON.parse(lines[0] ?? "");
  expect(values).toEqual({ service: "acme-receipts", TimestampFailures: [1, 1], SealLag: 75 });
  expect(_aws.CloudWatchMetrics).toEqual([
    {
      Namespace: METRICS_NAMESPACE,
      Dimensions: [["service"]],
      Metrics: [
        { Name: "TimestampFailures", Unit: "Count" },
        { Name: "SealLag", Unit: "Seconds" },
      ],
    },
  ]);
});

test("what a tenant's call counted goes out for the deployment and for the plan, in a line of the plan's own", async () => {
  const { measured, meter, meterPlan } = await load();
  await measured(async () => {
    meterPlan("attestations", "trial", 1);
    meterPlan("attestations", "gold", 1);
    meterPlan("lostRaces", "gold", 2);
    meter("eventFailures", 1);
  })();
  const sent = lines.map((line) => JSON.parse(line));
  const dimensions = sent.map(({ _aws }) => _aws.CloudWatchMetrics[0].Dimensions);
  const byPlan = [["service"], ["service", "plan"]];
  expect(dimensions).toEqual([[["service"]], byPlan, byPlan]);
  expect(sent.map(({ _aws, service, ...values }) => values)).toEqual([
    { EventFailures: 1 },
    { plan: "trial", Attestations: 1 },
    { plan: "gold", Attestations: 1, LostRaces: 2 },
  ]);
});

test("a call that a limit refused is counted under that limit, for its plan", async () => {
  const { measured, meterRefusal } = await load();
  await measured(async () => {
    meterRefusal("trial", "monthly_quota");
    meterRefusal("trial", "rate");
    meterRefusal("trial", "rate");
  })();
  expect(JSON.parse(lines.join(""))).toMatchObject({
    plan: "trial",
    QuotaRefusals: 1,
    RateRefusals: [1, 1],
  });
});

test("64 calls at once in one process lose no value and send none twice", async () => {
  const { measured, meter, meterPlan, publishMetrics } = await load();
  const CALLS = 64;
  const call = measured(async (index: number) => {
    meterPlan("attestations", index % 2 === 0 ? "trial" : "gold", 1);
    // Some end while others have just begun, and some count after they have waited.
    for (let turn = 0; turn < index % 5; turn++) await new Promise(setImmediate);
    meterPlan("lostRaces", "trial", index);
    if (index % 7 === 0) throw new Error("refused");
  });
  await Promise.allSettled(Array.from({ length: CALLS }, (_, index) => call(index)));
  meter("timestampFailures", 1);
  publishMetrics();
  publishMetrics();
  const sent = lines
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const valuesOf = (name: string): number[] => sent.flatMap((line) => line[name] ?? []);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  expect(valuesOf("Attestations")).toHaveLength(CALLS);
  expect(valuesOf("LostRaces").toSorted((a, b) => a - b)).toEqual(Array.from({ length: CALLS }, (_, i) => i));
  expect(sum(valuesOf("TimestampFailures"))).toBe(1);
});

test("more values of one name than a line may hold go out in several lines", async () => {
  const { measured, meterPlan } = await load();
  const VALUES = 250;
  await measured(async () => {
    for (let i = 0; i < VALUES; i++) meterPlan("attestations", "gold", 1);
  })();
  const sent = lines
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(sent.flatMap(({ Attestations }) => Attestations)).toHaveLength(VALUES);
  for (const { Attestations, plan, _aws } of sent) {
    expect([Attestations].flat().length).toBeLessThanOrEqual(100);
    expect([plan, _aws.CloudWatchMetrics[0].Dimensions]).toEqual([
      "gold",
      [["service"], ["service", "plan"]],
    ]);
  }
});

test("a call that fails has its counts sent all the same, and its error thrown on", async () => {
  const { measured, meterPlan } = await load();
  const failing = measured(async () => {
    meterPlan("lostRaces", "trial", 1);
    throw new Error("too busy");
  });
  await expect(failing()).rejects.toThrow("too busy");
  expect(lines.join("")).toContain(`"${METRIC_NAMES.lostRaces}":1`);
});

test("a call that counted nothing says nothing", async () => {
  const { measured } = await load();
  await measured(async () => null)();
  expect(lines).toEqual([]);
});

test("where nobody collects metrics, nothing is printed", async () => {
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");
  const { measured, meter, meterPlan } = await load();
  await measured(async () => {
    for (const name of Object.keys(METRIC_NAMES) as Parameters<Meter>[0][]) meter(name, 1);
    for (const name of PLAN_METRICS) meterPlan(name, "trial", 1);
  })();
  expect(lines).toEqual([]);
});
