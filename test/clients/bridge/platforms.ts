// The platforms' side: messages about a call as each of them sends them, with more in them than the bridge may use, and
// signatures made by the description of each scheme.
import { createHmac } from "node:crypto";
import type { PlatformWebhook } from "../../../clients/bridge/signatures.ts";
import type { Platform } from "../../../contract/bridge-settings.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";

export const SECRET = "a-secret-of-the-platform";
export const OPERATOR = "Praxis Doktor Geheimrat";
/** Nothing of these may get anywhere. */
export const PRIVATE = [
  "Amalie Geheim",
  "Geheimnis",
  "+4930123456789",
  "Doktor Geheimrat",
  "Wie kann ich Ihnen helfen",
];

export const INTRODUCTION =
  "Guten Tag. Sie sprechen mit einer künstlichen Intelligenz, nicht mit einem Menschen. Ich nehme Ihren Anruf für Praxis Doktor Geheimrat entgegen.";
export const HANDOFF =
  "Guten Tag. Sie sind jetzt mit einer anderen künstlichen Intelligenz verbunden. Auch ich bin kein Mensch. Ich spreche für Praxis Doktor Geheimrat.";
export const REMINDER =
  "Zur Erinnerung: Sie sprechen mit einer künstlichen Intelligenz, nicht mit einem Menschen.";

export const WORDINGS = {
  introduction: "de-voice-in-introduction-1",
  handoff: "de-voice-handoff-ai-1",
  reminder: "de-voice-reminder-3",
};

export interface Said {
  readonly by: "agent" | "caller";
  readonly text: string;
  readonly agent?: string;
  /** How many words were spoken before it was cut off. */
  readonly cutAfter?: number;
}

export interface Call {
  readonly id: string;
  readonly said: readonly Said[];
  /** When it began, in milliseconds. */
  readonly began: number;
}

const SECONDS_PER_TURN = 10;
export const AGENT = "agent_1";

export const agentSays = (text: string, more: Partial<Said> = {}): Said => ({ by: "agent", text, ...more });
export const callerSays = (text = "Hier ist Amalie Geheim, es ist ein Geheimnis."): Said => ({
  by: "caller",
  text,
});

const spokenOf = ({ text, cutAfter }: Said): string => text.split(" ").slice(0, cutAfter).join(" ");

/** The message after the call. */
export const reportOf: Readonly<Record<Platform, (call: Call) => unknown>> = {
  vapi: ({ id, said, began }) => ({
    message: {
      type: "end-of-call-report",
      endedReason: "customer-ended-call",
      timestamp: began + said.length * SECONDS_PER_TURN * 1_000,
      customer: { number: "+4930123456789", name: "Amalie Geheim" },
      call: { id, orgId: "org", assistantId: AGENT },
      artifact: {
        transcript: said.map(({ text }) => text).join("\n"),
        messages: [
          {
            role: "system",
            message: "Du bist eine Assistentin. Guten Tag.",
            time: began,
            secondsFromStart: 0,
          },
          ...said.map((each, i) => ({
            role: each.by === "agent" ? "bot" : "user",
            message: spokenOf(each),
            time: began + i * SECONDS_PER_TURN * 1_000,
            endTime: began + (i + 1) * SECONDS_PER_TURN * 1_000,
            ...(each.agent !== undefined && { assistantId: each.agent }),
          })),
        ],
      },
    },
  }),
  retell: (call) => ({ event: "call_ended", call: retellCall(call) }),
  elevenlabs: ({ id, said, began }) => ({
    type: "post_call_transcription",
    event_timestamp: Math.floor(began / 1_000) + 60,
    data: {
      agent_id: AGENT,
      conversation_id: id,
      status: "done",
      transcript: said.map((each, i) => ({
        role: each.by === "agent" ? "agent" : "user",
        message: spokenOf(each),
        original_message: each.cutAfter === undefined ? null : each.text,
        interrupted: each.cutAfter !== undefined,
        time_in_call_secs: i * SECONDS_PER_TURN,
        agent_metadata: each.agent === undefined ? null : { agent_id: each.agent },
      })),
      metadata: {
        start_time_unix_secs: Math.floor(began / 1_000),
        call_duration_secs: said.length * SECONDS_PER_TURN,
        phone_call: { external_number: "+4930123456789" },
      },
    },
  }),
};

export function retellCall({ id, said, began }: Call) {
  return {
    call_type: "phone_call",
    from_number: "+4930123456789",
    call_id: id,
    agent_id: said.find(({ agent }) => agent !== undefined)?.agent ?? AGENT,
    call_status: "ended",
    retell_llm_dynamic_variables: { customer_name: "Amalie Geheim" },
    start_timestamp: began,
    end_timestamp: began + said.length * SECONDS_PER_TURN * 1_000,
    transcript: said.map(({ text }) => text).join("\n"),
    transcript_object: said.map((each, i) => ({
      role: each.by === "agent" ? "agent" : "user",
      content: spokenOf(each),
      words: spokenOf(each)
        .split(" ")
        .map((word, at) => ({
          word,
          start: i * SECONDS_PER_TURN + at / 4,
          end: i * SECONDS_PER_TURN + (at + 1) / 4,
        })),
    })),
  };
}

/** What Vapi says of an assistant's speech while its audio plays. */
export const vapiSpeech = (id: string, turn: number, { text, cutAfter }: Said, timestamp: number) => ({
  message: {
    type: "assistant.speechStarted",
    text,
    turn,
    source: "model",
    timing: { type: "word-progress", wordsSpoken: cutAfter ?? text.split(" ").length, totalWords: 0 },
    timestamp,
    customer: { number: "+4930123456789" },
    call: { id, orgId: "org", assistantId: AGENT },
  },
});

const hmac = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex");

/** The headers of a body that was signed at a time. */
export const signOf: Readonly<
  Record<Platform, (body: string, secret: string, now: number) => Record<string, string>>
> = {
  vapi: (body, secret, now) => ({
    "x-timestamp": String(now),
    "x-signature": hmac(secret, `${now}.${body}`),
  }),
  retell: (body, secret, now) => ({ "x-retell-signature": `v=${now},d=${hmac(secret, `${body}${now}`)}` }),
  elevenlabs: (body, secret, now) => {
    const seconds = Math.floor(now / 1_000);
    return { "elevenlabs-signature": `t=${seconds},v0=${hmac(secret, `${seconds}.${body}`)}` };
  },
};

/** A message as it is sent, signed now. */
export function webhookOf(platform: Platform, message: unknown, secret = SECRET) {
  const body = JSON.stringify(message);
  return { headers: signOf[platform](body, secret, Date.now()), body: Buffer.from(body) };
}

/** The same as the bridge gets it, from whatever took it over the network. */
export const receivedOf = ({ headers, body }: ReturnType<typeof webhookOf>): PlatformWebhook => ({
  headers,
  readBody: (maxBytes) => {
    if (body.length <= maxBytes) return body;
    throw new DisclosureError("payload_too_large", "the body is too large");
  },
});
