// The bridge for hosted voice platforms: takes a platform's webhook, and attests the registered texts that were spoken by
// its account. docs/adapters/bridge.md says the same to operators.
//
// 1. The signature's header is read, then the body, and the signature is checked over the bytes as they came. Without a
//    header in the platform's form, no byte of the body is read; what is not signed is not parsed. Crash: nothing was done.
// 2. The message is read, and the registered texts are looked for in what it says was spoken. From here on only digests,
//    times and ids go on; the words end with this call.                                           Crash: nothing was done.
// 3. Each statement is attested in its order, under a key that follows from the platform, the call, the text, and how many
//    times the call had it before. Crash: some are recorded. The platform sends the message again, or a later one that
//    holds them too, and the keys find those receipts.
// 4. The platform is answered: 200 once all are recorded. While the service is down, 503, after the client's own retries:
//    platforms that send again do so then.
import * as z from "zod";
import {
  type BridgeSettings,
  PLATFORMS,
  type Platform,
  type PlatformSecrets,
  REPORTED_METHOD,
} from "../../contract/bridge-settings.ts";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import { PROBLEMS_PATH } from "../../contract/public-paths.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { utf8 } from "../../evidence/core/bytes.ts";
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";
import { agentIdentity } from "../adapters/statements.ts";
import { type AttestationRequest, DisclosureClient, interactionId, isClientError } from "../client/index.ts";
import type { CallReport, MessageReading, ReadingContext } from "./call-report.ts";
import { readElevenLabsMessage } from "./elevenlabs.ts";
import { type KnownText, knownTexts } from "./known-texts.ts";
import { recognise, type SpokenStatement } from "./recognition.ts";
import { readRetellMessage } from "./retell.ts";
import { type PlatformWebhook, type Refusal, readSignedBody } from "./signatures.ts";
import { readVapiMessage } from "./vapi.ts";

/** Retell waits ten seconds for an answer, the others longer. */
export const BRIDGE_DEADLINE_MS = 8_000;
const ATTEMPT_MS = 4_000;
const ATTEMPTS = 6;
/** Live messages repeat what earlier ones said: so many statements are not sent again by this process. */
const REMEMBERED = 10_000;
/** How the service says that an Idempotency-Key came with another body before. */
const CONFLICT_TYPE = `${PROBLEMS_PATH}#${PROBLEMS.idempotencyConflict.slug}`;
const problemSchema = z.object({ type: z.literal(CONFLICT_TYPE) });

const READERS: Readonly<Record<Platform, (message: unknown, reading: ReadingContext) => MessageReading>> = {
  vapi: readVapiMessage,
  retell: readRetellMessage,
  elevenlabs: readElevenLabsMessage,
};

/** The operator's log says this of a message, without a word of it. */
export type BridgeNote =
  | { readonly kind: "refused"; readonly platform: Platform; readonly reason: Refusal }
  | { readonly kind: "unreadable"; readonly platform: Platform; readonly places: readonly string[] }
  | {
      readonly kind: "attested";
      readonly platform: Platform;
      /** `sha256:` and the digest of the conversation's id. */
      readonly conversation: string;
      readonly isLive: boolean;
      readonly eventIds: readonly string[];
      readonly statements: number;
      readonly missed: number;
    }
  | {
      readonly kind: "failed";
      readonly platform: Platform;
      readonly conversation: string;
      readonly code: string;
      readonly status: number | null;
    };

export interface BridgeOptions {
  readonly settings: BridgeSettings;
  readonly secrets: PlatformSecrets;
  /** The service's address, without `/v1`. */
  readonly serviceUrl: string;
  /** A key with the scope `attest`. */
  readonly apiKey: string;
  readonly onNote: (note: BridgeNote) => void;
  readonly deadlineMs?: number;
}

export interface BridgeAnswer {
  readonly status: 200 | 400 | 401 | 404 | 413 | 422 | 502 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

export class Bridge {
  readonly #options: BridgeOptions;
  readonly #texts: readonly KnownText[];
  readonly #client: DisclosureClient;
  readonly #deadlineMs: number;
  /** The event ids of what this process recorded, by Idempotency-Key; null where another message was first. */
  readonly #recorded = new BoundedMap<string, string | null>(REMEMBERED);

  /** Throws `misconfigured` and `invalid_options`. */
  constructor(options: BridgeOptions) {
    const { settings, serviceUrl, apiKey, deadlineMs = BRIDGE_DEADLINE_MS } = options;
    this.#options = options;
    this.#deadlineMs = deadlineMs;
    this.#texts = knownTexts(settings);
    this.#client = new DisclosureClient({
      baseUrl: serviceUrl,
      apiKey,
      attempts: ATTEMPTS,
      timeoutMs: Math.min(ATTEMPT_MS, deadlineMs),
      deadlineMs,
      // A platform's ids are random; a remark about one is nothing that a platform could act on.
      onWarning: () => {},
    });
  }

  /** Answers one webhook. Throws only where its body can't be read to the end. */
  async answer(platformName: string, webhook: PlatformWebhook, now = new Date()): Promise<BridgeAnswer> {
    const platform = PLATFORMS.find((known) => known === platformName);
    if (platform === undefined) return refuse(404, "there is no such platform");
    const { secrets, settings, onNote } = this.#options;
    const body = await readSignedBody(platform, webhook, secrets[platform], now);
    if (typeof body === "string") {
      onNote({ kind: "refused", platform, reason: body });
      return REFUSALS[body];
    }
    const message = parseLoosely(body);
    if (message === undefined) return refuse(400, "the body is not JSON");
    const reading = READERS[platform](message, { now, vapi: settings.vapi });
    // Platforms want a 200 for what a receiver does not need.
    if (reading === null) return { status: 200, body: { event_ids: [], missed: 0 } };
    if ("turns" in reading) return this.#attest(reading);
    onNote({ kind: "unreadable", platform, places: reading.unreadable });
    return refuse(422, "the message has another form than is known");
  }

  async #attest(report: CallReport): Promise<BridgeAnswer> {
    const { platform, isLive } = report;
    const { statements, missed: begun } = recognise(report.turns, this.#texts);
    // While the call is under way, nobody knows yet what will be said again.
    const missed = isLive ? 0 : begun;
    const conversation = interactionId(report.callId);
    const named = { platform, conversation: formatDigest(hashBytes(utf8(conversation))) };
    const { onNote } = this.#options;
    try {
      const eventIds = report.isOnlyCounted ? [] : await this.#attestAll(report, statements, conversation);
      if (statements.length + missed > 0 || !isLive)
        onNote({ kind: "attested", ...named, isLive, eventIds, statements: statements.length, missed });
      return { status: 200, body: { event_ids: eventIds, missed } };
    } catch (error) {
      const { code, status } = isClientError(error) ? error : { code: nameOf(error), status: null };
      onNote({ kind: "failed", ...named, code, status });
      return isClientError(error) && code !== "undeliverable"
        ? refuse(502, "the service did not record it")
        : refuse(503, "the service can't record it now: send it again");
    }
  }

  /** One after the other, so that the turns of the conversation have their order. Throws as the client does. */
  async #attestAll(report: CallReport, statements: readonly SpokenStatement[], conversation: string) {
    const signal = AbortSignal.timeout(this.#deadlineMs);
    const eventIds: string[] = [];
    const times = new Map<string, number>();
    for (const statement of statements) {
      const { subject_hash: hash } = statement.text.disclosure;
      const time = (times.get(hash) ?? 0) + 1;
      times.set(hash, time);
      const key = ["bridge", report.platform, conversation, report.part, hash, time].join("|");
      const eventId = await this.#record(key, this.#requestOf(report, statement, conversation), signal);
      if (eventId !== null) eventIds.push(eventId);
    }
    return eventIds;
  }

  #requestOf(report: CallReport, statement: SpokenStatement, conversation: string): AttestationRequest {
    const { agents } = this.#options.settings;
    const { agent } = statement;
    // A platform may call an agent "constructor", too.
    const named = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
    return {
      interaction_id: conversation,
      agent_identity: agentIdentity(named ?? agent),
      ...statement.text.disclosure,
      disclosure_method: methodOf(statement, report),
      disclosed_at: statement.endedAt.toISOString(),
    };
  }

  /** Null where an earlier message about the same statement, with another time, was recorded. */
  async #record(key: string, request: AttestationRequest, signal: AbortSignal): Promise<string | null> {
    const known = this.#recorded.get(key);
    if (known !== undefined) return known;
    const eventId = await this.#client
      .attest(request, { idempotencyKey: key, signal })
      .then(({ event_id }) => event_id)
      .catch((error: unknown) => {
        if (isConflict(error)) return null;
        throw error;
      });
    this.#recorded.set(key, eventId);
    return eventId;
  }
}

const isConflict = (error: unknown): boolean =>
  isClientError(error, "refused") && problemSchema.safeParse(error.evidence).success;

const refuse = (status: Exclude<BridgeAnswer["status"], 200>, title: string): BridgeAnswer => ({
  status,
  body: { title },
});

const REFUSALS: Readonly<Record<Refusal, BridgeAnswer>> = {
  unsigned: refuse(401, "the signature is missing, wrong or old"),
  too_large: refuse(413, "the body is too large"),
};

/** `TimeoutError` where the time for the message was over. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Undefined for what is no JSON. A parser's own message would quote the text. */
function parseLoosely(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** The registered text's method, if the platform reported during the call. */
const methodOf = ({ text }: SpokenStatement, { isLive }: CallReport): string =>
  isLive ? text.disclosure.disclosure_method : REPORTED_METHOD;
