// Receives the messages of a webhook (docs/events.md): checks the signature, the time, and whether it has seen the message.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const MAX_AGE_SECONDS = 300;
const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? "").replace("whsec_", ""), "base64");
const seen = new Set<string>(); // A real receiver keeps the ids for some days, where all of its processes see them.

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const [id, time, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(request.headers[`webhook-${name}`]),
  );
  const expected = Buffer.from(
    `v1,${createHmac("sha256", secret).update(`${id}.${time}.${body}`).digest("base64")}`,
  );
  const isOurs = signatures
    ?.split(" ")
    .some((each) => each.length === expected.length && timingSafeEqual(Buffer.from(each), expected));
  if (!isOurs || Math.abs(Date.now() / 1_000 - Number(time)) > MAX_AGE_SECONDS)
    return response.writeHead(401).end();
  if (!seen.has(String(id))) console.log(body);
  seen.add(String(id));
  response.writeHead(204).end();
});
server.listen(Number(process.env.PORT ?? 8090), "127.0.0.1", () =>
  console.log("listening", server.address()),
);
