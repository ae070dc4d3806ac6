// A job of a voice or chat agent, for a test to kill or to end: one conversation in a stack.
//   node job.ts STACK|- ADDRESS KEY FOLDER CONVERSATION ENDING
import { Disclosure } from "../../../clients/adapters/core.ts";
import {
  type AddOptions,
  type AttestationRequest,
  DisclosureClient,
  DurableQueue,
} from "../../../clients/client/node.ts";
import { TALKS } from "./talks.ts";
import { CHAT, OPERATOR, VOICE } from "./wordings.ts";

const [stack = "", baseUrl = "", apiKey = "", folder = "", interactionId = "", ending = ""] =
  process.argv.slice(2);
const PATIENCE_MS = 60_000;

const client = new DisclosureClient({ baseUrl, apiKey, attempts: 1 });
const queue = new DurableQueue(client, {
  folder,
  shared: true,
  onHandover: (_, { code }) => console.log(`handed over: ${code}`),
});
const safe: Promise<boolean>[] = [];
const watched = {
  add: (request: AttestationRequest, options?: AddOptions) => {
    const isSafe = queue.add(request, options);
    safe.push(isSafe);
    return isSafe;
  },
  flush: (timeoutMs?: number) => queue.flush(timeoutMs),
};
const disclosure = new Disclosure({
  queue: watched,
  interactionId,
  agentIdentity: "agents/reception",
  operator: OPERATOR,
  wordings: stack === "ai-sdk" ? CHAT : VOICE,
});
await TALKS[stack]?.(disclosure);
if (ending === "at-once") await queue.close(0);
else if (ending === "send") await queue.close(PATIENCE_MS);
else if ((await Promise.all(safe)).every(Boolean)) console.log("safe");
// Stacks leave timers and sockets behind. Where it is to be killed, it waits for that.
if (ending !== "killed") process.exit();
setInterval(() => {}, PATIENCE_MS);
