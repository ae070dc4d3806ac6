// Retell's webhooks: transcripts while the call is under way and after it, with the time of each word.
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

const EVENTS = ["transcript_updated", "call_ended", "call_analyzed"] as const;
/** While the call is under way, the transcript grows. */
const LIVE_EVENT = "transcript_updated";

const eventSchema = z.object({ event: z.string() });

const wordSchema = z.object({ word: z.string().nullish(), end: z.number().nullish() });
/** Entries of tools and of nodes have no content, and are no one's speech. */
const entrySchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  words: z.array(wordSchema).nullish(),
});
const messageSchema = z.object({
  event: z.enum(EVENTS),
  call: z.object({
    call_id: platformIdSchema,
    agent_id: platformIdSchema,
    start_timestamp: z.number().nullish(),
    end_timestamp: z.number().nullish(),
    transcript_object: z.array(entrySchema).nullish(),
    transcript_with_tool_calls: z.array(entrySchema).nullish(),
  }),
  transcript_with_tool_calls: z.array(entrySchema).nullish(),
});
type RetellMessage = z.infer<typeof messageSchema>;
type Entry = z.infer<typeof entrySchema>;

const SPEAKERS: ReadonlySet<string> = new Set(["agent", "user", "transfer_target"]);

export function readRetellMessage(message: unknown, { now }: ReadingContext): MessageReading {
  const { data: kind } = eventSchema.safeParse(message);
  if (!EVENTS.some((event) => event === kind?.event)) return null;
  const { data, error } = messageSchema.safeParse(message);
  if (data === undefined) return unreadable(error.issues);
  const isLive = data.event === LIVE_EVENT;
  const said = transcriptOf(data).filter(({ role }) => SPEAKERS.has(role));
  // While the call goes on, the last one may still be speaking.
  const over = isLive ? said.slice(0, -1) : said;
  const turns = over.filter(({ role }) => role === "agent").map((entry) => turnOf(entry, data, now));
  return { platform: "retell", callId: data.call.call_id, isLive, isOnlyCounted: false, part: "", turns };
}

const transcriptOf = ({ call, transcript_with_tool_calls }: RetellMessage): readonly Entry[] =>
  call.transcript_object ?? call.transcript_with_tool_calls ?? transcript_with_tool_calls ?? [];

/** The words are those that were spoken, and each has its time; an entry without words has the call's. */
function turnOf({ content, words }: Entry, { call }: RetellMessage, now: Date): AgentTurn {
  const endOf = (end: number | null | undefined): Date =>
    call.start_timestamp == null || end == null
      ? notAfter(call.end_timestamp, now)
      : notAfter(call.start_timestamp + end * SECOND_MS, now);
  const pieces =
    words == null || words.length === 0
      ? [{ text: content ?? "", endedAt: endOf(null) }]
      : words.map(({ word, end }) => ({ text: word ?? "", endedAt: endOf(end) }));
  return { pieces, agent: call.agent_id, isCutOff: false, seconds: null };
}
