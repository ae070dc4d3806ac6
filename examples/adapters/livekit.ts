// A LiveKit agent that introduces itself, and records that it was heard. docs/adapters/livekit.md says how to run it.
import { type JobContext, voice } from "@livekit/agents";
import { DisclosureClient, DurableQueue } from "disclosure-receipts/client/node";
import { Disclosure, LiveKitDisclosure } from "disclosure-receipts/livekit";

const { BASE_URL: baseUrl = "http://127.0.0.1:8787", API_KEY: apiKey = "" } = process.env;
const client = new DisclosureClient({ baseUrl, apiKey });
const queue = new DurableQueue(client, { folder: ".data/livekit", shared: true, onHandover: console.error });
const wordings = { introduction: "de-voice-in-introduction-1", handoff: "de-voice-handoff-ai-1" };
const about = { agentIdentity: "agents/reception", operator: "das Haus am Hafen", wordings };
const log = { onReceipt: console.log, onMissed: console.warn };

/** To be called by the agent's entry, with the session that it made. */
export async function answer(ctx: JobContext, session: voice.AgentSession): Promise<void> {
  ctx.addShutdownCallback(async () => void (await queue.close()));
  await session.start({ agent: new voice.Agent({ id: "reception", instructions: "" }), room: ctx.room });
  const disclosure = new Disclosure({ queue, interactionId: ctx.job.id, ...about, ...log });
  await new LiveKitDisclosure(session, disclosure).introduce();
}
