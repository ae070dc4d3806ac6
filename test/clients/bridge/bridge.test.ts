// The bridge's route of a local stack, as the platforms call it: from a signed message to a receipt, or to none.
import { beforeAll, describe, expect, test } from "vitest";
import { PLATFORMS } from "../../../contract/bridge-settings.ts";
import {
  AGENT,
  agentSays,
  type Call,
  callerSays,
  HANDOFF,
  INTRODUCTION,
  PRIVATE,
  REMINDER,
  reportOf,
  retellCall,
  type Said,
  signOf,
  vapiSpeech,
  WORDINGS,
  webhookOf,
} from "./platforms.ts";
import { BridgeWorld } from "./world.ts";

let world: BridgeWorld;
beforeAll(async () => {
  world = await BridgeWorld.start();
});

const BEGAN = Date.now() - 10 * 60_000;
const call = (id: string, ...said: Said[]): Call => ({ id, said, began: BEGAN });
const GREETED = [agentSays(`${INTRODUCTION} Wie kann ich Ihnen helfen?`), callerSays()];
const INTRODUCED = {
  turn: 1,
  wording: WORDINGS.introduction,
  method: "reported_after_call",
  verdict: "MODIFY",
  findings: ["method_reported"],
  agent: AGENT,
};

describe.each(PLATFORMS)("a call of %s", (platform) => {
  const id = (name: string): string => `${platform}-${name}`;
  const report = (name: string, ...said: Said[]) => reportOf[platform](call(id(name), ...said));

  test("whose introduction was said whole has one receipt, however often its report comes", async () => {
    const message = report("whole", ...GREETED);
    const answers = [await world.send(platform, message), await world.send(platform, message)];
    const receipts = await world.receipts(id("whole"));
    expect(receipts).toMatchObject([INTRODUCED]);
    const body = { event_ids: receipts.map(({ eventId }) => eventId), missed: 0 };
    expect(answers).toEqual([
      { status: 200, body },
      { status: 200, body },
    ]);
  });

  test("has the time of the platform, and not that of the report", async () => {
    await world.send(platform, report("time", ...GREETED));
    const [receipt] = await world.receipts(id("time"));
    const after = (Date.parse(receipt?.disclosedAt ?? "") - BEGAN) / 1_000;
    expect(after).toBeGreaterThan(3);
    expect(after).toBeLessThanOrEqual(10);
  });

  test("whose introduction was cut off has none, and one missed", async () => {
    const cut = agentSays(INTRODUCTION, { cutAfter: 9 });
    const answer = await world.send(platform, report("cut", cut, callerSays()));
    expect(answer).toEqual({ status: 200, body: { event_ids: [], missed: 1 } });
    expect(await world.receipts(id("cut"))).toEqual([]);
  });

  test("that was handed over has turn 2, and what was said again has turns of its own", async () => {
    const other = { agent: "agent_2" };
    const said = [
      ...GREETED,
      agentSays(HANDOFF, other),
      callerSays(),
      agentSays(REMINDER, other),
      callerSays(),
      agentSays(REMINDER, other),
    ];
    await world.send(platform, report("handoff", ...said));
    const receipts = await world.receipts(id("handoff"));
    expect(receipts.map(({ turn, wording }) => [turn, wording])).toEqual([
      [1, WORDINGS.introduction],
      [2, WORDINGS.handoff],
      [3, WORDINGS.reminder],
      [4, WORDINGS.reminder],
    ]);
    // Retell has one agent for a call.
    expect(receipts[1]?.agent).toBe("Billing-desk");
  });

  test("that nobody signed, or somebody else, or long ago, is refused, and leaves nothing", async () => {
    const message = report("forged", ...GREETED);
    const body = Buffer.from(JSON.stringify(message));
    const old = signOf[platform](body.toString(), "a-secret-of-the-platform", Date.now() - 31 * 60_000);
    for (const webhook of [
      webhookOf(platform, message, "another"),
      { headers: {}, body },
      { headers: old, body },
    ])
      expect(await world.send(platform, message, webhook)).toMatchObject({ status: 401 });
    expect(await world.receipts(id("forged"))).toEqual([]);
  });

  test("has messages that are not for the bridge", async () => {
    const other = { message: { type: "hang" }, event: "call_started", type: "voice_removed" };
    expect(await world.send(platform, other)).toEqual({ status: 200, body: { event_ids: [], missed: 0 } });
  });

  test("has no message that is no JSON, none too large, and none that can't be read", async () => {
    const noJson = {
      headers: signOf[platform]("{", "a-secret-of-the-platform", Date.now()),
      body: Buffer.from("{"),
    };
    expect(await world.send(platform, null, noJson)).toMatchObject({ status: 400 });
    const large = webhookOf(platform, "x".repeat(4 * 1024 * 1024));
    const tooLarge = await fetch(`${world.stack.url}/bridge/${platform}`, { method: "POST", ...large });
    expect(tooLarge.status).toBe(413);
    const unread = {
      message: { type: "end-of-call-report" },
      event: "call_ended",
      type: "post_call_transcription",
    };
    expect(await world.send(platform, unread)).toMatchObject({ status: 422 });
  });
});

test("an agent may have a name that every object has", async () => {
  const said = [agentSays(INTRODUCTION, { agent: "constructor" })];
  await world.send("elevenlabs", reportOf.elevenlabs(call("named", ...said)));
  expect(await world.receipts("named")).toMatchObject([{ agent: "constructor" }]);
});

describe("Retell, while the call is under way", () => {
  const update = (id: string, ...said: Said[]) => ({
    event: "transcript_updated",
    call: retellCall(call(id, ...said)),
  });

  test("has its receipts at once, by the texts' own methods, and none twice when the call has ended", async () => {
    const said = [...GREETED, agentSays(REMINDER), callerSays()];
    for (let length = 1; length <= said.length; length++)
      await world.send("retell", update("live", ...said.slice(0, length)));
    const before = await world.receipts("live");
    expect(before.map(({ method, verdict }) => [method, verdict])).toEqual([
      ["spoken_introduction", "ALLOW"],
      ["spoken_reminder", "ALLOW"],
    ]);
    await world.send("retell", { event: "call_ended", call: retellCall(call("live", ...said)) });
    // The times of words are approximations, and may change until the analysis.
    const analysed = retellCall({ ...call("live", ...said), began: BEGAN + 7 });
    const answer = await world.send("retell", { event: "call_analyzed", call: analysed });
    expect(answer.status).toBe(200);
    expect(await world.receipts("live")).toEqual(before);
  });

  test("counts nothing as missed that may still be said again", async () => {
    const cut = agentSays(INTRODUCTION, { cutAfter: 9 });
    expect(await world.send("retell", update("again", cut, callerSays()))).toEqual({
      status: 200,
      body: { event_ids: [], missed: 0 },
    });
    const ended = reportOf.retell(call("again", cut, callerSays(), agentSays(INTRODUCTION)));
    expect(await world.send("retell", ended)).toMatchObject({ body: { missed: 1 } });
    expect(await world.receipts("again")).toMatchObject([INTRODUCED]);
  });
});

test("Vapi, while the audio plays, has one receipt once the last word was spoken, and none from the report", async () => {
  const live = await BridgeWorld.start({ vapi: "live" });
  const words = INTRODUCTION.split(" ").length;
  for (const cutAfter of [3, words - 1]) {
    const speech = vapiSpeech("live-1", 0, agentSays(INTRODUCTION, { cutAfter }), BEGAN);
    expect(await live.send("vapi", speech)).toEqual({ status: 200, body: { event_ids: [], missed: 0 } });
  }
  expect(await live.receipts("live-1")).toEqual([]);
  for (const later of [0, 400])
    await live.send(
      "vapi",
      vapiSpeech("live-1", 0, agentSays(`${INTRODUCTION} Bitte?`, { cutAfter: words }), BEGAN + later),
    );
  await live.send("vapi", vapiSpeech("live-1", 1, agentSays(REMINDER), BEGAN + 900));
  await live.send("vapi", reportOf.vapi(call("live-1", ...GREETED, agentSays(REMINDER))));
  const receipts = await live.receipts("live-1");
  expect(receipts.map(({ turn, method }) => [turn, method])).toEqual([
    [1, "spoken_introduction"],
    [2, "spoken_reminder"],
  ]);
  expect(receipts[0]?.disclosedAt).toBe(new Date(BEGAN).toISOString());
  const cut = reportOf.vapi(call("live-2", agentSays(INTRODUCTION, { cutAfter: 9 })));
  expect(await live.send("vapi", cut)).toEqual({ status: 200, body: { event_ids: [], missed: 1 } });
});

test("there are no other platforms, and nothing is at the bridge's path for other methods", async () => {
  const url = `${world.stack.url}/bridge`;
  expect((await fetch(`${url}/bland`, { method: "POST", body: "{}" })).status).toBe(404);
  expect((await fetch(`${url}/retell`)).status).toBe(404);
});

test("the log tells of calls without a disclosure, by the digest of their ids", () => {
  expect(world.stack.output).toContain('"message":"disclosure missing"');
  expect(world.leaks(["sha256:"])).toEqual(["sha256:"]);
});

test("nothing of what was said, of who spoke or called, or of a secret is in the service's folder or its output", () => {
  expect(world.leaks([AGENT, "Billing-desk"])).toEqual([AGENT, "Billing-desk"]);
  expect(world.leaks([...PRIVATE, "a-secret-of-the-platform"])).toEqual([]);
  // Conversations' ids are with the service, and in no line of its output.
  expect(world.stack.output).not.toMatch(/(?:vapi|retell|elevenlabs)-(?:whole|cut|handoff|forged)/);
});
