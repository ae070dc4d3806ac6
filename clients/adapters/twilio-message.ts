// Reads the messages over a ConversationRelay's WebSocket in which Twilio tells of a playback.
import * as z from "zod";

/** All other messages, such as what the caller said, are passed over unread. */
const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("setup"), callSid: z.string().optional() }),
  z.object({ type: z.literal("interrupt"), utteranceUntilInterrupt: z.string().optional() }),
  z.object({ type: z.literal("info"), name: z.string(), value: z.string().optional() }),
  z.object({ type: z.literal("error") }),
]);

export type RelayMessage = z.infer<typeof messageSchema>;

/** Null for every message that tells of no playback. */
export function readMessage(text: string): RelayMessage | null {
  return messageSchema.safeParse(parseLoosely(text)).data ?? null;
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
