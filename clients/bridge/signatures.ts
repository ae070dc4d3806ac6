// The signatures of webhooks, which say who sent them: each platform's own scheme, HMAC-SHA256 over the bytes that came and the time at which it signed.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Platform } from "../../contract/bridge-settings.ts";
import { MINUTE_MS, SECOND_MS } from "../../contract/time.ts";

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
const DIGEST = /^[0-9a-f]{64}$/i;
const DIGITS = /^\d{1,15}$/;

export interface SignedWebhook {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** A header, taken apart: what was signed before and after the body, when, and the digests that are said to fit. */
interface Signature {
  readonly prefix: string;
  readonly suffix: string;
  readonly signedAt: number;
  readonly digests: readonly string[];
}

type ReadSignature = (headers: SignedWebhook["headers"]) => Signature | null;

const READERS: Readonly<Record<Platform, ReadSignature>> = {
  vapi: readVapi,
  retell: readRetell,
  elevenlabs: readElevenLabs,
};

/** True if the platform signed this lately, with one of the secrets. */
export function isSigned(
  platform: Platform,
  { headers, body }: SignedWebhook,
  secrets: readonly string[],
  now: Date,
): boolean {
  const signature = READERS[platform](headers);
  if (signature === null) return false;
  const age = now.getTime() - signature.signedAt;
  if (age > MAX_AGE_MS[platform] || age < -MAX_AHEAD_MS) return false;
  // Every pair is compared, so that the time does not tell which secret it was. With an empty one everybody could sign.
  const matches = secrets
    .filter((secret) => secret !== "")
    .flatMap((secret) => signature.digests.filter((digest) => fits(signature, body, { secret, digest })));
  return matches.length > 0;
}

function fits(
  { prefix, suffix }: Signature,
  body: Uint8Array,
  { secret, digest }: { readonly secret: string; readonly digest: string },
): boolean {
  if (!DIGEST.test(digest)) return false;
  const expected = createHmac("sha256", secret).update(prefix).update(body).update(suffix).digest();
  return timingSafeEqual(expected, Buffer.from(digest, "hex"));
}

/** `x-signature` and `x-timestamp`: the defaults of a credential of type HMAC, which signs `{timestamp}.{body}`. */
function readVapi(headers: SignedWebhook["headers"]): Signature | null {
  const { "x-signature": digest, "x-timestamp": time } = headers;
  if (digest === undefined || time === undefined) return null;
  const number = DIGITS.test(time) ? Number(time) : Date.parse(time);
  if (Number.isNaN(number)) return null;
  const isInSeconds = DIGITS.test(time) && number < FIRST_MILLISECONDS;
  const signedAt = isInSeconds ? number * SECOND_MS : number;
  return { prefix: `${time}.`, suffix: "", signedAt, digests: [digest] };
}

/** `x-retell-signature: v=<milliseconds>,d=<hex>`, which signs `{body}{timestamp}`. */
function readRetell({ "x-retell-signature": header = "" }: SignedWebhook["headers"]): Signature | null {
  const [, time, digest] = /^v=(\d{1,15}),d=([0-9a-f]+)$/i.exec(header) ?? [];
  if (time === undefined || digest === undefined) return null;
  return { prefix: "", suffix: time, signedAt: Number(time), digests: [digest] };
}

/** `elevenlabs-signature: t=<seconds>,v0=<hex>`, which signs `{timestamp}.{body}`. */
function readElevenLabs({ "elevenlabs-signature": header = "" }: SignedWebhook["headers"]): Signature | null {
  const parts = header.split(",").map((part) => part.trim());
  const of = (name: string): string[] =>
    parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
  const [time = ""] = of("t=");
  if (!DIGITS.test(time)) return null;
  return { prefix: `${time}.`, suffix: "", signedAt: Number(time) * SECOND_MS, digests: of("v0=") };
}
