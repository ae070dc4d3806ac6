import { expect, onTestFinished, test } from "vitest";
import { withPublicFiles } from "../../../host/local/public-files.ts";
import { buildGateway } from "../../../host/server/gateway.ts";
import { type Listening, listen } from "../../../host/server/http-server.ts";

const PAGE = { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html>" };

const TILE = Uint8Array.of(0, 255, 10);
const LOG_FILES = ["tile/0/x001/067.p/1", "signed-roots/7"];

/** A gateway with one static file, one of each of the log's, and no handlers but that for what is not there. */
async function serve(): Promise<Listening> {
  const unasked = () => expect.unreachable("no handler is asked for a file");
  const notFound = async () => ({ statusCode: 404, body: "" });
  const api = new Map(["not-found", "seal-checkpoint"].map((handler) => [handler, notFound]));
  const gateway = buildGateway({ api, authorize: unasked });
  const readLogFile = async (path: string) => (LOG_FILES.includes(path) ? TILE : null);
  const server = await listen(withPublicFiles(gateway, new Map([["/verify", PAGE]]), readLogFile));
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

test("a path that is longer than any file's is not looked up in the object store, which would refuse it", async () => {
  const api = () => ({ status: 404 });
  const readLogFile = () => expect.unreachable("the object store takes no name of this length");
  const { url, close } = await listen(withPublicFiles(api, new Map(), readLogFile));
  onTestFinished(close);
  expect((await fetch(`${url}/v1/metachain/tile/0/000${"/a".repeat(700)}`)).status).toBe(404);
});

test("a static file takes no other method", async () => {
  const { url } = await serve();
  const response = await fetch(`${url}/verify`, { method: "POST" });
  expect(response.ok).toBe(false);
});

test.each(LOG_FILES)(
  "%s is served out of the object store as it is, for a year, to any page",
  async (path) => {
    const { url } = await serve();
    const response = await fetch(`${url}/v1/metachain/${path}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "cache-control": "public, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
    });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(TILE);
  },
);

test.each(
  ["tile/0/000", "tile/", "signed-roots/8", "checkpoints/7", "checkpoint/7"].map(
    (path) => `/v1/metachain/${path}`,
  ),
)("%s, where there is no file, is answered by the API", async (path) => {
  const { url } = await serve();
  expect((await fetch(url + path)).status).toBe(404);
});
