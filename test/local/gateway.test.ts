import { expect, onTestFinished, test } from "vitest";
import { buildGateway } from "../../local/gateway.ts";
import { type Listening, listen } from "../../local/http-server.ts";

const PAGE = { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html>" };

const TILE = Uint8Array.of(0, 255, 10);
const LOG_FILES = ["tile/0/x001/067.p/1", "signed-roots/7", "checkpoints/7", "checkpoint"];

/** A gateway with one static file, one of each of the log's, and no handlers but that for what is not there. */
async function serve(): Promise<Listening> {
  const unasked = () => expect.unreachable("no handler is asked for a file");
  const notFound = async () => ({ statusCode: 404, body: "" });
  const api = new Map(["not-found", "seal-checkpoint"].map((handler) => [handler, notFound]));
  const handlers = { api, authorize: unasked, seal: unasked };
  const readLogFile = async (path: string) => (LOG_FILES.includes(path) ? TILE : null);
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

const YEAR = "public, max-age=31536000, immutable";

test.each([
  [LOG_FILES[0], "application/octet-stream", YEAR],
  [LOG_FILES[1], "application/octet-stream", YEAR],
  [LOG_FILES[2], "text/plain; charset=utf-8", YEAR],
  [LOG_FILES[3], "text/plain; charset=utf-8", "public, max-age=5"],
])("the log's file %s is served out of the object store as it is, as %s, to any page", async (...file) => {
  const [path, type, cache] = file;
  const { url } = await serve();
  const response = await fetch(`${url}/v1/metachain/${path}`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": type,
    "cache-control": cache,
    "access-control-allow-origin": "*",
  });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(TILE);
});

test.each(
  ["tile/0/000", "tile/", "checkpoints/8", "checkpoint/7", "checkpoints/"].map(
    (path) => `/v1/metachain/${path}`,
  ),
)("%s, where there is no file, is answered by the API", async (path) => {
  const { url } = await serve();
  expect((await fetch(url + path)).status).toBe(404);
});
