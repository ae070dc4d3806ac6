import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { type HttpHandler, listen, readBody } from "../../../host/server/http-server.ts";

async function serve(handler: HttpHandler) {
  const server = await listen(handler);
  onTestFinished(server.close);
  return server;
}

test("a request gets the handler's status, headers and body", async () => {
  const { url } = await serve(() => ({ status: 201, headers: { "x-kind": "test" }, body: "größe" }));
  const response = await fetch(url);
  expect(response.status).toBe(201);
  expect(response.headers.get("x-kind")).toBe("test");
  expect(response.headers.get("content-length")).toBe("7");
  expect(await response.text()).toBe("größe");
});

test("HEAD announces the length of the body and sends none", async () => {
  const { url } = await serve(() => ({ status: 200, body: "12345" }));
  const response = await fetch(url, { method: "HEAD" });
  expect(response.headers.get("content-length")).toBe("5");
  expect(await response.text()).toBe("");
});

test("a port in use is named, with the way out", async () => {
  const { port } = await serve(() => ({ status: 200 }));
  await expect(listen(() => ({ status: 200 }), port)).rejects.toMatchObject({
    code: "misconfigured",
    message: `port ${port} is in use; set PORT to another`,
  });
});

test("a body at the limit is read and one over it is answered 413", async () => {
  const { url } = await serve(async (request) => ({ status: 200, body: await readBody(request, 10) }));
  const post = (body: string) => fetch(url, { method: "POST", body });
  expect(await (await post("0123456789")).text()).toBe("0123456789");
  expect((await post("0123456789a")).status).toBe(413);
  expect((await post("x".repeat(2_000_000))).status).toBe(413);
});

test("close does not wait for an idle kept-alive connection", async () => {
  // Left to itself, Node would end the connection only after the test's own end.
  const server = await listen(() => ({ status: 204 }), 0, { http: { keepAliveTimeout: 3_600_000 } });
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(socket, "data");
  const ended = once(socket, "close");
  socket.resume();
  // The deadline for requests under way never comes, so nothing but the close itself can end the connection.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await server.close();
  await ended;
});

test("close does not wait for a connection over which nothing was sent", async () => {
  const server = await listen(() => ({ status: 204 }), 0, { closeGraceMs: 3_600_000 });
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  // The server has taken the connection before it answers a later one.
  await fetch(server.url);
  const ended = once(socket, "close");
  socket.resume();
  await server.close();
  await ended;
});

test("close lets a request under way have its answer, and then ends its connection", async () => {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const server = await listen(async () => {
    arrived.resolve();
    await gate.promise;
    return { status: 200, body: "late" };
  });
  const response = fetch(server.url);
  await arrived.promise;
  const closed = server.close();
  gate.resolve();
  expect(await (await response).text()).toBe("late");
  expect((await response).headers.get("connection")).toBe("close");
  await closed;
  await expect(fetch(server.url)).rejects.toThrow();
});

test("close ends a request that never comes to its end", async () => {
  const server = await listen(async (request) => ({ status: 200, body: await readBody(request, 100) }));
  const socket = connect(server.port, "127.0.0.1").on("error", () => {});
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf");
  await once(socket, "connect");
  const ended = once(socket, "close");
  await server.close();
  await ended;
});
