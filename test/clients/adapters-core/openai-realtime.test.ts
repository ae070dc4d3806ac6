// A realtime session tells of its audio: a text is heard once the audio before it was played, and then its own.
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RealtimeDisclosure } from "../../../clients/adapters/openai-realtime.ts";
import { converse } from "./conversation.ts";

const BYTES_PER_MS = 48;

interface Request {
  readonly response: { readonly instructions: string; readonly metadata: object };
}

/** A session over a WebSocket, whose program plays the audio in the order in which it comes. */
class Session extends EventEmitter {
  readonly requests: Request[] = [];
  readonly transport = Object.assign(new EventEmitter(), {
    sendEvent: (request: object) => void this.requests.push(request as Request),
  });

  audio(responseId: string, milliseconds: number): void {
    this.emit("audio", { data: new ArrayBuffer(milliseconds * BYTES_PER_MS), responseId });
  }

  /** Answers the newest request with so much audio of the words that it asks for. */
  speak(id: string, milliseconds: number): void {
    const { instructions, metadata } = this.requests.at(-1)?.response ?? { instructions: "", metadata: {} };
    const tell = (event: object) => this.emit("transport_event", event);
    tell({ type: "response.created", response: { id, metadata } });
    this.audio(id, milliseconds);
    const transcript = instructions.split("\n\n")[1];
    tell({ type: "response.output_audio_transcript.done", response_id: id, transcript });
    tell({ type: "response.done", response: { id, status: "completed" } });
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin() {
  const session = new Session();
  const conversation = converse();
  return { ...conversation, session, adapter: new RealtimeDisclosure(session, conversation.disclosure) };
}

test("a text whose audio came while another's was still played is heard once both were played", async () => {
  const { session, adapter, added } = begin();
  session.audio("before", 3_000);
  const handedOff = adapter.handedOff("billing");
  session.speak("handoff", 2_000);
  await vi.advanceTimersByTimeAsync(4_990);
  expect(added).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  expect(await handedOff).toBe(true);
  expect(added).toHaveLength(1);
});

test("a text that is cut off after its own length, and before it was played, is not heard", async () => {
  const { session, adapter, added, missed } = begin();
  session.audio("before", 3_000);
  const handedOff = adapter.handedOff("billing");
  session.speak("handoff", 2_000);
  await vi.advanceTimersByTimeAsync(2_500);
  session.emit("audio_interrupted");
  await vi.advanceTimersByTimeAsync(0);
  expect([added, missed.map(({ reason }) => reason)]).toEqual([[], ["interrupted"]]);
  // The interruption dropped what was still to be played: the repetition is heard at once.
  session.speak("again", 2_000);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([await handedOff, added.length]).toEqual([true, 1]);
});

test("a text that begins after a silence is heard once its own audio was played", async () => {
  const { session, adapter } = begin();
  session.audio("before", 1_000);
  await vi.advanceTimersByTimeAsync(10_000);
  const reminded = adapter.remind();
  session.speak("reminder", 2_000);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reminded).toBe(true);
});
