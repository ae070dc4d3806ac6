// Twilio's side of a ConversationRelay: it asks for the TwiML, opens the WebSocket with Twilio's signature, and plays what it
// is sent, telling of it as Twilio documents.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import twilio from "twilio";
import { WebSocket, WebSocketServer } from "ws";
import {
  conversationRelayTwiml,
  type Disclosure,
  isSignedByTwilio,
  TwilioDisclosure,
} from "../../../clients/adapters/twilio.ts";
import { CALLER, OPERATOR, VOICE } from "./wordings.ts";

const AUTH_TOKEN = "0123456789abcdef0123456789abcdef";
const SPEECH_MS = 100;

export interface Line {
  /** How many texts the caller talks over. */
  cuts: number;
  /** What Twilio tells of its playback. */
  tells: "tokens" | "speaking" | "nothing";
}

/** The program of an operator: an HTTP server with the TwiML and the WebSocket of one call after the other. */
export async function startProgram(disclosureOf: (callSid: string) => Disclosure) {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const calls = new Map<string, TwilioDisclosure>();
  server.on("upgrade", (request, socket, head) => {
    const url = `wss://relay.example${request.url}`;
    const signature = request.headers["x-twilio-signature"];
    if (!isSignedByTwilio({ authToken: AUTH_TOKEN, signature, url }))
      return socket.end("HTTP/1.1 403\r\n\r\n");
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const callSid = new URL(url).searchParams.get("call") ?? "";
      const adapter = new TwilioDisclosure(disclosureOf(callSid), (message) => webSocket.send(message));
      calls.set(callSid, adapter);
      webSocket.on("message", (message) => adapter.message(String(message)));
      webSocket.on("close", () => void adapter.close());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, calls, close: () => server.close() };
}

/** What Twilio was told of a call. */
export interface Dialled {
  readonly port: number | string;
  readonly path: string;
  readonly signature: string;
  readonly twiml: string;
}

/** A call of the program above, by its TwiML and with Twilio's signature, or another's. */
export function dial(port: number, callSid: string, signer = AUTH_TOKEN): Dialled {
  const path = `/relay?call=${callSid}`;
  const signature = twilio.getExpectedTwilioSignature(signer, `wss://relay.example${path}`, {});
  const twiml = conversationRelayTwiml({
    url: `wss://relay.example${path}`,
    wordings: VOICE,
    operator: OPERATOR,
  });
  return { port, path, signature, twiml };
}

/** Calls, hears the greeting, and what comes after it. The call is up until it is hung up. */
export async function call({ port, path, signature, twiml }: Dialled, line: Line, callSid = "CA1") {
  const headers = { "x-twilio-signature": signature };
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  await once(socket, "open");
  const tell = (message: object): void => socket.send(JSON.stringify(message));
  let isSpeaking = Promise.resolve();
  const play = async (text: string): Promise<void> => {
    const isCut = line.cuts-- > 0;
    const words = text.match(/\S+\s*/g) ?? [];
    const played = isCut ? words.slice(0, 3) : words;
    if (line.tells !== "nothing") tell({ type: "info", name: "agentSpeaking", value: "on" });
    await new Promise((resolve) => setTimeout(resolve, SPEECH_MS));
    if (line.tells === "tokens")
      for (const value of played) tell({ type: "info", name: "tokensPlayed", value });
    if (isCut)
      tell({ type: "interrupt", utteranceUntilInterrupt: played.join(""), durationUntilInterruptMs: 460 });
    if (line.tells !== "nothing") tell({ type: "info", name: "agentSpeaking", value: "off" });
  };
  const say = (text: string): void => {
    isSpeaking = isSpeaking.then(() => play(text));
  };
  socket.on("message", (message) => say(JSON.parse(String(message)).token));
  const greeting = /welcomeGreeting="([^"]*)"/.exec(twiml)?.[1];
  tell({
    type: "setup",
    callSid,
    from: "+4930123456789",
    callerName: CALLER,
    customParameters: {},
  });
  tell({ type: "prompt", voicePrompt: `Hier ist ${CALLER}.`, lang: "de-DE", last: true });
  say(greeting ?? "");
  return { say, hangUp: () => socket.close() };
}
