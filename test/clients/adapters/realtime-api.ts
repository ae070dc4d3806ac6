// OpenAI's Realtime API as far as a session needs it: over a WebSocket of this machine, with a model that says what it is
// told, or not.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } from "@openai/agents-realtime";
import { type WebSocket, WebSocketServer } from "ws";
import { CALLER, soundOf } from "./wordings.ts";

const PCM_BYTES_PER_MS = 48;
const SPEECH_MS = 200;
/** A text that is cut off is longer than any machine takes to cut it. */
const CUT_SPEECH_MS = 20_000;

export interface Model {
  /** What it says in place of the text that it is told to say. */
  words: string | null;
  status: "completed" | "failed" | "cancelled";
  /** Whether it refuses to speak, as while another response is under way. */
  refuses: boolean;
  /** Whether the caller speaks after half of it, the first so many times. */
  cuts: number;
  /** Over a telephone line the server tells what its buffer has played; over a WebSocket it sends the audio, or none. */
  line: "websocket" | "telephone" | "silent";
}

/** A server for the time of the file, and the model behind its next session. */
export async function startApi() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const model: Model = { words: null, status: "completed", refuses: false, cuts: 0, line: "websocket" };
  let count = 0;
  server.on("connection", (socket) => {
    const session = { type: "realtime", audio: {} };
    tell(socket, { type: "session.created", event_id: "1", session });
    socket.on("message", (bytes) => {
      const event = JSON.parse(String(bytes));
      if (event.type === "session.update") tell(socket, { type: "session.updated", event_id: "2", session });
      if (event.type !== "response.create") return;
      if (model.refuses) refuse(socket, event.event_id);
      else speak(socket, `response-${count++}`, event.response, model);
    });
  });
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}`, model, close: () => server.close() };
}

const tell = (socket: WebSocket, event: object): void =>
  socket.send(JSON.stringify({ event_id: "event", ...event }));

const refuse = (socket: WebSocket, event_id: string): void =>
  tell(socket, {
    type: "error",
    error: {
      type: "invalid_request_error",
      code: "conversation_already_has_active_response",
      message: "",
      event_id,
    },
  });

interface Asked {
  readonly instructions: string;
  readonly metadata: object;
}

function speak(socket: WebSocket, id: string, { instructions, metadata }: Asked, model: Model): void {
  const of = { response_id: id, item_id: `item-of-${id}`, output_index: 0, content_index: 0 };
  const transcript = model.words ?? instructions.split("\n\n")[1] ?? "";
  const isCut = model.cuts-- > 0;
  tell(socket, {
    type: "conversation.item.input_audio_transcription.completed",
    item_id: "caller",
    content_index: 0,
    transcript: `Hier ist ${CALLER}.`,
  });
  tell(socket, { type: "response.created", response: { id, status: "in_progress", metadata } });
  if (model.line === "telephone") tell(socket, { type: "output_audio_buffer.started", response_id: id });
  else if (model.line === "websocket") {
    const delta = soundOf((isCut ? CUT_SPEECH_MS : SPEECH_MS) * PCM_BYTES_PER_MS).toString("base64");
    tell(socket, { type: "response.output_audio.delta", ...of, delta });
  }
  tell(socket, { type: "response.output_audio_transcript.done", ...of, transcript });
  tell(socket, { type: "response.output_audio.done", ...of });
  tell(socket, { type: "response.done", response: { id, status: model.status, output: [], metadata } });
  const { line } = model;
  setTimeout(
    () => {
      if (line === "telephone")
        tell(socket, { type: `output_audio_buffer.${isCut ? "cleared" : "stopped"}`, response_id: id });
      else if (isCut)
        tell(socket, { type: "input_audio_buffer.speech_started", item_id: "caller", audio_start_ms: 0 });
    },
    isCut ? SPEECH_MS / 2 : SPEECH_MS,
  );
}

/** A session of the SDK over its own WebSocket transport. */
export async function connect(url: string): Promise<RealtimeSession> {
  const agent = new RealtimeAgent({ name: "reception" });
  const transport = new OpenAIRealtimeWebSocket({ url });
  const session = new RealtimeSession(agent, { transport });
  session.on("error", () => {});
  await session.connect({ apiKey: "no-key", url });
  return session;
}
