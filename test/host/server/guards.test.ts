// Who gets past the guards of a server that strangers can reach, and what the others learn.
import { once } from "node:events";
import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { HEALTH_PATH, ORIGIN_SECRET_HEADER } from "../../../contract/web-runtime.ts";
import { limitRequests, requireOriginSecret, withHealth } from "../../../host/server/guards.ts";
import { type HttpHandler, type Listening, listen } from "../../../host/server/http-server.ts";
import { readProblem } from "../../support/api-client.ts";

const [CURRENT, PREVIOUS] = ["c".repeat(32), "p".repeat(32)];

async function serve(handler: HttpHandler): Promise<Listening> {
  const server = await listen(handler);
  onTestFinished(server.close);
  return server;
}

const call = ({ url }: Listening, secret: string | null, path = "/v1/attestation") =>
  fetch(url + path, { headers: secret === null ? {} : { [ORIGIN_SECRET_HEADER]: secret } });

test.each([null, "", "c".repeat(31), "c".repeat(33), "C".repeat(32), `${CURRENT}, ${CURRENT}`])(
  "a request with the secret %j is refused with 403, and reaches nobody",
  async (secret) => {
    const reached = () => expect.unreachable("the request was let in");
    const server = await serve(requireOriginSecret(reached, [CURRENT, PREVIOUS]));
    const response = await call(server, secret);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await readProblem(response)).toMatchObject({ status: 403, type: "/v1/problems#forbidden" });
  },
);

test.each([CURRENT, PREVIOUS])("the secret %s opens, and goes no further itself", async (secret) => {
  const seen: unknown[] = [];
  const server = await serve(
    requireOriginSecret(
      ({ headers }) => {
        seen.push(headers[ORIGIN_SECRET_HEADER]);
        return { status: 204 };
      },
      [CURRENT, PREVIOUS],
    ),
  );
  expect((await call(server, secret)).status).toBe(204);
  expect(seen).toEqual([undefined]);
});

test("a secret that is sent twice is none", async () => {
  const server = await serve(requireOriginSecret(() => ({ status: 204 }), [CURRENT]));
  const outgoing = request(server.url, { headers: { [ORIGIN_SECRET_HEADER]: [CURRENT, CURRENT] } }).end();
  const [response] = await once(outgoing, "response");
  response.resume();
  expect(response.statusCode).toBe(403);
});

test("one request more than the limit is answered 503 with Retry-After, and the next one is let in again", async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const slow: HttpHandler = async () => {
    begun++;
    await gate.promise;
    return { status: 200 };
  };
  const server = await serve(limitRequests(slow, 2));
  const first = [call(server, null), call(server, null)];
  await expect.poll(() => begun).toBe(2);
  const refused = await call(server, null);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(await readProblem(refused)).toMatchObject({ status: 503 });
  gate.resolve();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await call(server, null)).status).toBe(200);
  expect(begun).toBe(3);
});

test("a request that fails makes room for the next one", async () => {
  const failing = limitRequests(async () => Promise.reject(new Error("broken")), 1);
  const incoming = {} as Parameters<HttpHandler>[0];
  for (const _ of [1, 2]) await expect(failing(incoming)).rejects.toThrow("broken");
});

test("the health check needs no secret and says only that the process is up", async () => {
  const server = await serve(withHealth(requireOriginSecret(() => ({ status: 204 }), [CURRENT])));
  const healthy = await call(server, null, HEALTH_PATH);
  expect([healthy.status, await healthy.text()]).toEqual([200, "up\n"]);
  expect((await call(server, null, `${HEALTH_PATH}/v1`)).status).toBe(403);
  const posted = await fetch(server.url + HEALTH_PATH, { method: "POST" });
  expect(posted.status).toBe(403);
});
