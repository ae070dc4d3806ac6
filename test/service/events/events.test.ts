// Events: what goes on the bus, how often, and that nothing waits for it.
import type { PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { expect, test } from "vitest";
import type { EventType } from "../../../contract/events.ts";
import type { MetricName } from "../../../contract/metric-names.ts";
import { EVENT_SCHEMAS } from "../../../evidence/core/formats/events.ts";
import { sendEventsTo } from "../../../service/events/event-bus.ts";
import { FaultEvents } from "../../../service/events/fault-events.ts";
import { LimitEvents } from "../../../service/events/limit-events.ts";
import { noEvents, type SendEvent } from "../../../service/events/send-event.ts";

type Sent = [type: EventType, detail: object];

function newBus(answer: () => Promise<object>) {
  const entries: Record<string, unknown>[] = [];
  const counted: Partial<Record<MetricName, number>> = {};
  const failed: EventType[] = [];
  const send = sendEventsTo({
    client: {
      send: (command: PutEventsCommand) => {
        entries.push(...((command.input.Entries ?? []) as Record<string, unknown>[]));
        return answer();
      },
    } as never,
    bus: "acme-bus",
    deployment: "acme",
    meter: (metric, value) => {
      counted[metric] = (counted[metric] ?? 0) + value;
    },
    onFailure: (type) => failed.push(type),
  });
  return { send, entries, counted, failed };
}

const recorded = () => {
  const sent: Sent[] = [];
  const send: SendEvent = async (type, detail) => void sent.push([type, detail]);
  return { sent, send };
};

const REACHED = { limit: "monthly_quota", endsAt: "2026-12-01T00:00:00.000Z", retryAfterSeconds: 9 } as const;

test("an event has our source, its type, and a detail that names the deployment and is as its schema says", async () => {
  const { send, entries, counted } = newBus(async () => ({ Entries: [{ EventId: "1" }] }));
  await send("Fault", { kind: "larger_tree", count: 1 });
  expect(entries).toEqual([
    {
      EventBusName: "acme-bus",
      Source: "disclosure-receipts",
      DetailType: "Fault",
      Detail: '{"deployment":"acme","kind":"larger_tree","count":1}',
    },
  ]);
  expect(EVENT_SCHEMAS.Fault.parse(JSON.parse(String(entries[0]?.Detail)))).toBeDefined();
  expect(counted).toEqual({});
});

test.each([
  ["does not answer", () => Promise.reject(new Error("timeout"))],
  ["refuses the entry", async () => ({ Entries: [{ ErrorCode: "ThrottlingException" }] })],
])("a bus that %s is logged and counted, and throws nothing", async (_what, answer) => {
  const { send, counted, failed } = newBus(answer);
  await send("Fault", { kind: "larger_tree", count: 1 });
  expect([counted, failed]).toEqual([{ eventFailures: 1 }, ["Fault"]]);
});

test("a fault that is counted becomes an event of its kind; other metrics and zeros do not", async () => {
  const { sent, send } = recorded();
  const counted: [MetricName, number][] = [];
  const faults = new FaultEvents((metric, value) => counted.push([metric, value]), send);
  faults.meter("publicationConflicts", 1);
  faults.meter("sealLag", 900);
  faults.meter("policyFailures", 0);
  await faults.settled();
  expect(sent).toEqual([["Fault", { kind: "publication_conflict", count: 1 }]]);
  expect(counted).toHaveLength(3);
});

test("chains that stay damaged are told once, and again when there are more", async () => {
  const { sent, send } = recorded();
  const faults = new FaultEvents(() => {}, send);
  for (const damaged of [0, 1, 1, 2, 1, 1, 0, 1]) faults.meter("damagedChains", damaged);
  await faults.settled();
  expect(sent.map(([, detail]) => detail)).toMatchObject([{ count: 1 }, { count: 2 }, { count: 1 }]);
});

test("a limit is told once for each tenant and window: the month of a quota, the hour of a rate", async () => {
  const { sent, send } = recorded();
  const limits = new LimitEvents(send);
  const [acme, other] = ["acme", "other"].map((tenantId) => ({ tenantId, plan: "trial" }));
  if (acme === undefined || other === undefined) throw new Error("no tenants");
  for (const tenant of [acme, acme, other]) await limits.tell(tenant, REACHED);
  await limits.tell(acme, { ...REACHED, endsAt: "2027-01-01T00:00:00.000Z" });
  for (const endsAt of ["2026-11-22T10:00:01.000Z", "2026-11-22T10:59:59.000Z", "2026-11-22T11:00:00.000Z"])
    await limits.tell(acme, { ...REACHED, limit: "rate", endsAt });
  expect(sent.map(([, detail]) => Object.values(detail).slice(0, 4))).toEqual([
    ["acme", "trial", "monthly_quota", "2026-12-01T00:00:00.000Z"],
    ["other", "trial", "monthly_quota", "2026-12-01T00:00:00.000Z"],
    ["acme", "trial", "monthly_quota", "2027-01-01T00:00:00.000Z"],
    ["acme", "trial", "rate", "2026-11-22T10:00:01.000Z"],
    ["acme", "trial", "rate", "2026-11-22T11:00:00.000Z"],
  ]);
});

test("a call that meets a limit does not wait for a bus that hangs", async () => {
  const limits = new LimitEvents(() => new Promise<void>(() => {}), 1);
  await expect(limits.tell({ tenantId: "acme", plan: "trial" }, REACHED)).resolves.toBeUndefined();
});

test("without a bus nothing is sent", async () => {
  await expect(noEvents("Fault", { kind: "larger_tree", count: 1 })).resolves.toBeUndefined();
});
