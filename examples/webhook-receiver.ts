// Receives the messages of a webhook (docs/events.md): checks the signature, the time, and whether it has seen the message.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

const MAX_AGE_SECONDS = 300;
const MAX_BODY_BYTES = 64 * 1_024;
const { WEBHOOK_SECRET = "", PORT = "8090" } = process.env;
const secret = Buffer.from(WEBHOOK_SECRET.replace("whsec_", ""), "base64");
const seen = new Set<string>(); // A real receiver keeps the ids for some days, where all of its processes see them.

// Under an empty secret everybody could sign.
if (secret.length === 0) {
  console.error("Give the webhook's secret, whsec_…, in WEBHOOK_SECRET.");
  process.exit(2);
}

/** The status of the answer. Throws where the sender goes away before its end. */
async function receive(request: IncomingMessage): Promise<number> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return 413;
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  const [id, time, signatures = ""] = ["id", "timestamp", "signature"].map((name) =>
    String(request.headers[`webhook-${name}`]),
  );
  const code = createHmac("sha256", secret).update(`${id}.${time}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${code}`);
  const isOurs = signatures
    .split(" ")
    .map((each) => Buffer.from(each))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  if (!isOurs || Math.abs(Date.now() / 1_000 - Number(time)) > MAX_AGE_SECONDS) return 401;
  if (!seen.has(String(id))) console.log(body.toString());
  seen.add(String(id));
  return 204;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});
server.listen(Number(PORT), "127.0.0.1", () => console.log("listening", server.address()));
