// A chat with the AI SDK: each message has its label, and its receipt. docs/adapters/ai-sdk.md says how to run it.
import { generateText, wrapLanguageModel } from "ai";
import { Disclosure, disclosureMiddleware } from "disclosure-receipts/ai-sdk";
import { DisclosureClient, DurableQueue } from "disclosure-receipts/client/node";
import { model } from "./model.ts"; // Your model, of any provider.

const { BASE_URL: baseUrl = "http://127.0.0.1:8787", API_KEY: apiKey = "", CHAT = "chat-1" } = process.env;
const client = new DisclosureClient({ baseUrl, apiKey });
const queue = new DurableQueue(client, { folder: ".data/ai-sdk", shared: true, onHandover: console.error });

const wordings = { introduction: "de-chat-label-1" };
const disclosure = new Disclosure({ queue, interactionId: CHAT, agentIdentity: "widgets/support", wordings });
const middleware = disclosureMiddleware(disclosure, { waitForReceiptMs: 2_000 });
const labelled = wrapLanguageModel({ model, middleware });
const { text, providerMetadata } = await generateText({
  model: labelled,
  prompt: "Wann haben Sie geöffnet?",
});
console.log(text, providerMetadata?.disclosure);
await queue.close();
