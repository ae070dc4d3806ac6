// Vapi's server messages: the speech of an assistant while its audio plays, and the report after the call.
import * as z from "zod";
import { SECOND_MS } from "../../contract/time.ts";
import {
  type AgentTurn,
  type CallReport,
  type MessageReading,
  notAfter,
  platformIdSchema,
  type ReadingContext,
  unreadable,
} from "./call-report.ts";

/** Its name notwithstanding, it comes again and again while a turn is spoken. */
const SPEECH = "assistant.speechStarted";
const REPORT = "end-of-call-report";
const ASSISTANT_ROLES: ReadonlySet<string> = new Set(["bot", "assistant"]);
/** An assistant that was made for one call has no id. */
const UNNAMED = "vapi";

const kindSchema = z.object({ message: z.object({ type: z.string() }) });

const callSchema = z.object({ id: platformIdSchema, assistantId: platformIdSchema.nullish() });

const speechSchema = z.object({
  message: z.object({
    call: callSchema,
    text: z.string(),
    turn: z.int().nullish(),
    timestamp: z.number().nullish(),
    /** Other kinds of timing tell of single parts of the speech, and not how far it has come. */
    timing: z.object({ type: z.string(), wordsSpoken: z.number().nullish() }).nullish(),
  }),
});
type Speech = z.infer<typeof speechSchema>["message"];

const entrySchema = z.object({
  role: z.string(),
  message: z.string().nullish(),
  time: z.number().nullish(),
  endTime: z.number().nullish(),
  assistantId: platformIdSchema.nullish(),
});
const reportSchema = z.object({
  message: z.object({
    call: callSchema,
    timestamp: z.number().nullish(),
    artifact: z.object({ messages: z.array(entrySchema).nullish() }),
  }),
});
type EndOfCall = z.infer<typeof reportSchema>["message"];

export function readVapiMessage(message: unknown, { now, vapi }: ReadingContext): MessageReading {
  const type = kindSchema.safeParse(message).data?.message.type;
  if (type === SPEECH && vapi === "live") {
    const { data, error } = speechSchema.safeParse(message);
    return data === undefined ? unreadable(error.issues) : readSpeech(data.message, now);
  }
  if (type !== REPORT) return null;
  const { data, error } = reportSchema.safeParse(message);
  return data === undefined ? unreadable(error.issues) : readReport(data.message, vapi === "live", now);
}

/** The words spoken so far of a turn. Each of its messages says more of the same turn. */
function readSpeech({ call, text, turn, timestamp, timing }: Speech, now: Date): CallReport | null {
  if (timing?.wordsSpoken == null || turn == null) return null;
  const endedAt = notAfter(timestamp, now);
  const spoken = text
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, timing.wordsSpoken);
  const pieces = spoken.map((word) => ({ text: word, endedAt }));
  const agent = call.assistantId ?? UNNAMED;
  return {
    platform: "vapi",
    callId: call.id,
    isLive: true,
    isOnlyCounted: false,
    part: `turn-${turn}`,
    turns: [{ pieces, agent, isCutOff: false, seconds: null }],
  };
}

function readReport({ call, artifact, timestamp }: EndOfCall, isOnlyCounted: boolean, now: Date): CallReport {
  const turns = (artifact.messages ?? [])
    .filter(({ role }) => ASSISTANT_ROLES.has(role))
    .map(({ message, time, endTime, assistantId }): AgentTurn => {
      const endedAt = notAfter(endTime ?? time ?? timestamp, now);
      const seconds = time == null || endTime == null ? null : (endTime - time) / SECOND_MS;
      const agent = assistantId ?? call.assistantId ?? UNNAMED;
      return { pieces: [{ text: message ?? "", endedAt }], agent, isCutOff: false, seconds };
    });
  return { platform: "vapi", callId: call.id, isLive: false, isOnlyCounted, part: "", turns };
}
