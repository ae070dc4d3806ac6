// A receiver of webhooks on this machine. It checks each message as a stranger would, with the standard's own library, and
// answers as a test wants.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { WEBHOOK_SCHEMAS, type WebhookBody } from "../../evidence/core/formats/webhooks.ts";

export interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: WebhookBody;
}

export type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "hangs"
  | "breaks off";

export class WebhookReceiver {
  readonly received: Received[] = [];
  /** The answer to the next messages. */
  answer: (received: Received) => Answer = () => ({ status: 204 });
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const received = {
      id: String(request.headers["webhook-id"]),
      headers: request.headers,
      text,
      body: parse(text),
    };
    this.received.push(received);
    const answer = this.answer(received);
    if (answer === "breaks off") return request.socket.destroy();
    if (answer === "hangs") return;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((ready) => receiver.#server.listen(0, "127.0.0.1", ready));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** The ids of the receipts that were told as sealed, each once, in the order in which they were first told. */
  get sealedIds(): string[] {
    const bodies = this.received.map(({ body }) => body).filter(({ type }) => type === "receipts.sealed");
    return [...new Set(bodies.flatMap(({ data }) => ("event_ids" in data ? data.event_ids : [])))];
  }

  /** The ids of the receipts whose verdict was told, as above. */
  get verdictIds(): string[] {
    const bodies = this.received.map(({ body }) => body).filter(({ type }) => type === "receipt.verdict");
    return [...new Set(bodies.flatMap(({ data }) => ("event_id" in data ? data.event_id : [])))];
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

function parse(text: string): WebhookBody {
  const body = JSON.parse(text) as WebhookBody;
  return WEBHOOK_SCHEMAS[body.type].parse(body) as WebhookBody;
}

/** Whether a message is signed under this secret, by the standard's library, at the time that the message says. */
export function isSignedUnder(
  secret: string,
  { headers, text }: Pick<Received, "headers" | "text">,
): boolean {
  const sentAt = Number(headers["webhook-timestamp"]) * 1_000;
  const now = Date.now;
  // The library judges the time by the clock of this machine; ledgers of tests have one of their own.
  Date.now = () => sentAt;
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>) !== undefined;
  } catch {
    return false;
  } finally {
    Date.now = now;
  }
}
