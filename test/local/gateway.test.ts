import { expect, onTestFinished, test } from "vitest";
import { buildGateway } from "../../local/gateway.ts";
import { type Listening, listen } from "../../local/http-server.ts";

const PAGE = { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html>" };

const TILE = Uint8Array.of(0, 255, 10);

/** A gateway with one static file, one tile, and no handlers but that for what is not there. */
async function serve(): Promise<Listening> {
  const unasked = () => expect.unreachable("no handler is asked for a file");
  const notFound = async () => ({ statusCode: 404, body: "" });
  const handlers = { api: new Map([["not-found", notFound]]), authorize: unasked, seal: unasked };
  const readLogFile = async (path: string) => (path === "tile/0/x001/067.p/1" ? TILE : null);
  const server = await listen(buildGateway(handlers, new Map([["/verify", PAGE]]), readLogFile));
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

test("a tile is served out of the object store as it is, for a year, to any page", async () => {
  const { url } = await serve();
  const response = await fetch(`${url}/v1/metachain/tile/0/x001/067.p/1`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "cache-control": "public, max-age=31536000, immutable",
    "access-control-allow-origin": "*",
  });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(TILE);
});

test.each(["/v1/metachain/tile/0/000", "/v1/metachain/tile/"])(
  "%s, where there is no tile, is answered by the API",
  async (path) => {
    const { url } = await serve();
    expect((await fetch(url + path)).status).toBe(404);
  },
);
