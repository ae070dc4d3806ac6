// A chat whose every AI message carries its own receipt. This server keeps the API key; the browser never sees it.
//   API_KEY=$(cat .data/api-key) npx node examples/chat-widget/server.ts
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
// In your project: "disclosure-receipts/client/node".
import {
  type ComplianceReceipt,
  DisclosureClient,
  DurableQueue,
  hashWordingText,
  isClientError,
} from "../../clients/client/node.ts";

const { BASE_URL = "http://127.0.0.1:8787", API_KEY = "", QUEUE_FOLDER = ".data/chat-widget" } = process.env;
const PORT = Number(process.env.PORT ?? 8788);
/** A message waits no longer for its receipt; the disclosure is recorded all the same. */
const RECEIPT_PATIENCE_MS = Number(process.env.RECEIPT_PATIENCE_MS ?? 2_000);
const MAX_BODY_BYTES = 4_096;
/** The label that stands on every message, word for word. */
const LABEL = "AI system, not a human";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
const FILES = new Map([
  ["/", file("index.html", "text/html; charset=utf-8")],
  ["/widget.js", file("widget.js", "text/javascript; charset=utf-8")],
  ["/widget.css", file("widget.css", "text/css; charset=utf-8")],
]);
const CONVERSATION = /(?:^|; )conversation=([0-9a-f-]{36})(?:;|$)/;

if (API_KEY === "") {
  console.error("Give the API key that npm start prints, in API_KEY.");
  process.exit(2);
}

const waiting = new Map<string, (receipt: ComplianceReceipt | null) => void>();
const client = new DisclosureClient({ baseUrl: BASE_URL, apiKey: API_KEY });
// Through the queue, so that the turns stay in order and nothing is lost while the service is away.
const queue = new DurableQueue(client, {
  folder: QUEUE_FOLDER,
  onReceipt: (receipt, { idempotencyKey }) => waiting.get(idempotencyKey)?.(receipt),
  onHandover: ({ idempotencyKey }, error) => {
    console.error(`NOT RECORDED ${idempotencyKey} ${error.code}: ${error.message}`);
    waiting.get(idempotencyKey)?.(null);
  },
  onProblem: ({ code, message }) => console.error(`${code}: ${message}`),
});

/** Records that the label was shown. Null where the receipt comes later. */
async function attest(conversation: string): Promise<ComplianceReceipt | null> {
  const idempotencyKey = randomUUID();
  const { promise, resolve } = Promise.withResolvers<ComplianceReceipt | null>();
  const timer = setTimeout(resolve, RECEIPT_PATIENCE_MS, null);
  waiting.set(idempotencyKey, resolve);
  const request = {
    interaction_id: conversation,
    modality: "chat",
    article_50_clause: "1",
    disclosure_method: "visual_label",
    agent_identity: "widgets/support",
    jurisdiction: "DE",
    subject_hash: hashWordingText(LABEL),
  } as const;
  void queue.add(request, { idempotencyKey });
  return promise.finally(() => {
    clearTimeout(timer);
    waiting.delete(idempotencyKey);
  });
}

/** Your model goes here. */
const replyTo = (text: string): string => `You wrote ${text.length} characters. A real agent would say more.`;

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    const isUnknown = isClientError(error, "refused") && error.status === 404;
    if (!isUnknown) console.error(error instanceof Error ? error.message : error);
    if (response.headersSent) return;
    sendJson(response, isUnknown ? 404 : 502, {
      error: isUnknown ? "there is no receipt yet" : "please try again",
    });
  });
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path = "/" } = request;
  // In a cookie that no script can read: it opens the receipts of this conversation and of no other.
  const known = CONVERSATION.exec(request.headers.cookie ?? "")?.[1];
  const conversation = known ?? randomUUID();
  response.setHeader("set-cookie", `conversation=${conversation}; Path=/; HttpOnly; SameSite=Strict`);
  const asset = FILES.get(path);
  if (method === "GET" && asset !== undefined) response.writeHead(200, asset.headers).end(asset.body);
  else if (method === "POST" && path === "/api/messages") await answer(request, response, conversation);
  else if (method === "GET" && path === "/api/receipts")
    sendJson(response, 200, await client.interaction(conversation));
  else sendJson(response, 404, { error: "there is nothing here" });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  conversation: string,
): Promise<void> {
  const text = await readText(request);
  if (text === null) return sendJson(response, 400, { error: "expected { text }" });
  const receipt = await attest(conversation);
  sendJson(response, 200, { text: replyTo(text), label: LABEL, receipt, verify: `${BASE_URL}/verify` });
}

/** Null for anything but JSON with a text; what is too long is not read to its end. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  try {
    const { text } = JSON.parse(Buffer.concat(parts).toString());
    return typeof text === "string" && text.trim() !== "" ? text : null;
  } catch {
    return null;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { ...HEADERS, "content-type": "application/json" }).end(JSON.stringify(body));
}

function file(name: string, type: string): { body: Buffer; headers: Record<string, string> } {
  const body = readFileSync(new URL(name, import.meta.url));
  return { body, headers: { ...HEADERS, "content-type": type } };
}

server.listen(PORT, "127.0.0.1", () => {
  console.log(`chat       http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close();
    server.closeIdleConnections();
    await queue.close();
    process.exit();
  });
}
