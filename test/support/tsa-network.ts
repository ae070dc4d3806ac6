// Timestamp authorities without a network: a `fetch` that answers for each URL as its authority behaves.
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import {
  createIdentity,
  parseIdentity,
  type TimestampIdentity,
} from "../../host/local/timestamp-identity.ts";
import { answerTimeStampReq } from "../../host/local/timestamp-response.ts";

/** What an authority makes of a request; what it throws is a broken connection. */
export type Answer = (request: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>;

export const down: Answer = () => {
  throw new TypeError("fetch failed");
};

/** The authority of these tests that never says anything: it is waited for until the caller gives up. */
export const silent: Answer = () => new Promise(() => {});

export class TsaNetwork {
  readonly #clock: () => Date;
  readonly #answers = new Map<string, Answer>();
  /** Every URL that was asked, in order. */
  readonly asked: string[] = [];

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  newIdentity(): TimestampIdentity {
    return parseIdentity(createIdentity(this.#clock()));
  }

  /** From now on this authority answers so at `url`. */
  set(url: string, answer: Answer): void {
    this.#answers.set(url, answer);
  }

  /** As it should be: by its own key and the right clock. */
  honest =
    (identity: TimestampIdentity): Answer =>
    (request) =>
      answerTimeStampReq(request, identity, this.#clock());

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    this.asked.push(url);
    const answering = this.#answers.get(url) ?? down;
    const request = new Uint8Array(init?.body as Uint8Array<ArrayBuffer>);
    const body = await Promise.race([answering(request), abortOf(init?.signal)]);
    return new Response(new Uint8Array(body), { headers: { "content-type": "application/timestamp-reply" } });
  };
}

function abortOf(signal: AbortSignal | null | undefined): Promise<never> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

export const anchorsOf = (...identities: TimestampIdentity[]): Uint8Array[] =>
  identities.flatMap(({ caCertificatePem }) => parseCertificatesPem(caCertificatePem));
