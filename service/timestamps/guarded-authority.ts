// The configured authorities, each behind its circuit. This module and its imports parse ASN.1 and are slow to load:
// import it when a token is due, not before.
import { formatBase64 } from "../../evidence/core/bytes.ts";
import type { TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import type { VerifiedTimestamp } from "../../evidence/core/timestamps/timestamp-token.ts";
import { type AuthorityContext, requestTimestamp, type StampSubject } from "./timestamp-authority.ts";
import { Circuit } from "./timestamp-circuit.ts";

/** Called for every attempt that failed, with the reason. */
export type OnAuthorityFailure = (url: string, error: unknown) => void;

export type AuthoritiesOptions = {
  /** URLs, in the order in which they are preferred. */
  readonly authorities: readonly string[];
  /** DER certificates. */
  readonly trustAnchors: readonly Uint8Array[];
  readonly clock: () => Date;
  readonly onFailure: OnAuthorityFailure;
  readonly fetch?: typeof globalThis.fetch;
};

/** A verified token over a root. */
export type Timestamp = {
  /** Base64 of the TimeStampToken's DER. */
  readonly timestamp_token: string;
  readonly tsa_url: string;
  /** RFC 3339, UTC. */
  readonly genTime: string;
} & TokenIssuer;

/** The issuer of a token: the trust anchor that it leads to and the key that signed it, each as a `sha256:`. */
export type TokenIssuer = Pick<VerifiedTimestamp, "trustAnchor" | "signer">;

/** Less than a round trip takes: asking with less time would only rest a healthy authority. */
const MIN_TIMEOUT_MS = 50;

export class GuardedAuthority {
  readonly url: string;
  readonly #context: AuthorityContext;
  readonly #onFailure: OnAuthorityFailure;
  readonly #circuit = new Circuit();

  constructor(url: string, context: AuthorityContext, onFailure: OnAuthorityFailure) {
    this.url = url;
    this.#context = context;
    this.#onFailure = onFailure;
  }

  /** False while it rests after a failure. */
  get isAvailable(): boolean {
    return this.#circuit.isAvailable;
  }

  /** A timestamp, or null: its faults are reported to `onFailure` and never thrown. */
  async ask(subject: StampSubject, timeoutMs: number): Promise<Timestamp | null> {
    if (timeoutMs < MIN_TIMEOUT_MS || !this.#circuit.enter()) return null;
    try {
      const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
      const { token, timestamp } = await requestTimestamp(this.url, subject, this.#context, signal);
      this.#circuit.succeed();
      const { genTime, trustAnchor, signer } = timestamp;
      return { timestamp_token: formatBase64(token), tsa_url: this.url, genTime, trustAnchor, signer };
    } catch (error) {
      this.#circuit.fail();
      this.#onFailure(this.url, error);
      return null;
    }
  }
}

export function openAuthorities(options: AuthoritiesOptions): readonly GuardedAuthority[] {
  const { authorities, trustAnchors, clock, onFailure, fetch = globalThis.fetch } = options;
  return authorities.map((url) => new GuardedAuthority(url, { trustAnchors, clock, fetch }, onFailure));
}

/** The timestamp as receipts and seals show it. */
export const formatTimestamp = ({ timestamp_token, tsa_url }: Timestamp): TsaTimestamp => ({
  status: "included",
  timestamp_token,
  tsa_url,
  covers: "merkle_root",
});
