// The adapter for LiveKit Agents (Node): says the texts in an AgentSession, and attests what was played to its end. It names
// no type of LiveKit's: what it needs of a session is stated here, and compiled against it in a test.
import { setTimeout as delay } from "node:timers/promises";
import type { Disclosure } from "./core.ts";
import type { Playback } from "./playback.ts";
import { EVENT_ID } from "./spans.ts";
import { type Heard, Speaker } from "./speaker.ts";

export * from "./public.ts";
/** Where a receipt's event id is in the `extra` of the message that was said. */
export { EVENT_ID };

/** The part of a SpeechHandle that is used. */
export interface LiveKitSpeech {
  readonly interrupted: boolean;
  waitForPlayout(): Promise<void>;
}

/** The part of an AgentSession that is used. */
export interface LiveKitSession {
  say(text: string, options: { allowInterruptions: boolean; addToChatCtx: boolean }): LiveKitSpeech;
  on(event: string, listener: (event: unknown) => void): unknown;
  /** True from the moment at which it begins to close, of which LiveKit has no event. */
  readonly _closing?: boolean;
}

/** An item of the conversation: a message that was said, or a hand-off from one agent to another. */
interface ConversationItem {
  readonly type?: string;
  readonly role?: string;
  readonly rawTextContent?: string;
  readonly extra?: Record<string, unknown>;
  readonly metrics?: { readonly startedSpeakingAt?: number; readonly stoppedSpeakingAt?: number };
  readonly oldAgentId?: string;
  readonly newAgentId?: string;
}

/** A session can't speak until its agent has started, for which LiveKit has no event. */
const START_POLL_MS = 20;
const MAX_START_MS = 5_000;

export class LiveKitDisclosure extends Speaker {
  readonly #session: LiveKitSession;
  /** The message that LiveKit added last for what an agent said, until it is taken. */
  #message: ConversationItem | null = null;
  /** The hand-off to the agent that took over last, while it is said. */
  #handoff: Promise<boolean> | null = null;

  constructor(session: LiveKitSession, disclosure: Disclosure) {
    super(disclosure);
    this.#session = session;
    session.on("conversation_item_added", (event) =>
      disclosure.guard(() => this.#added((event as { item: ConversationItem }).item)),
    );
    session.on("close", () => void this.close());
  }

  /** Says the introduction. Say nothing before it. */
  introduce(): Promise<boolean> {
    return this.say(this.disclosure.introduce());
  }

  /** The adapter does so by itself; an agent that greets in `onEnter` awaits it there, so that its greeting comes after. */
  override handedOff(to: string): Promise<boolean> {
    return this.#handoff ?? super.handedOff(to);
  }

  protected async play({ text, interruptible }: Playback): Promise<Heard> {
    const speech = await this.#start(text, interruptible);
    await speech?.waitForPlayout();
    // A session that closes cuts off what is said, and would play what is said next where the caller has hung up.
    if (speech === null || (speech.interrupted && this.#isClosing)) return "ended";
    if (speech.interrupted) return "interrupted";
    // Speeches are played one after the other, and the message of one is added before its playout ends.
    const message = this.#message;
    this.#message = null;
    const { startedSpeakingAt, stoppedSpeakingAt } = message?.metrics ?? {};
    // Where nothing interrupted it and no audio began, the synthesis gave none.
    if (message?.rawTextContent !== text || startedSpeakingAt === undefined) return "failed";
    return {
      ...(stoppedSpeakingAt !== undefined && { at: new Date(stoppedSpeakingAt * 1000) }),
      onReceipt: (eventId) => {
        if (message.extra !== undefined) message.extra[EVENT_ID] = eventId;
      },
    };
  }

  get #isClosing(): boolean {
    return this.#session._closing ?? false;
  }

  /** Null where the session closes. Throws where it can't speak even after a while. */
  async #start(text: string, allowInterruptions: boolean): Promise<LiveKitSpeech | null> {
    for (let waitedMs = 0; ; waitedMs += START_POLL_MS) {
      if (this.#isClosing) return null;
      try {
        return this.#session.say(text, { allowInterruptions, addToChatCtx: true });
      } catch (error) {
        if (waitedMs >= MAX_START_MS) throw error;
      }
      await delay(START_POLL_MS);
    }
  }

  #added(item: ConversationItem): void {
    if (item.type === "message" && item.role === "assistant") this.#message = item;
    if (item.type === "agent_handoff" && item.oldAgentId !== undefined) this.#takeOver(item.newAgentId ?? "");
  }

  #takeOver(agent: string): void {
    const handoff = super.handedOff(agent);
    this.#handoff = handoff;
    void handoff.then(() => {
      if (this.#handoff === handoff) this.#handoff = null;
    });
  }
}
