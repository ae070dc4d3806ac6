// One text that a realtime model is asked to say: whether it was said in these words, and heard to its end.
import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Heard } from "./speaker.ts";
import { wordsOf } from "./words.ts";

/** The audio of a response follows soon; where none comes after its end, nothing was said. */
const NO_AUDIO_MS = 2_000;

/** These members of the Realtime API's events tell of a response. Events that tell of none are passed over. */
const eventSchema = z.object({
  type: z.string(),
  response_id: z.string().optional(),
  transcript: z.string().optional(),
  response: z
    .object({
      id: z.string(),
      status: z.string().optional(),
      metadata: z.object({ disclosure: z.string().optional() }).nullish(),
    })
    .optional(),
  error: z.object({ event_id: z.string().nullish() }).optional(),
});

export class Utterance {
  /** The request for its response has this id, and the response's metadata have it as their key. */
  readonly key: string = randomUUID();
  readonly end: Promise<Heard>;
  readonly #words: string;
  readonly #reportsPlayback: boolean;
  readonly #resolve: (heard: Heard) => void;
  #responseId: string | undefined;
  #isSaid = false;
  /** True once the server tells of its audio buffer, as over WebRTC and SIP: it then tells when all was played. */
  #hasBuffer = false;
  /** When all of its audio will have been played, as `performance.now()` tells the time; null before any came. */
  #playsUntil: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `reportsPlayback`: the program tells what was played. */
  constructor(text: string, reportsPlayback: boolean) {
    this.#words = wordsOf(text);
    this.#reportsPlayback = reportsPlayback;
    const { promise, resolve } = Promise.withResolvers<Heard>();
    this.end = promise;
    this.#resolve = resolve;
  }

  settle(heard: Heard): void {
    clearTimeout(this.#timer);
    this.#resolve(heard);
  }

  /** The caller spoke, and what was still to be played is dropped. */
  interrupt(): void {
    if (this.#responseId !== undefined) this.settle("interrupted");
  }

  playedOut(): void {
    if (this.#isSaid) this.settle({});
  }

  audio(responseId: string, playsUntil: number): void {
    if (responseId === this.#responseId) this.#playsUntil = playsUntil;
  }

  event(raw: unknown): void {
    const { data } = eventSchema.safeParse(raw);
    if (data === undefined) return;
    const { type, response, response_id, transcript = "", error } = data;
    // The server made no response of the request: another was under way, or its limit is reached.
    if (error?.event_id === this.key) this.settle("failed");
    if (type === "response.created" && response?.metadata?.disclosure === this.key)
      this.#responseId = response.id;
    const id = response?.id ?? response_id;
    if (id === undefined || id !== this.#responseId) return;
    if (type === "response.output_audio_transcript.done")
      this.#isSaid ||= wordsOf(transcript).includes(this.#words);
    else if (type === "response.done") this.#done(response?.status);
    else if (type === "output_audio_buffer.started") this.#hasBuffer = true;
    else if (type === "output_audio_buffer.cleared") this.settle("interrupted");
    else if (type === "output_audio_buffer.stopped") this.settle(this.#isSaid ? {} : "failed");
  }

  /** The model has made all of it; most of it is still to be played. */
  #done(status: string | undefined): void {
    if (status === "cancelled") this.settle("interrupted");
    else if (status !== "completed" || !this.#isSaid) this.settle("failed");
    else if (this.#hasBuffer || this.#reportsPlayback) return;
    else if (this.#playsUntil === null)
      this.#timer = setTimeout(() => this.#hasBuffer || this.settle("failed"), NO_AUDIO_MS);
    else {
      const left = this.#playsUntil - performance.now();
      this.#timer = setTimeout(() => this.settle({}), Math.max(0, left));
    }
  }
}
