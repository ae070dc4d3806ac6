// A realtime agent that introduces itself, and records that it was heard. docs/adapters/openai-realtime.md says how to run it.
import type { RealtimeSession } from "@openai/agents-realtime";
import { DisclosureClient, DurableQueue } from "disclosure-receipts/client/node";
import { Disclosure, RealtimeDisclosure } from "disclosure-receipts/openai-realtime";

const { BASE_URL: baseUrl = "http://127.0.0.1:8787", API_KEY: apiKey = "" } = process.env;
const client = new DisclosureClient({ baseUrl, apiKey });
const folder = ".data/openai-realtime";
export const queue = new DurableQueue(client, { folder, shared: true, onHandover: console.error });

const wordings = { introduction: "de-voice-in-introduction-1", handoff: "de-voice-handoff-ai-1" };
const about = { agentIdentity: "agents/reception", operator: "das Haus am Hafen", wordings };

/** To be called once the session is connected. */
export async function introduce(session: RealtimeSession, interactionId: string): Promise<boolean> {
  const log = { onReceipt: console.log, onMissed: console.warn };
  const disclosure = new Disclosure({ queue, interactionId, ...about, ...log });
  return new RealtimeDisclosure(session, disclosure).introduce();
}
