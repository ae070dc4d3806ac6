// The signatures of webhooks, which say who sent them: each platform's own scheme, HMAC-SHA256 over the bytes that came and the time at which it signed.
import { createHmac, timingSafeEqual } from "node:crypto";
import { MAX_WEBHOOK_BODY_BYTES, type Platform } from "../../contract/bridge-settings.ts";
import { MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";

/** How old a signature may be, as each platform's SDK has it; Vapi leaves that to the receiver. */
const MAX_AGE_MS: Readonly<Record<Platform, number>> = {
  vapi: 5 * MINUTE_MS,
  retell: 5 * MINUTE_MS,
  elevenlabs: 30 * MINUTE_MS,
};
/** A platform's clock may be ahead of ours. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;
/** Vapi does not say in which unit its time is. From this number on it can't be seconds. */
const FIRST_MILLISECONDS = 100_000_000_000;
/** ElevenLabs sends two while a secret is changed. */
const MAX_DIGESTS = 4;
const DIGEST = /^[0-9a-f]{64}$/i;
const DIGITS = /^\d{1,15}$/;

/** By their names in lower case. */
export type WebhookHeaders = Readonly<Record<string, string | undefined>>;

export interface PlatformWebhook {
  readonly headers: WebhookHeaders;
  /** Throws `payload_too_large` for a body that is longer. */
  readonly readBody: (maxBytes: number) => Uint8Array | Promise<Uint8Array>;
}

export type Refusal = "unsigned" | "too_large";

/** A header, taken apart: what was signed before and after the body, when, and the digests that are said to fit. */
interface Signature {
  readonly prefix: string;
  readonly suffix: string;
  readonly signedAt: number;
  readonly digests: readonly string[];
}

type ReadSignature = (headers: WebhookHeaders) => Signature | null;

const READERS: Readonly<Record<Platform, ReadSignature>> = {
  vapi: readVapi,
  retell: readRetell,
  elevenlabs: readElevenLabs,
};

/** The body, if the platform signed it lately with one of the secrets. It is not read where the headers can't be right. */
export async function readSignedBody(
  platform: Platform,
  { headers, readBody }: PlatformWebhook,
  secrets: readonly string[],
  now: Date,
): Promise<Uint8Array | Refusal> {
  const signature = secrets.length === 0 ? null : readSignature(platform, headers, now);
  if (signature === null) return "unsigned";
  try {
    const body = await readBody(MAX_WEBHOOK_BODY_BYTES);
    return isSigned(signature, body, secrets) ? body : "unsigned";
  } catch (error) {
    if (isDisclosureError(error, "payload_too_large")) return "too_large";
    throw error;
  }
}

/** What the headers claim; null where they have another form than the platform's, or another time than now. */
export function readSignature(platform: Platform, headers: WebhookHeaders, now: Date): Signature | null {
  const signature = READERS[platform](headers);
  if (signature === null || !isWellFormed(signature)) return null;
  const age = now.getTime() - signature.signedAt;
  return age > MAX_AGE_MS[platform] || age < -MAX_AHEAD_MS ? null : signature;
}

const isWellFormed = ({ digests }: Signature): boolean =>
  digests.length > 0 && digests.length <= MAX_DIGESTS && digests.every((digest) => DIGEST.test(digest));

/** True if one of the secrets signed this body. The body is hashed once for each secret, whatever the header claims. */
export function isSigned(
  { prefix, suffix, digests }: Signature,
  body: Uint8Array,
  secrets: readonly string[],
): boolean {
  const claimed = digests.map((digest) => Buffer.from(digest, "hex"));
  // Every pair is compared, so that the time does not tell which secret it was. With an empty one everybody could sign.
  const matches = secrets
    .filter((secret) => secret !== "")
    .map((secret) => createHmac("sha256", secret).update(prefix).update(body).update(suffix).digest())
    .flatMap((expected) => claimed.filter((digest) => timingSafeEqual(expected, digest)));
  return matches.length > 0;
}

/** `x-signature` and `x-timestamp`: the defaults of a credential of type HMAC, which signs `{timestamp}.{body}`. */
function readVapi(headers: WebhookHeaders): Signature | null {
  const { "x-signature": digest, "x-timestamp": time } = headers;
  if (digest === undefined || time === undefined) return null;
  const number = DIGITS.test(time) ? Number(time) : Date.parse(time);
  if (Number.isNaN(number)) return null;
  const isInSeconds = DIGITS.test(time) && number < FIRST_MILLISECONDS;
  const signedAt = isInSeconds ? number * SECOND_MS : number;
  return { prefix: `${time}.`, suffix: "", signedAt, digests: [digest] };
}

/** `x-retell-signature: v=<milliseconds>,d=<hex>`, which signs `{body}{timestamp}`. */
function readRetell({ "x-retell-signature": header = "" }: WebhookHeaders): Signature | null {
  const [, time, digest] = /^v=(\d{1,15}),d=([0-9a-f]+)$/i.exec(header) ?? [];
  if (time === undefined || digest === undefined) return null;
  return { prefix: "", suffix: time, signedAt: Number(time), digests: [digest] };
}

/** `elevenlabs-signature: t=<seconds>,v0=<hex>`, which signs `{timestamp}.{body}`. */
function readElevenLabs({ "elevenlabs-signature": header = "" }: WebhookHeaders): Signature | null {
  const parts = header.split(",").map((part) => part.trim());
  const of = (name: string): string[] =>
    parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
  const [time = ""] = of("t=");
  if (!DIGITS.test(time)) return null;
  return { prefix: `${time}.`, suffix: "", signedAt: Number(time) * SECOND_MS, digests: of("v0=") };
}
