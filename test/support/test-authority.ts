// A timestamp authority that behaves as a test tells it to, and its trust anchor as a file.
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll } from "vitest";
import {
  createIdentity,
  parseIdentity,
  type TimestampIdentity,
} from "../../host/local/timestamp-identity.ts";
import { answerTimeStampReq } from "../../host/local/timestamp-response.ts";
import { type Listening, listen, type Reply, readBody } from "../../host/server/http-server.ts";
import { newFolder } from "./local-stack.ts";

/** What an authority does with a TimeStampReq. */
export type Behaviour = (request: Uint8Array) => Reply | Promise<Reply>;

const MAX_REQUEST_BYTES = 1024;
const GONE: Reply = { status: 503 };
const started: TestAuthority[] = [];

afterAll(async () => {
  await Promise.all(started.map((authority) => authority.stop()));
});

export const newIdentity = (): TimestampIdentity => parseIdentity(createIdentity(new Date()));

/** The form that RFC 3161 prescribes, with whatever in it. */
export const replyWith = (body: string | Uint8Array): Reply => ({
  status: 200,
  headers: { "content-type": "application/timestamp-reply" },
  body,
});

/** What an authority answers that is who `identity` says. */
export const stampingAs =
  (identity: TimestampIdentity): Behaviour =>
  (request) =>
    replyWith(answerTimeStampReq(request, identity, new Date()));

/** Says nothing for as long as anybody waits. */
export const silence: Behaviour = () => new Promise(() => {});

export class TestAuthority {
  /** PEM of the certificate that the authority's own tokens lead to. */
  readonly caFile = join(newFolder(), "ca.pem");
  /** Every TimeStampReq that came. */
  readonly requests: Buffer[] = [];
  readonly url: string;
  readonly #identity: TimestampIdentity;
  #server: Listening;
  #behaviour: Behaviour = silence;
  #changed = Promise.withResolvers<Reply>();

  private constructor(server: Listening, identity: TimestampIdentity) {
    this.#server = server;
    this.#identity = identity;
    this.url = server.url;
    writeFileSync(this.caFile, identity.caCertificatePem);
    this.recover();
  }

  /** One that works, until it is told otherwise. */
  static async start(): Promise<TestAuthority> {
    const server = await listen((request) => authority.#answer(request));
    const authority = new TestAuthority(server, newIdentity());
    started.push(authority);
    return authority;
  }

  /** Who still waits for an answer of the old behaviour is turned away. */
  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour;
    this.#changed.resolve(GONE);
    this.#changed = Promise.withResolvers();
  }

  recover(): void {
    this.behave(stampingAs(this.#identity));
  }

  /** Nothing listens at the URL any more. */
  async stop(): Promise<void> {
    this.#changed.resolve(GONE);
    await this.#server.close();
  }

  /** Listens at the same URL again. */
  async restart(): Promise<void> {
    this.#server = await listen((request) => this.#answer(request), this.#server.port);
  }

  async #answer(request: IncomingMessage): Promise<Reply> {
    const body = Buffer.from(await readBody(request, MAX_REQUEST_BYTES));
    this.requests.push(body);
    return Promise.race([this.#behaviour(body), this.#changed.promise]);
  }
}
