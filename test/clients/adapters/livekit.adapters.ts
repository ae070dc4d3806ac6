// The adapter for LiveKit Agents with its AgentSession, without a room.
import { llm, voice } from "@livekit/agents";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Disclosure, EVENT_ID, LiveKitDisclosure } from "../../../clients/adapters/livekit.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { type Call, startCall } from "./livekit-parts.ts";
import { Tracing } from "./tracing.ts";
import { CALLER, SECRETS } from "./wordings.ts";
import { World } from "./world.ts";

let world: World;
const tracing = new Tracing();
beforeAll(async () => {
  world = await World.start();
});

interface Conversation extends Call {
  readonly id: string;
  readonly disclosure: Disclosure;
  readonly adapter: LiveKitDisclosure;
}

async function begin(id: string, interruptible = false): Promise<Conversation> {
  const call = await startCall();
  onTestFinished(() => call.session.close());
  const disclosure = world.converse(id, { interruptible });
  return { ...call, id, disclosure, adapter: new LiveKitDisclosure(call.session, disclosure) };
}

const ADDED = voice.AgentSessionEventTypes.ConversationItemAdded;
const INTRODUCED = { turn: 1, method: "spoken_introduction", verdict: "ALLOW", agent: "agents/reception" };

test("an introduction that is heard to its end has one receipt; its message and its span have the receipt's id", async () => {
  const { id, session, adapter } = await begin("livekit-whole");
  expect(await tracing.inSpan("call", () => adapter.introduce())).toBe(true);
  const item = llm.ChatMessage.create({ role: "user", content: `Hier ist ${CALLER}.` });
  session.emit(ADDED, { type: ADDED, item, createdAt: Date.now() });
  const [receipt, ...more] = await world.receipts(id);
  expect([receipt, more, world.missed]).toMatchObject([INTRODUCED, [], []]);
  const extras = session.history.items.map((item) => (item.type === "message" ? item.extra : {}));
  expect(extras).toContainEqual({ [EVENT_ID]: receipt?.eventId });
  expect(tracing.disclosuresIn("call")).toEqual([{ [EVENT_ID]: receipt?.eventId }]);
});

test("an introduction that is cut off has no receipt, is missed and said again, and that has one", async () => {
  const { id, session, loudspeaker, adapter } = await begin("livekit-cut", true);
  loudspeaker.isEndless = true;
  loudspeaker.onStart = () => {
    if (world.missed.length > 0) loudspeaker.isEndless = false;
    else setTimeout(() => session.interrupt(), 20);
  };
  expect(await adapter.introduce()).toBe(true);
  expect(world.missed).toMatchObject([{ reason: "interrupted", willRepeat: true }]);
  expect(await world.receipts(id)).toMatchObject([INTRODUCED]);
});

test("an introduction that is cut off twice has none, and the owner knows that nobody was told", async () => {
  const { id, session, loudspeaker, adapter } = await begin("livekit-twice");
  loudspeaker.isEndless = true;
  loudspeaker.onStart = () => void setTimeout(() => session.interrupt({ force: true }), 20);
  expect(await adapter.introduce()).toBe(false);
  expect(world.missed.map(({ willRepeat }) => willRepeat)).toEqual([true, false]);
  expect(await world.receipts(id)).toEqual([]);
});

test.each(["is silent", "fails"] as const)("a voice that %s has said nothing", async (state) => {
  const { id, tts, adapter } = await begin(`livekit-${state.replace(" ", "-")}`);
  tts.state = state;
  expect(await adapter.introduce()).toBe(false);
  expect(world.missed.map(({ reason, willRepeat }) => [reason, willRepeat])).toEqual([
    ["failed", true],
    ["failed", false],
  ]);
  expect(await world.receipts(id)).toEqual([]);
});

test("a hand-off is said by the agent that takes over, as turn 2, and a reminder follows in its name", async () => {
  const { id, session, adapter } = await begin("livekit-handoff");
  await adapter.introduce();
  session.updateAgent(new voice.Agent({ id: "billing desk", instructions: "" }));
  await vi.waitFor(async () => expect(await world.receipts(id)).toHaveLength(2), PATIENCE_MS);
  expect(await adapter.remind()).toBe(true);
  expect((await world.receipts(id)).slice(1)).toMatchObject([
    { turn: 2, method: "spoken_handoff", verdict: "ALLOW", agent: "billing-desk" },
    { turn: 3, method: "spoken_reminder", verdict: "ALLOW", agent: "billing-desk" },
  ]);
});

test("an agent that greets has the hand-off said first, once", async () => {
  const { id, session, adapter } = await begin("livekit-greets");
  await adapter.introduce();
  const said: string[] = [];
  class Greeter extends voice.Agent {
    override async onEnter(): Promise<void> {
      said.push(`${await adapter.handedOff("greeter")}`);
      await session.say(`Wie kann ich helfen, Frau ${CALLER}?`).waitForPlayout();
      said.push("greeted");
    }
  }
  session.updateAgent(new Greeter({ id: "greeter", instructions: "" }));
  await vi.waitFor(() => expect(said).toEqual(["true", "greeted"]), PATIENCE_MS);
  expect((await world.receipts(id)).map(({ method }) => method)).toEqual([
    "spoken_introduction",
    "spoken_handoff",
  ]);
});

test("a job that ends while the introduction is said counts it as missed, and has none", async () => {
  const { id, disclosure, loudspeaker, adapter } = await begin("livekit-ended");
  loudspeaker.onStart = () => void setTimeout(() => void disclosure.close(), 20);
  expect(await adapter.introduce()).toBe(false);
  expect(world.missed).toMatchObject([{ reason: "ended", willRepeat: false }]);
  expect(await world.receipts(id)).toEqual([]);
});

test("a caller who hangs up while the introduction is said has none, and it is not said to nobody", async () => {
  const { id, session, loudspeaker, adapter } = await begin("livekit-hung-up");
  // As LiveKit itself closes a session whose caller has left the room.
  loudspeaker.isEndless = true;
  loudspeaker.onStart = () => void setTimeout(() => void session.close(), 20);
  expect(await adapter.introduce()).toBe(false);
  expect(await adapter.remind()).toBe(false);
  const reasons = world.missed.map(({ statement, reason, willRepeat }) => [statement, reason, willRepeat]);
  expect(reasons).toEqual([
    ["introduction", "ended", false],
    ["reminder", "ended", false],
  ]);
  expect(await world.receipts(id)).toEqual([]);
});

test("a session that is shut down after what is being said lets the introduction be heard to its end", async () => {
  const { id, session, loudspeaker, adapter } = await begin("livekit-shut-down");
  loudspeaker.onStart = () => void setTimeout(() => session.shutdown(), 20);
  expect(await adapter.introduce()).toBe(true);
  expect([world.missed, await world.receipts(id)]).toMatchObject([[], [INTRODUCED]]);
});

test("no word, sound or name is with the service, in its output, or in the queue's folder", () => {
  expect(world.leaks(["agents/reception"])).toEqual(["agents/reception"]);
  expect(world.leaks(SECRETS)).toEqual([]);
});
