// ElevenLabs' webhook after a call. There is none while it is under way.
import * as z from "zod";
import { SECOND_MS } from "../../contract/time.ts";
import {
  type AgentTurn,
  type MessageReading,
  notAfter,
  platformIdSchema,
  type ReadingContext,
  unreadable,
} from "./call-report.ts";

const EVENT = "post_call_transcription";
/** Times in the call are whole seconds, rounded. */
const ROUNDING_SECONDS = 1;

const eventSchema = z.object({ type: z.string() });

const entrySchema = z.object({
  role: z.string(),
  message: z.string().nullish(),
  /** The text before it was cut down to what was spoken. */
  original_message: z.string().nullish(),
  interrupted: z.boolean().nullish(),
  time_in_call_secs: z.number(),
  agent_metadata: z.object({ agent_id: platformIdSchema }).nullish(),
});
const messageSchema = z.object({
  type: z.literal(EVENT),
  data: z.object({
    agent_id: platformIdSchema,
    conversation_id: platformIdSchema,
    transcript: z.array(entrySchema),
    metadata: z.object({
      start_time_unix_secs: z.number(),
      accepted_time_unix_secs: z.number().nullish(),
      call_duration_secs: z.number(),
    }),
  }),
});
type ElevenLabsMessage = z.infer<typeof messageSchema>["data"];

export function readElevenLabsMessage(message: unknown, { now }: ReadingContext): MessageReading {
  const { data: kind } = eventSchema.safeParse(message);
  if (kind?.type !== EVENT) return null;
  const { data: parsed, error } = messageSchema.safeParse(message);
  if (parsed === undefined) return unreadable(error.issues);
  const { data } = parsed;
  const turns = data.transcript.flatMap((entry, i) =>
    entry.role === "agent" && entry.message != null ? [turnOf(data, i, now)] : [],
  );
  const callId = data.conversation_id;
  return { platform: "elevenlabs", callId, isLive: false, isOnlyCounted: false, part: "", turns };
}

/** A text had been spoken, if it was, when the next entry began or the call ended; no nearer time is told. */
function turnOf({ agent_id, transcript, metadata }: ElevenLabsMessage, i: number, now: Date): AgentTurn {
  const { message, original_message, interrupted, time_in_call_secs, agent_metadata } = transcript[i] ?? {};
  const from = time_in_call_secs ?? 0;
  const next = transcript.slice(i + 1).find((entry) => entry.time_in_call_secs > from);
  const until = Math.max(next?.time_in_call_secs ?? metadata.call_duration_secs, from);
  const began = metadata.accepted_time_unix_secs ?? metadata.start_time_unix_secs;
  const endedAt = notAfter((began + until) * SECOND_MS, now);
  // Where there is the original, the message is what was spoken of it.
  const isCutDown = original_message != null && original_message !== message;
  return {
    pieces: [{ text: message ?? "", endedAt }],
    agent: agent_metadata?.agent_id ?? agent_id,
    isCutOff: interrupted === true && !isCutDown,
    seconds: until - from + ROUNDING_SECONDS,
  };
}
