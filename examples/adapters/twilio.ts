// A server for Twilio ConversationRelay whose greeting discloses the AI. docs/adapters/twilio.md says how to run it.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { DisclosureClient, DurableQueue } from "disclosure-receipts/client/node";
import {
  conversationRelayTwiml,
  Disclosure,
  isSignedByTwilio,
  TwilioDisclosure,
} from "disclosure-receipts/twilio";
import { WebSocketServer } from "ws";

const { BASE_URL = "http://127.0.0.1:8787", API_KEY = "", AUTH_TOKEN = "", HOST, PORT = 8789 } = process.env;
const client = new DisclosureClient({ baseUrl: BASE_URL, apiKey: API_KEY });
const queue = new DurableQueue(client, { folder: ".data/twilio", shared: true, onHandover: console.error });
const say = { wordings: { introduction: "de-voice-in-introduction-1" }, operator: "das Haus am Hafen" };
const about = { queue, agentIdentity: "agents/desk", onReceipt: console.log, onMissed: console.warn, ...say };

const attributes = { language: "de-DE" };
const newCall = () => conversationRelayTwiml({ url: `wss://${HOST}/${randomUUID()}`, attributes, ...say });
const server = createServer((_, response) => response.setHeader("content-type", "text/xml").end(newCall()));
new WebSocketServer({ server: server.listen(PORT) }).on("connection", (socket, { url = "/", headers }) => {
  socket.on("error", console.error); // Without a listener, Node would end the process and all its calls.
  const handshake = { signature: headers["x-twilio-signature"], url: `wss://${HOST}${url}` };
  if (!isSignedByTwilio({ authToken: AUTH_TOKEN, ...handshake })) return socket.terminate();
  const disclosure = new Disclosure({ interactionId: url.slice(1), ...about });
  const relay = new TwilioDisclosure(disclosure, (text) => socket.send(text));
  socket.on("message", (message) => relay.message(String(message))).on("close", () => relay.close());
});
