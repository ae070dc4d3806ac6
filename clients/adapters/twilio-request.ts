// Twilio's side over HTTP: the signature of its requests, and the TwiML that begins a ConversationRelay.
import { createHmac, timingSafeEqual } from "node:crypto";
import { prepare, type Wordings } from "./statements.ts";

/** The events by which Twilio tells what it played. */
const PLAYBACK_EVENTS = "speaker-events tokens-played";
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };

/** Scheme, host with any name and password, port, and the rest of an address. */
const ADDRESS = /^(https?|wss?)(:\/\/(?:[^/?#]*@)?[^/?#:@]+)(:\d+)?([/?#].*|)$/s;

export interface SignedRequest {
  readonly authToken: string;
  /** The header X-Twilio-Signature, of a webhook or of a WebSocket's handshake. */
  readonly signature: string | readonly string[] | undefined;
  /** The address as Twilio was given it: `https://…` or `wss://…`, with its query. */
  readonly url: string;
  /** The parameters of a webhook's body. */
  readonly parameters?: Readonly<Record<string, string | readonly string[]>>;
}

/** True if Twilio signed the request: HMAC-SHA1 over the address and the sorted parameters. */
export function isSignedByTwilio({ authToken, signature, url, parameters = {} }: SignedRequest): boolean {
  // With an empty token, which a missing setting is, everybody could sign.
  if (typeof signature !== "string" || authToken === "") return false;
  const pairs = Object.keys(parameters)
    .sort()
    .flatMap((name) => [...new Set([parameters[name] ?? ""].flat())].sort().map((value) => name + value));
  const given = Buffer.from(signature, "base64");
  return addressesOf(url).some((address) => {
    const expected = createHmac("sha1", authToken)
      .update(address + pairs.join(""))
      .digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The address with and without a port: Twilio may leave out one that it was given, and may add the scheme's own. */
function addressesOf(url: string): string[] {
  const [, scheme, host, port, rest] = ADDRESS.exec(url) ?? [];
  if (scheme === undefined) return [url];
  const standard = scheme === "https" || scheme === "wss" ? ":443" : ":80";
  return ["", port ?? standard].map((port) => `${scheme}${host}${port}${rest}`);
}

export interface TwimlOptions {
  /** The address of your WebSocket server, `wss://…`. */
  readonly url: string;
  /** The same as those of the conversation's `Disclosure`. */
  readonly wordings: Wordings;
  readonly operator?: string;
  /** Other attributes of the noun, such as `language` and `voice`. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Twilio calls this address when the session has ended. */
  readonly action?: string;
}

/**
 * The answer to Twilio's webhook: the introduction is the greeting, which nobody can interrupt, and Twilio tells what it
 * played of it. Throws `invalid_options` and `invalid_request` as a `Disclosure` does.
 */
export function conversationRelayTwiml({
  url,
  wordings,
  operator,
  attributes,
  action,
}: TwimlOptions): string {
  const relay = {
    url,
    ...attributes,
    welcomeGreeting: prepare(wordings, operator).of("introduction", false).text,
    welcomeGreetingInterruptible: "none",
    events: PLAYBACK_EVENTS,
  };
  const connect = action === undefined ? "" : formatAttributes({ action });
  return `<?xml version="1.0" encoding="UTF-8"?><Response><Connect${connect}><ConversationRelay${formatAttributes(relay)}/></Connect></Response>`;
}

const formatAttributes = (attributes: Readonly<Record<string, string | number | boolean>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${String(value).replaceAll(/[&<"]/g, (sign) => ESCAPES[sign] ?? "")}"`)
    .join("");
