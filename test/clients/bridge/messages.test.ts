// The platforms' messages: the samples of their own documentation, and what is made of each.
import { describe, expect, test } from "vitest";
import type { CallReport, MessageReading } from "../../../clients/bridge/call-report.ts";
import { readElevenLabsMessage } from "../../../clients/bridge/elevenlabs.ts";
import { readRetellMessage } from "../../../clients/bridge/retell.ts";
import { readVapiMessage } from "../../../clients/bridge/vapi.ts";
import { agentSays, callerSays, retellCall, vapiSpeech } from "./platforms.ts";

const NOW = new Date("2026-11-23T10:00:00Z");
const reading = { now: NOW, vapi: "report" } as const;
const live = { now: NOW, vapi: "live" } as const;

function turnsOf(message: MessageReading): CallReport["turns"] {
  if (message === null || !("turns" in message)) throw new Error("no report");
  return message.turns;
}

describe("ElevenLabs", () => {
  // The sample of "Post-call webhooks", shortened where nothing is read.
  const sample = {
    type: "post_call_transcription",
    event_timestamp: 1739537297,
    data: {
      agent_id: "xyz",
      conversation_id: "abc",
      status: "done",
      transcript: [
        {
          role: "agent",
          message: "Hey there angelo. How are you?",
          tool_calls: null,
          tool_results: null,
          feedback: null,
          time_in_call_secs: 0,
          conversation_turn_metrics: null,
        },
        {
          role: "user",
          message: "Hey, can you tell me, like, a fun fact about 11 Labs?",
          tool_calls: null,
          time_in_call_secs: 2,
        },
        { role: "agent", message: null, tool_calls: [], time_in_call_secs: 9 },
      ],
      metadata: { start_time_unix_secs: 1739537297, call_duration_secs: 22, cost: 296 },
      analysis: { evaluation_criteria_results: {}, call_successful: "success" },
      conversation_initiation_client_data: { dynamic_variables: { user_name: "angelo" } },
    },
  };

  test("tells what an agent said, and by when", () => {
    expect(readElevenLabsMessage(sample, reading)).toEqual({
      platform: "elevenlabs",
      callId: "abc",
      isLive: false,
      isOnlyCounted: false,
      part: "",
      turns: [
        {
          pieces: [{ text: "Hey there angelo. How are you?", endedAt: new Date((1739537297 + 2) * 1_000) }],
          agent: "xyz",
          isCutOff: false,
          seconds: 3,
        },
      ],
    });
  });

  test("tells of an interruption: cut off, unless it says what was spoken", () => {
    const entry = { role: "agent", message: "Hey there", interrupted: true, time_in_call_secs: 0 };
    const withEntry = (more: object) => {
      const data = { ...sample.data, transcript: [{ ...entry, ...more }] };
      return turnsOf(readElevenLabsMessage({ ...sample, data }, reading))[0]?.isCutOff;
    };
    expect(withEntry({})).toBe(true);
    expect(withEntry({ original_message: "Hey there" })).toBe(true);
    expect(withEntry({ original_message: "Hey there angelo." })).toBe(false);
  });

  test("has other messages, which say nothing of what was spoken", () => {
    for (const type of ["post_call_audio", "call_initiation_failure", "voice_removed"])
      expect(readElevenLabsMessage({ type, data: {} }, reading)).toBeNull();
  });
});

describe("Retell", () => {
  const call = {
    id: "call-1",
    said: [agentSays("Guten Tag Welt"), callerSays()],
    began: NOW.getTime() - 60_000,
  };

  // The sample of "Webhook Overview", with utterances in place of its "[Object]".
  test("tells what an agent said, word by word", () => {
    const sample = {
      event: "call_ended",
      call: {
        call_type: "phone_call",
        from_number: "+12137771234",
        to_number: "+12137771235",
        direction: "inbound",
        call_id: "Jabr9TXYYJHfvl6Syypi88rdAHYHmcq6",
        agent_id: "oBeDLoLOeuAbiuaMFXRtDOLriTJ5tSxD",
        call_status: "registered",
        metadata: {},
        retell_llm_dynamic_variables: { customer_name: "John Doe" },
        start_timestamp: 1714608475945,
        end_timestamp: 1714608491736,
        disconnection_reason: "user_hangup",
        transcript: "Agent: hi",
        transcript_object: [
          {
            role: "agent",
            content: "hi there",
            words: [{ word: "hi", start: 0.7, end: 1.3 }, { word: "there" }],
          },
          { role: "user", content: "hello", words: [] },
        ],
        transcript_with_tool_calls: [],
        opt_out_sensitive_data_storage: false,
      },
    };
    expect(readRetellMessage(sample, reading)).toEqual({
      platform: "retell",
      callId: "Jabr9TXYYJHfvl6Syypi88rdAHYHmcq6",
      isLive: false,
      isOnlyCounted: false,
      part: "",
      turns: [
        {
          pieces: [
            { text: "hi", endedAt: new Date(1714608475945 + 1_300) },
            { text: "there", endedAt: new Date(1714608491736) },
          ],
          agent: "oBeDLoLOeuAbiuaMFXRtDOLriTJ5tSxD",
          isCutOff: false,
          seconds: null,
        },
      ],
    });
  });

  test("tells of a turn while the call is under way once another has begun", () => {
    const update = (said: typeof call.said) => ({
      event: "transcript_updated",
      call: { ...retellCall({ ...call, said }), transcript_object: undefined },
      transcript_with_tool_calls: [
        ...retellCall({ ...call, said }).transcript_object,
        { role: "tool_call_invocation", tool_call_id: "1", name: "look_up", arguments: "{}" },
      ],
    });
    expect(turnsOf(readRetellMessage(update(call.said.slice(0, 1)), reading))).toHaveLength(0);
    expect(turnsOf(readRetellMessage(update(call.said), reading))).toHaveLength(1);
    expect(readRetellMessage(update(call.said), reading)).toMatchObject({ isLive: true });
  });

  test("has other messages, which say nothing of what was spoken", () => {
    for (const event of ["call_started", "transfer_started", "chat_ended"])
      expect(readRetellMessage({ event, call: {} }, reading)).toBeNull();
  });
});

describe("Vapi", () => {
  // The sample of "Server events", with a call in place of its comment.
  test("tells after the call what was said", () => {
    const sample = {
      message: {
        type: "end-of-call-report",
        endedReason: "hangup",
        call: { id: "call-1" },
        artifact: {
          recording: {},
          transcript: "AI: How can I help? User: What's the weather?",
          messages: [
            { role: "assistant", message: "How can I help?" },
            { role: "user", message: "What's the weather?" },
          ],
        },
      },
    };
    const turn = {
      pieces: [{ text: "How can I help?", endedAt: NOW }],
      agent: "vapi",
      isCutOff: false,
      seconds: null,
    };
    expect(readVapiMessage(sample, reading)).toMatchObject({
      callId: "call-1",
      isLive: false,
      turns: [turn],
    });
    expect(readVapiMessage(sample, reading)).toMatchObject({ isOnlyCounted: false });
    expect(readVapiMessage(sample, live)).toMatchObject({ isOnlyCounted: true });
  });

  test("tells while the audio plays how many words were spoken", () => {
    const speech = vapiSpeech(
      "call-1",
      3,
      agentSays("Guten  Tag, liebe Welt", { cutAfter: 3 }),
      NOW.getTime() - 1,
    );
    const [turn] = turnsOf(readVapiMessage(speech, live));
    expect(turn?.pieces.map(({ text }) => text)).toEqual(["Guten", "Tag,", "liebe"]);
    expect(readVapiMessage(speech, live)).toMatchObject({ isLive: true, part: "turn-3" });
    expect(readVapiMessage(speech, reading)).toBeNull();
    const aligned = { type: "word-alignment", words: ["G", "u"], wordsStartTimesMs: [], wordsEndTimesMs: [] };
    const { message } = speech;
    expect(readVapiMessage({ message: { ...message, timing: aligned } }, live)).toBeNull();
  });

  test("has other messages, which say nothing of what was spoken", () => {
    for (const type of ["status-update", "conversation-update", "assistant-request", "user-interrupted"])
      expect(readVapiMessage({ message: { type, call: {} } }, live)).toBeNull();
  });
});

test.each([null, 7, [], {}, { message: null }, { event: 7 }, { type: [] }])(
  "%j is no platform's",
  (message) => {
    for (const read of [readElevenLabsMessage, readRetellMessage, readVapiMessage])
      expect(read(message, live)).toBeNull();
  },
);

test("members that a platform leaves empty are as good as left out", () => {
  const retell = {
    event: "call_ended",
    call: {
      call_id: "c",
      agent_id: "a",
      start_timestamp: null,
      transcript_object: [{ role: "agent", content: null, words: [{ word: null, start: null, end: null }] }],
    },
  };
  const messages = [{ role: "bot", message: null, time: null, endTime: null, assistantId: null }];
  const vapi = {
    message: { type: "end-of-call-report", call: { id: "c" }, timestamp: null, artifact: { messages } },
  };
  for (const report of [readRetellMessage(retell, reading), readVapiMessage(vapi, reading)])
    expect(turnsOf(report)).toMatchObject([{ pieces: [{ text: "", endedAt: NOW }] }]);
});

test("a known message of another form is told by its place, and by none of its words", () => {
  const bad = [
    readElevenLabsMessage(
      {
        type: "post_call_transcription",
        data: { agent_id: "a", conversation_id: "c", transcript: "Geheim" },
      },
      reading,
    ),
    readRetellMessage(
      { event: "call_ended", call: { call_id: "Geheim \ud800", agent_id: "Geheim" } },
      reading,
    ),
    readVapiMessage({ message: { type: "end-of-call-report", call: "Geheim" } }, reading),
  ];
  expect(bad).toEqual([
    { unreadable: ["data.transcript", "data.metadata"] },
    { unreadable: ["call.call_id"] },
    { unreadable: ["message.call", "message.artifact"] },
  ]);
});
