// The adapter for Twilio ConversationRelay: has Twilio say the texts, and attests what it told to have played to its end.
// The introduction is the greeting of the TwiML; the WebSocket's messages tell what became of it.
import type { Disclosure } from "./core.ts";
import type { Playback } from "./playback.ts";
import { type Heard, Speaker } from "./speaker.ts";
import { readMessage } from "./twilio-message.ts";
import { wordsOf } from "./words.ts";

export * from "./public.ts";
export {
  conversationRelayTwiml,
  isSignedByTwilio,
  type SignedRequest,
  type TwimlOptions,
} from "./twilio-request.ts";

/** This many lengths of the text are remembered of what was played while the text is said. */
const REMEMBERED_LENGTHS = 4;

/** A text that Twilio was given to say. */
interface Saying {
  readonly words: string;
  /** The words that Twilio told to have played since. */
  heard: string;
  /** True once Twilio has begun to speak after it was given the text. */
  isSpeaking: boolean;
  readonly resolve: (heard: Heard) => void;
}

export class TwilioDisclosure extends Speaker {
  readonly #send: (message: string) => void;
  /** The texts that are being said, in order: the first is the one that is heard. */
  readonly #sayings: Saying[] = [];
  /** True once Twilio has told words that it played. From then on, they alone count. */
  #tellsTokens = false;
  #callSid: string | null = null;
  #isClosed = false;
  readonly #introduced = Promise.withResolvers<boolean>();

  /** `send` sends a message over the WebSocket that Twilio opened. */
  constructor(disclosure: Disclosure, send: (message: string) => void) {
    super(disclosure);
    this.#send = send;
  }

  /** Resolves to true if the introduction, which is the greeting of the TwiML, was heard to its end. */
  get introduced(): Promise<boolean> {
    return this.#introduced.promise;
  }

  /** The call as Twilio's own log names it, once Twilio has told; for the call log that gets the receipt's event id. */
  get callSid(): string | null {
    return this.#callSid;
  }

  /** Takes every message of the WebSocket. */
  message(text: string): void {
    const message = readMessage(text);
    if (message === null) return;
    if (message.type === "setup") this.#greet(message.callSid ?? null);
    else if (message.type === "interrupt") this.#interrupt(message.utteranceUntilInterrupt ?? "");
    else if (message.type === "error")
      this.disclosure.report(new Error("Twilio told of an error in the relay"));
    else if (message.name === "tokensPlayed") this.#played(message.value ?? "");
    else if (message.name === "agentSpeaking") this.#speaking(message.value === "on");
  }

  /** To be called when the WebSocket is closed: what is being said was not heard to its end. */
  override close(timeoutMs?: number): Promise<boolean> {
    this.#isClosed = true;
    this.#introduced.resolve(false);
    for (const { resolve } of this.#sayings.splice(0)) resolve("ended");
    return super.close(timeoutMs);
  }

  protected async play({ text: token, interruptible }: Playback): Promise<Heard> {
    // No message would come any more to tell what was heard of the text.
    if (this.#isClosed) return "ended";
    this.#send(JSON.stringify({ type: "text", token, last: true, interruptible, preemptible: false }));
    return this.#hear(token);
  }

  #greet(callSid: string | null): void {
    this.#callSid = callSid;
    const greeting = this.disclosure.introduce();
    this.#introduced.resolve(this.say(greeting, this.#hear(greeting.text)));
  }

  #hear(text: string): Promise<Heard> {
    const { promise, resolve } = Promise.withResolvers<Heard>();
    this.#sayings.push({ words: wordsOf(text), heard: "", isSpeaking: false, resolve });
    return promise;
  }

  /** Ends the first text at once: the next message is about the next text. */
  #end(heard: Heard): void {
    this.#sayings.shift()?.resolve(heard);
  }

  #played(tokens: string): void {
    this.#tellsTokens = true;
    const [saying] = this.#sayings;
    if (saying === undefined) return;
    saying.heard = `${saying.heard} ${wordsOf(tokens)}`.slice(-REMEMBERED_LENGTHS * saying.words.length);
    if (saying.heard.includes(saying.words)) this.#end({});
  }

  /** Where Twilio tells no words, a text was heard if Twilio spoke it to its end and nobody interrupted. */
  #speaking(isOn: boolean): void {
    const [saying] = this.#sayings;
    if (saying === undefined) return;
    if (isOn) saying.isSpeaking = true;
    else if (saying.isSpeaking && !this.#tellsTokens) this.#end({});
  }

  #interrupt(heard: string): void {
    const [saying] = this.#sayings;
    if (saying !== undefined) this.#end(wordsOf(heard).includes(saying.words) ? {} : "interrupted");
  }
}
