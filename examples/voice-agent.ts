// A voice agent that records what it disclosed, without ever making the caller wait. The call here is simulated: put
// the four hooks where your voice stack tells you of these moments.
//   API_KEY=$(cat .data/api-key) npx node examples/voice-agent.ts
import { randomUUID } from "node:crypto";
// In your project: "disclosure-receipts/client/node".
import { type AttestationRequest, DisclosureClient, DurableQueue, hashWordingText } from "../client/node.ts";

const { BASE_URL = "http://127.0.0.1:8787", API_KEY = "", QUEUE_FOLDER = ".data/voice-agent" } = process.env;
const FLUSH_MS = 3_000;

const INTRODUCTION =
  "Hello. Before we begin, please note: you are speaking with an AI system, not with a human being. AI stands for artificial intelligence.";
const REMINDER = "As a reminder: you are still speaking with an AI system, not with a human being.";

if (API_KEY === "") {
  console.error("Give the API key that npm start prints, in API_KEY.");
  process.exit(2);
}
const client = new DisclosureClient({ baseUrl: BASE_URL, apiKey: API_KEY });
const queue = new DurableQueue(client, {
  folder: QUEUE_FOLDER,
  onReceipt: ({ event_id, receipts: [receipt] }) =>
    console.log(`receipt    turn ${receipt?.turn}  ${receipt?.verdict}  ${event_id}`),
  onHandover: ({ request, idempotencyKey }, error) =>
    // Yours from here on: a database, a dead-letter queue, a person. The digests and the key are all that is needed.
    console.error(`NOT RECORDED ${error.code}: ${error.message}`, { request, idempotencyKey }),
  onProblem: ({ code, message }) => console.error(`problem    ${code}: ${message}`),
});

type Method = "spoken_introduction" | "spoken_reminder";

/** The words leave the process as a digest only. Returns at once. */
function disclosed(callId: string, disclosure_method: Method, wording: string): void {
  const request: AttestationRequest = {
    interaction_id: callId,
    modality: "voice",
    article_50_clause: "1",
    disclosure_method,
    agent_identity: "agents/reception",
    jurisdiction: "DE",
    subject_hash: hashWordingText(wording),
  };
  void queue.add(request);
}

/** Hook 1: the call is up. The disclosure comes before anything else. */
function onCallStarted(callId: string): void {
  say(INTRODUCTION);
  disclosed(callId, "spoken_introduction", INTRODUCTION);
}

/** Hook 2: a hand-off, a new topic, a point where the caller could have forgotten. */
function onTopicChanged(callId: string): void {
  say(REMINDER);
  disclosed(callId, "spoken_reminder", REMINDER);
}

/** Hook 3: the call is over. What is not sent by then is on disk and goes out later. */
async function onCallEnded(): Promise<void> {
  const isAllSent = await queue.flush(FLUSH_MS);
  console.log(isAllSent ? "sent       everything" : `waiting    ${queue.size} on disk, sent later`);
}

/** Hook 4: the program ends (in a server: on SIGTERM). */
async function onShutdown(): Promise<void> {
  const left = await queue.close(FLUSH_MS);
  if (left.length > 0) console.log(`left       ${left.length} on disk for the next start`);
}

const say = (text: string): void => console.log(`agent      ${text}`);

const callId = `call-${randomUUID()}`;
console.log(`call       ${callId}`);
onCallStarted(callId);
say("How can I help you?");
onTopicChanged(callId);
say("I have put you down for Tuesday at nine. Goodbye.");
await onCallEnded();
await onShutdown();
