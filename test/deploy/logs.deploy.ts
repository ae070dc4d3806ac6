// What the deployed functions write: metrics where CloudWatch looks for them, and nothing that identifies anyone.
import { expect, test } from "vitest";
import { disclosure } from "../support/api-client.ts";
import { callLogs, runSchedules } from "../support/emulator-api.ts";
import { newDeployedTenant, theDeployment } from "../support/target.ts";

const stack = theDeployment();
const { api } = await newDeployedTenant(stack);
const secret = api.apiKey.split("_")[3] ?? "";
const request = disclosure({ interaction_id: "call-of-erika", agent_identity: "agent-of-erika" });

interface LogGroup {
  readonly logGroupName: string;
  readonly retentionInDays?: number;
}

async function logGroups(): Promise<LogGroup[]> {
  const { logGroups } = await callLogs<{ logGroups: LogGroup[] }>(stack.endpoint, "DescribeLogGroups", {});
  return logGroups.filter(({ logGroupName }) => logGroupName.includes(`/${stack.name}/`));
}

async function logLines(): Promise<string[]> {
  const perGroup = (await logGroups()).map(async ({ logGroupName }) => {
    const input = { logGroupName };
    const { events } = await callLogs<{ events: { message: string }[] }>(
      stack.endpoint,
      "FilterLogEvents",
      input,
    );
    return events.map(({ message }) => message);
  });
  return (await Promise.all(perGroup)).flat();
}

/** The values of a metric in CloudWatch's embedded metric format, under this deployment's name. */
async function valuesOf(metric: string, dimensions = [["service"]]): Promise<number[]> {
  const lines = (await logLines()).filter((line) => line.startsWith('{"_aws"'));
  const metrics = lines.map((line) => JSON.parse(line)).filter((values) => metric in values);
  for (const { service, _aws } of metrics) {
    expect(service).toBe(stack.name);
    expect(_aws.CloudWatchMetrics).toEqual([
      expect.objectContaining({ Namespace: "DisclosureReceipts", Dimensions: dimensions }),
    ]);
  }
  return metrics.flatMap((values) => values[metric]);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test("attest counts each receipt, and the sealer tells its lag and what it sealed", async () => {
  const attestations = () => valuesOf("Attestations", [["service"], ["service", "plan"]]);
  const [attested, sealed] = [await attestations(), await valuesOf("SealedReceipts")];
  await api.attest(request);
  await runSchedules(stack.endpoint, stack.name);
  expect(sum(await attestations()) - sum(attested)).toBe(1);
  expect(sum(await valuesOf("SealedReceipts")) - sum(sealed)).toBe(1);
  expect((await valuesOf("SealLag")).length).toBeGreaterThan(0);
});

test("no function logs a key's secret or an identifier of the call", async () => {
  const { event_id } = await api.attest(request);
  expect((await api.report(event_id)).event_id).toBe(event_id);
  expect((await api.interaction(request.interaction_id)).receipts.length).toBeGreaterThan(0);
  await api.post("/v1/attestation", JSON.stringify({ ...request, transcript: "erika" }));
  const lines = await logLines();
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes("erika") || line.includes(secret))).toEqual([]);
});

test("every log group keeps its lines for the configured days", async () => {
  const groups = await logGroups();
  expect(groups.length).toBeGreaterThan(10);
  expect(groups.filter(({ retentionInDays }) => retentionInDays !== 90)).toEqual([]);
});
