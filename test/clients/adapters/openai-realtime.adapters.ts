// The adapter for OpenAI's realtime sessions with the SDK's session and WebSocket, and a server of this machine.
import { RealtimeAgent, type RealtimeSession } from "@openai/agents-realtime";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { RealtimeDisclosure, type RealtimeOptions } from "../../../clients/adapters/openai-realtime.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { connect, startApi } from "./realtime-api.ts";
import { Tracing } from "./tracing.ts";
import { SECRETS } from "./wordings.ts";
import { World } from "./world.ts";

let world: World;
const tracing = new Tracing();
let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  [world, api] = await Promise.all([World.start(), startApi()]);
});
beforeEach(() => {
  Object.assign(api.model, { words: null, status: "completed", refuses: false, cuts: 0, line: "websocket" });
});
afterAll(() => api.close());

async function begin(id: string, options: RealtimeOptions & { interruptible?: boolean } = {}) {
  const { interruptible = false, ...own } = options;
  const session: RealtimeSession = await connect(api.url);
  onTestFinished(() => session.close());
  const adapter = new RealtimeDisclosure(session, world.converse(id, { interruptible }), own);
  return { session, adapter };
}

const INTRODUCED = { turn: 1, method: "spoken_introduction", verdict: "ALLOW", agent: "agents/reception" };

test.each(["websocket", "telephone"] as const)(
  "an introduction heard to its end over a %s has one receipt, and its span the receipt's id",
  async (line) => {
    api.model.line = line;
    const id = `realtime-whole-${line}`;
    const { adapter } = await begin(id);
    expect(await tracing.inSpan(line, () => adapter.introduce())).toBe(true);
    const receipts = await world.receipts(id);
    expect([receipts, world.missed]).toMatchObject([[INTRODUCED], []]);
    expect(tracing.disclosuresIn(line)).toEqual([{ "disclosure.event_id": receipts[0]?.eventId }]);
  },
);

test.each(["websocket", "telephone"] as const)(
  "one that is cut off over a %s has none, is missed and said again, and that has one",
  async (line) => {
    Object.assign(api.model, { line, cuts: 1 });
    const id = `realtime-cut-${line}`;
    const { adapter } = await begin(id);
    expect(await adapter.introduce()).toBe(true);
    expect(world.missed).toMatchObject([{ reason: "interrupted", willRepeat: true }]);
    expect(await world.receipts(id)).toMatchObject([INTRODUCED]);
  },
);

test.each([
  ["other words", { words: "Guten Tag, hier ist Sabine." }],
  ["a part of the words", { words: "Guten Tag. Sie sprechen mit einer künstlichen Intelligenz" }],
  ["nothing, for it failed", { status: "failed" }],
  ["nothing, for it refused to", { refuses: true }],
  ["the words without a sound", { line: "silent" }],
])("a model that says %s has not introduced itself", async (what, model) => {
  Object.assign(api.model, model);
  const id = `realtime-${what.replaceAll(/\W+/g, "-")}`;
  const { adapter } = await begin(id);
  expect(await adapter.introduce()).toBe(false);
  expect(world.missed.map(({ reason, willRepeat }) => [reason, willRepeat])).toEqual([
    ["failed", true],
    ["failed", false],
  ]);
  expect(await world.receipts(id)).toEqual([]);
});

test("a program that knows what its loudspeaker played says so", async () => {
  const { adapter } = await begin("realtime-reported", { reportsPlayback: true });
  const introduced = adapter.introduce();
  const heard = vi.fn();
  void introduced.then(heard);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(heard).not.toHaveBeenCalled();
  adapter.playedOut();
  expect(await introduced).toBe(true);
  expect(await world.receipts("realtime-reported")).toMatchObject([INTRODUCED]);
});

test("the caller is held off while a text is said that nobody may interrupt", async () => {
  const held: boolean[] = [];
  api.model.cuts = 1;
  const hold = (isOn: boolean) => void held.push(isOn);
  const { adapter } = await begin("realtime-held", { interruptible: true, hold });
  await adapter.introduce();
  // The first may be interrupted, and was; the second may not.
  expect(held).toEqual([true, false]);
});

test("a hand-off is said by the agent that takes over, as turn 2", async () => {
  const { session, adapter } = await begin("realtime-handoff");
  await adapter.introduce();
  await session.updateAgent(new RealtimeAgent({ name: "Billing desk" }));
  await vi.waitFor(async () => expect(await world.receipts("realtime-handoff")).toHaveLength(2), PATIENCE_MS);
  expect((await world.receipts("realtime-handoff"))[1]).toMatchObject({
    turn: 2,
    method: "spoken_handoff",
    agent: "Billing-desk",
  });
});

test("a call that ends while the introduction is said has none", async () => {
  const { session, adapter } = await begin("realtime-ended");
  const introduced = adapter.introduce();
  session.close();
  expect(await introduced).toBe(false);
  expect(world.missed).toMatchObject([{ reason: "ended", willRepeat: false }]);
  expect(await world.receipts("realtime-ended")).toEqual([]);
});

test("a session that is not connected is told of, and has none", async () => {
  const { session, adapter } = await begin("realtime-closed");
  session.close();
  expect(await adapter.introduce()).toBe(false);
  expect(world.errors).toHaveLength(2);
});

test("no word, sound or name is with the service, in its output, or in the queue's folder", () => {
  expect(world.leaks(["agents/reception"])).toEqual(["agents/reception"]);
  expect(world.leaks(["Sabine", ...SECRETS])).toEqual([]);
});
