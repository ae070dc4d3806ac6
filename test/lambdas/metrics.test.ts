// The line by which a function tells CloudWatch what it counted (embedded metric format).
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { METRIC_NAMES, METRICS_NAMESPACE, type MetricName } from "../../contract/metric-names.ts";

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

test("64 calls at once in one process lose no value and send none twice", async () => {
  const { measured, meter, publishMetrics } = await load();
  const CALLS = 64;
  const call = measured(async (index: number) => {
    meter("attestations", 1);
    // Some end while others have just begun, and some count after they have waited.
    for (let turn = 0; turn < index % 5; turn++) await new Promise(setImmediate);
    meter("lostRaces", index);
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
  const { measured, meter } = await load();
  const VALUES = 250;
  await measured(async () => {
    for (let i = 0; i < VALUES; i++) meter("attestations", 1);
  })();
  const sent = lines
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).Attestations);
  expect(sent.flat()).toHaveLength(VALUES);
  for (const values of sent) expect([values].flat().length).toBeLessThanOrEqual(100);
});

test("a call that fails has its counts sent all the same, and its error thrown on", async () => {
  const { measured, meter } = await load();
  const failing = measured(async () => {
    meter("lostRaces", 1);
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
  const { measured, meter } = await load();
  await measured(async () => {
    for (const name of Object.keys(METRIC_NAMES) as MetricName[]) meter(name, 1);
  })();
  expect(lines).toEqual([]);
});
