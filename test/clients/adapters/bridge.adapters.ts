// The bridge, judged by the platforms' own SDKs: what they sign it takes, what the bridge's tests sign they take, and
// messages that are built as their types have them have their receipts.
import { type ElevenLabs, ElevenLabsClient } from "@elevenlabs/elevenlabs-js";
import * as wire from "@elevenlabs/elevenlabs-js/serialization/index.js";
import type { Vapi } from "@vapi-ai/server-sdk";
import Retell, { sign, verify } from "retell-sdk";
import { symmetric } from "retell-sdk/lib/webhook_auth.js";
import { beforeAll, describe, expect, test } from "vitest";
import { isSigned, readSignature } from "../../../clients/bridge/signatures.ts";
import { type Platform, REPORTED_METHOD } from "../../../contract/bridge-settings.ts";
import { AGENT, HANDOFF, INTRODUCTION, REMINDER, SECRET, signOf, WORDINGS } from "../bridge/platforms.ts";
import { BridgeWorld } from "../bridge/world.ts";

const MINUTE = 60_000;
const BODY = '{"event":"call_ended","text":"Grüße"}';
const BEGAN = Date.now() - 10 * MINUTE;

const isTaken = (platform: Platform, headers: Record<string, string>, body = BODY): boolean => {
  const signature = readSignature(platform, headers, new Date());
  return signature !== null && isSigned(signature, Buffer.from(body), [SECRET]);
};

describe("retell-sdk", () => {
  test("signs what the bridge takes, and takes what the bridge's tests sign", async () => {
    const signature = await sign(BODY, SECRET);
    expect(isTaken("retell", { "x-retell-signature": signature })).toBe(true);
    expect(await Retell.verify(BODY, SECRET, signature)).toBe(true);
    const ours = signOf.retell(BODY, SECRET, Date.now())["x-retell-signature"] ?? "";
    expect(await verify(BODY, SECRET, ours)).toBe(true);
  });

  test.each([
    ["a good one", BODY, SECRET, 0],
    ["another secret", BODY, "other", 0],
    ["another body", `${BODY} `, SECRET, 0],
    ["a time within the window", BODY, SECRET, -4 * MINUTE],
    ["an old one", BODY, SECRET, -6 * MINUTE],
    ["one of tomorrow", BODY, SECRET, 6 * MINUTE],
  ])("and the bridge are of one mind about %s", async (_, body, secret, shift) => {
    const signature = await symmetric.sign(BODY, secret, Date.now() + shift);
    const theirs = await verify(body, SECRET, signature);
    expect(isTaken("retell", { "x-retell-signature": signature }, body)).toBe(theirs);
  });
});

describe("@elevenlabs/elevenlabs-js", () => {
  const { webhooks } = new ElevenLabsClient({ apiKey: "none" });
  const theirsTakes = (signature: string, body = BODY): Promise<boolean> =>
    webhooks.constructEvent(body, signature, SECRET).then(
      () => true,
      () => false,
    );

  test.each([
    ["a good one", BODY, SECRET, 0],
    ["another secret", BODY, "other", 0],
    ["another body", `${BODY} `, SECRET, 0],
    ["a time within the window", BODY, SECRET, -29 * MINUTE],
    ["an old one", BODY, SECRET, -31 * MINUTE],
  ])("and the bridge are of one mind about %s", async (_, body, secret, shift) => {
    const headers = signOf.elevenlabs(BODY, secret, Date.now() + shift);
    const theirs = await theirsTakes(headers["elevenlabs-signature"] ?? "", body);
    expect(isTaken("elevenlabs", headers, body)).toBe(theirs);
  });

  test("takes a signature of any time to come, which the bridge does not", async () => {
    const headers = signOf.elevenlabs(BODY, SECRET, Date.now() + 60 * MINUTE);
    expect(await theirsTakes(headers["elevenlabs-signature"] ?? "")).toBe(true);
    expect(isTaken("elevenlabs", headers)).toBe(false);
  });
});

test("Vapi's credential of type HMAC signs as the bridge reads it by its defaults", () => {
  // The SDK has no code for it: these are the members, and the defaults that it describes.
  const plan: Required<
    Pick<Vapi.HmacAuthenticationPlan, "algorithm" | "signatureHeader" | "timestampHeader">
  > = {
    algorithm: "sha256",
    signatureHeader: "x-signature",
    timestampHeader: "x-timestamp",
  };
  const headers = signOf.vapi(BODY, SECRET, Date.now());
  expect(Object.keys(headers).sort()).toEqual([plan.signatureHeader, plan.timestampHeader].sort());
  expect(isTaken("vapi", headers)).toBe(true);
});

describe("a message that is built by the SDK's types has its receipts", () => {
  let world: BridgeWorld;
  beforeAll(async () => {
    world = await BridgeWorld.start();
  });
  const told = async (id: string) =>
    (await world.receipts(id)).map(({ turn, wording, agent, method }) => [turn, wording, agent, method]);

  test("of Retell", async () => {
    const words = (text: string, from: number) =>
      text.split(" ").map((word, i) => ({ word, start: from + i / 3, end: from + (i + 1) / 3 }));
    const transcript: Retell.PhoneCallResponse.TranscriptObject[] = [
      { role: "agent", content: INTRODUCTION, words: words(INTRODUCTION, 0.5) },
      { role: "user", content: "Hallo", words: words("Hallo", 9) },
      { role: "agent", content: REMINDER, words: words(REMINDER, 10) },
    ];
    const call: Partial<Retell.PhoneCallResponse> = {
      call_id: "sdk-retell",
      agent_id: AGENT,
      call_status: "ended",
      start_timestamp: BEGAN,
      end_timestamp: BEGAN + 20_000,
      transcript_object: transcript,
    };
    const body = JSON.stringify({ event: "call_ended", call });
    const webhook = { headers: { "x-retell-signature": await sign(body, SECRET) }, body: Buffer.from(body) };
    expect(await world.send("retell", null, webhook)).toMatchObject({ status: 200, body: { missed: 0 } });
    expect(await told("sdk-retell")).toEqual([
      [1, WORDINGS.introduction, AGENT, REPORTED_METHOD],
      [2, WORDINGS.reminder, AGENT, REPORTED_METHOD],
    ]);
  });

  test("of ElevenLabs", async () => {
    const entry = (message: string, timeInCallSecs: number, more: object = {}) => ({
      role: "agent" as const,
      message,
      timeInCallSecs,
      ...more,
    });
    const conversation: ElevenLabs.GetConversationResponseModel = {
      agentId: AGENT,
      conversationId: "sdk-elevenlabs",
      status: "done",
      hasAudio: true,
      hasUserAudio: true,
      hasResponseAudio: true,
      hasAuxiliaryAudio: false,
      metadata: { startTimeUnixSecs: Math.floor(BEGAN / 1_000), callDurationSecs: 40 },
      transcript: [
        entry("Guten Tag. Sie sprechen mit einer", 0, { interrupted: true, originalMessage: INTRODUCTION }),
        { role: "user", message: "Moment!", timeInCallSecs: 2 },
        entry(INTRODUCTION, 3),
        entry(HANDOFF, 20, { agentMetadata: { agentId: "agent_2" } }),
      ],
    };
    const data = wire.GetConversationResponseModel.jsonOrThrow(conversation);
    const body = JSON.stringify({ type: "post_call_transcription", event_timestamp: 0, data });
    const webhook = { headers: signOf.elevenlabs(body, SECRET, Date.now()), body: Buffer.from(body) };
    expect(await world.send("elevenlabs", null, webhook)).toMatchObject({ status: 200, body: { missed: 1 } });
    expect(await told("sdk-elevenlabs")).toEqual([
      [1, WORDINGS.introduction, AGENT, REPORTED_METHOD],
      [2, WORDINGS.handoff, "Billing-desk", REPORTED_METHOD],
    ]);
  });

  const vapiCall: Vapi.Call = {
    id: "sdk-vapi",
    orgId: "org",
    createdAt: new Date(BEGAN).toISOString(),
    updatedAt: new Date(BEGAN).toISOString(),
    assistantId: AGENT,
  };

  test("of Vapi, after the call", async () => {
    const said = (message: string, from: number, more: Partial<Vapi.BotMessage> = {}): Vapi.BotMessage => ({
      role: "bot",
      message,
      time: BEGAN + from * 1_000,
      endTime: BEGAN + (from + 10) * 1_000,
      secondsFromStart: from,
      ...more,
    });
    const message: Vapi.ServerMessageEndOfCallReport = {
      type: "end-of-call-report",
      endedReason: "customer-ended-call",
      call: vapiCall,
      analysis: {},
      artifact: { messages: [said(INTRODUCTION, 0), said(HANDOFF, 20, { assistantId: "agent_2" })] },
    };
    expect(await world.send("vapi", { message })).toMatchObject({ status: 200, body: { missed: 0 } });
    expect(await told("sdk-vapi")).toEqual([
      [1, WORDINGS.introduction, AGENT, REPORTED_METHOD],
      [2, WORDINGS.handoff, "Billing-desk", REPORTED_METHOD],
    ]);
  });

  test("of Vapi, while the audio plays", async () => {
    const live = await BridgeWorld.start({ vapi: "live" });
    const speech = (wordsSpoken: number): Vapi.ServerMessageAssistantSpeech => ({
      type: "assistant.speechStarted",
      text: INTRODUCTION,
      turn: 0,
      source: "model",
      timing: { type: "word-progress", wordsSpoken, totalWords: INTRODUCTION.split(" ").length },
      timestamp: BEGAN,
      call: vapiCall,
    });
    const events = [];
    for (const wordsSpoken of [5, INTRODUCTION.split(" ").length])
      events.push((await live.send("vapi", { message: speech(wordsSpoken) })).body.event_ids?.length);
    expect(events).toEqual([0, 1]);
  });
});
