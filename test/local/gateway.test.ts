import { expect, onTestFinished, test } from "vitest";
import { buildGateway } from "../../local/gateway.ts";
import { type Listening, listen } from "../../local/http-server.ts";

const PAGE = { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html>" };

/** A gateway with one static file and no handlers. */
async function serve(): Promise<Listening> {
  const unasked = () => expect.unreachable("no handler is asked for a file");
  const handlers = { api: new Map(), authorize: unasked, seal: unasked };
  const server = await listen(buildGateway(handlers, new Map([["/verify", PAGE]])));
  onTestFinished(server.close);
  return server;
}

test.each(["GET", "HEAD"])("%s of a static file is answered with its headers and length", async (method) => {
  const { url } = await serve();
  const response = await fetch(`${url}/verify`, { method });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html");
  expect(response.headers.get("content-length")).toBe(String(PAGE.body.length));
  expect(await response.text()).toBe(method === "GET" ? PAGE.body : "");
});

test("a static file takes no other method", async () => {
  const { url } = await serve();
  const response = await fetch(`${url}/verify`, { method: "POST" });
  expect(response.ok).toBe(false);
});
