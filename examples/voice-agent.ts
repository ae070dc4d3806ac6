// A voice agent that records what it disclosed, without ever making the caller wait. The call here is simulated: put
// the five hooks where your voice stack tells you of these moments.
//   API_KEY=$(cat .data/api-key) npx node examples/voice-agent.ts
import { randomUUID } from "node:crypto";
// In your project: "disclosure-receipts/client/node" and "disclosure-receipts/policy".
import { type AttestationRequest, DisclosureClient, DurableQueue } from "../clients/client/node.ts";
import { disclosureOf, findWording } from "../evidence/policy/package.ts";

const { BASE_URL = "http://127.0.0.1:8787", API_KEY = "", QUEUE_FOLDER = ".data/voice-agent" } = process.env;
const FLUSH_MS = 3_000;

/** For whom the agent speaks. It is said, and in no digest: hash the registered text, never the spoken one. */
const OPERATOR = "the Harbour Street Practice";

/** The wordings by their ids; docs/when-to-disclose.md says which one is for which situation. */
const INTRODUCTION = "de-voice-in-introduction-en-1";
const REMINDER = "de-voice-reminder-en-2";
const HAND_OFF = "de-voice-handoff-ai-en-1";

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

/** Says a wording, and records that it was said. The words leave the process as a digest only. Returns at once. */
function disclose(callId: string, wordingId: string): void {
  say(textOf(wordingId).replaceAll("{operator}", () => OPERATOR));
  const request: AttestationRequest = {
    interaction_id: callId,
    agent_identity: "agents/reception",
    ...disclosureOf(wordingId),
  };
  void queue.add(request);
}

function textOf(wordingId: string): string {
  const found = findWording(wordingId);
  if (found === null) throw new Error(`there is no wording ${wordingId}`);
  return found.wording.text;
}

/** Hook 1: the call is up. The disclosure comes before anything else. */
const onCallStarted = (callId: string): void => disclose(callId, INTRODUCTION);

/** Hook 2: a new topic that is sensitive, or a point where the caller could have forgotten. */
const onTopicChanged = (callId: string): void => disclose(callId, REMINDER);

/** Hook 3: another agent takes over the call. */
const onHandedOver = (callId: string): void => disclose(callId, HAND_OFF);

/** Hook 4: the call is over. What is not sent by then is on disk and goes out later. */
async function onCallEnded(): Promise<void> {
  const isAllSent = await queue.flush(FLUSH_MS);
  console.log(isAllSent ? "sent       everything" : `waiting    ${queue.size} on disk, sent later`);
}

/** Hook 5: the program ends (in a server: on SIGTERM). */
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
onHandedOver(callId);
say("I have put you down for Tuesday at nine. Goodbye.");
await onCallEnded();
await onShutdown();
