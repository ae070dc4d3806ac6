// The messages of one conversation, each with its label: attested once the message was sent to its end.
import { setTimeout as delay } from "node:timers/promises";
import type { Disclosure } from "./core.ts";
import type { Playback } from "./playback.ts";

export interface AiSdkOptions {
  /** Where the label stands: in front of the text of the message (default), or on the page that shows it. */
  readonly labelIn?: "message" | "page";
  /** How long the end of a message waits for its receipt (default 0), so that its metadata has the event id at once. */
  readonly waitForReceiptMs?: number;
}

/** A part of a message, or of a stream. */
export interface MessagePart {
  readonly type: string;
}

export interface MessageEnd {
  readonly finishReason?: { readonly unified?: string };
  readonly providerMetadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Found in `providerMetadata.disclosure`. The id is null until the receipt has come, and is filled in then. */
export interface DisclosureMetadata {
  eventId: string | null;
}

const LABEL_ID = "disclosure-label";

export class LabelledMessages {
  readonly #disclosure: Disclosure;
  readonly #options: AiSdkOptions;
  /** The next message says this in place of the introduction: a text that was cut off, or a hand-off. */
  #next: Playback | null = null;

  constructor(disclosure: Disclosure, options: AiSdkOptions) {
    this.#disclosure = disclosure;
    this.#options = options;
  }

  begin(): Playback {
    const playback = this.#next ?? this.#disclosure.introduce();
    this.#next = null;
    return playback;
  }

  handedOff(to: string): void {
    this.#next?.missed("ended");
    this.#next = this.#disclosure.handedOff(to);
  }

  labelOf({ text }: Playback): string[] {
    return this.#options.labelIn === "page" ? [] : [`${text}\n\n`];
  }

  miss(playback: Playback | null, reason: "interrupted" | "failed"): void {
    const again = playback?.missed(reason) ?? null;
    // The next message has one label: that of a hand-off, or of the message that was cut off first.
    if (this.#next === null) this.#next = again;
    else again?.missed("ended");
  }

  /** Attests the message, or misses it where it ended with an error. Returns what its end says besides. */
  async end(playback: Playback, { finishReason, providerMetadata }: MessageEnd) {
    const disclosure: DisclosureMetadata = { eventId: null };
    if (finishReason?.unified === "error") {
      this.miss(playback, "failed");
      return {};
    }
    const received = new AbortController();
    playback.played({
      onReceipt: (eventId) => {
        disclosure.eventId = eventId;
        received.abort();
      },
    });
    const { waitForReceiptMs = 0 } = this.#options;
    if (waitForReceiptMs > 0)
      await delay(waitForReceiptMs, null, { signal: received.signal }).catch(() => null);
    return { providerMetadata: { ...providerMetadata, disclosure } };
  }

  /**
   * The stream with the label before its first text. It reads on only when it is read: once its finish is asked for, all
   * text was taken. Where nobody reads it to that point, the message was not sent.
   */
  label<P extends MessagePart>(
    stream: ReadableStream<P>,
    signal: AbortSignal | undefined,
  ): ReadableStream<P> {
    const reader = stream.getReader();
    let playback: Playback | null = null;
    signal?.addEventListener("abort", () => this.miss(playback, "interrupted"), { once: true });
    const next = async (controller: ReadableStreamDefaultController<P>): Promise<void> => {
      const { done, value } = await reader.read();
      if (done) {
        this.miss(playback, "failed");
        return controller.close();
      }
      if (value.type === "text-start" && playback === null) {
        playback = this.begin();
        for (const part of this.labelOf(playback).flatMap(partsOf))
          controller.enqueue(part as MessagePart as P);
      }
      if (value.type === "error") this.miss(playback, "failed");
      const isEnd = value.type === "finish" && playback !== null;
      controller.enqueue(
        isEnd ? { ...value, ...(await this.end(playback as Playback, value as MessageEnd)) } : value,
      );
    };
    return new ReadableStream<P>(
      {
        pull: (controller) =>
          next(controller).catch((error: unknown) => {
            this.miss(playback, "failed");
            controller.error(error);
          }),
        cancel: (reason) => {
          this.miss(playback, "interrupted");
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }
}

const partsOf = (delta: string): MessagePart[] => [
  { type: "text-start", id: LABEL_ID } as MessagePart,
  { type: "text-delta", id: LABEL_ID, delta } as MessagePart,
  { type: "text-end", id: LABEL_ID } as MessagePart,
];
