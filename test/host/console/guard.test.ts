// The console answers its own page and whoever types its address on this machine, and nobody else.
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { startConsole } from "../../../host/console/console-server.ts";
import { operatorOf, serveConsole, stack } from "./world.ts";

const OVERVIEW = "/console/overview";
const operator = operatorOf(await stack.newLedger({ isSigned: false }));

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A request with exactly these headers, as no browser would let a page send it. */
function send(
  port: number,
  headers: Record<string, string>,
  { method = "GET", path = OVERVIEW } = {},
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const sent = request({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => {
      const { statusCode: status = 0, headers } = answer;
      resolve({ status, headers, body: Buffer.concat(chunks).toString() });
    });
  });
  sent.on("error", reject).end();
  return promise;
}

test.each([
  ["127.0.0.1", {}],
  ["localhost", {}],
  ["127.0.0.1", { "sec-fetch-site": "none" }],
  ["127.0.0.1", { "sec-fetch-site": "same-origin" }],
])("answers whoever asks for %s with %j", async (name, headers) => {
  const { port } = await serveConsole(operator);
  const { status, body } = await send(port, { host: `${name}:${port}`, ...headers });
  expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ name: "tests" })]);
});

test.each([
  ["a name of somebody else's that leads here", { host: "evil.example" }, 421],
  ["such a name with the port", { host: "evil.example:PORT" }, 421],
  ["a name that begins like ours", { host: "127.0.0.1:PORT.evil.example" }, 421],
  ["our name with another port", { host: "127.0.0.1:1" }, 421],
  ["another name of this machine", { host: "127.0.0.2:PORT" }, 421],
  ["a page of another origin", { host: "127.0.0.1:PORT", origin: "https://evil.example" }, 403],
  ["a page without an origin", { host: "127.0.0.1:PORT", origin: "null" }, 403],
  ["a page of another port of this machine", { host: "127.0.0.1:PORT", origin: "http://127.0.0.1:1" }, 403],
  ["our page under the other name", { host: "127.0.0.1:PORT", origin: "http://localhost:PORT" }, 403],
  ["another site, by a link or a picture", { host: "127.0.0.1:PORT", "sec-fetch-site": "cross-site" }, 403],
  ["another port of this machine", { host: "127.0.0.1:PORT", "sec-fetch-site": "same-site" }, 403],
])("refuses %s, for data and for the pages", async (_, headers, expected) => {
  const { port } = await serveConsole(operator);
  const own = Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(port))]);
  for (const path of [OVERVIEW, "/", "/verify", "/v1/metachain"]) {
    const { status, body } = await send(port, Object.fromEntries(own), { path });
    expect([path, status, body]).toEqual([path, expected, '{"problem":"refused"}']);
  }
});

test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("takes no %s", async (method) => {
  const { port } = await serveConsole(operator);
  const { status, headers } = await send(port, { host: `127.0.0.1:${port}` }, { method });
  expect(status).toBe(405);
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("answers no page of another origin, keeps nothing in a cache, and sets no cookie", async () => {
  const { port } = await serveConsole(operator);
  const { headers } = await send(port, { host: `127.0.0.1:${port}` });
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  });
  expect(headers).not.toHaveProperty("access-control-allow-origin");
  expect(headers).not.toHaveProperty("set-cookie");
});

/** Whether somebody listens there. */
function isOpen(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port }, () => resolve(true)).on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

test("listens on the loopback address and on no other", async () => {
  const { port } = await serveConsole(operator);
  const others = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address),
  );
  expect(await isOpen("127.0.0.1", port)).toBe(true);
  for (const host of ["127.0.0.2", "::1", ...others])
    expect([host, await isOpen(host, port)]).toEqual([host, false]);
});

test("says of a port in use what to do", async () => {
  const { port } = await serveConsole(operator);
  const options = {
    port,
    portAdvice: "take another",
    trustAnchors: [],
    trustAnchorsPem: null,
    onFault: () => {},
  };
  await expect(startConsole(operator, options)).rejects.toMatchObject({
    code: "misconfigured",
    message: `port ${port} is in use; take another`,
  });
});

test.each([
  ["/console/receipts?before=yesterday", 400, "invalid_request"],
  ["/console/receipts?verdict=PERHAPS", 400, "invalid_request"],
  ["/console/receipts?tenant=nobody", 404, "not_found"],
  ["/console/chains", 404, "not_found"],
  ["/console/reports/00000000-0000-8000-8000-000000000000", 404, "not_found"],
  ["/console/reports/..%2f..%2ftable", 404, "not_found"],
  ["/console/nothing", 404, "not_found"],
  ["/v1/attestation", 404, "not_found"],
  ["/v1/metachain/../../tenants", 404, "not_found"],
  ["/v1/metachain/roots/0", 404, "not_found"],
])("%s is answered %d %s", async (path, expected, problem) => {
  const { port } = await serveConsole(operator);
  const { status, body } = await send(port, { host: `127.0.0.1:${port}` }, { path });
  expect([status, JSON.parse(body)]).toEqual([expected, { problem }]);
});

test.each([
  [
    new DisclosureError("ledger_unavailable", "the secret table", { error: "ExpiredToken" }),
    503,
    "ledger_unavailable",
  ],
  [new DisclosureError("ledger_corrupt", "the secret chain"), 500, "fault"],
  [new TypeError("the secret of a fault"), 500, "fault"],
])("an error leaks nothing but a code: %s", async (error, expected, problem) => {
  const faults: unknown[] = [];
  const registry = Object.assign(Object.create(operator.registry), {
    listWithAnchors: () => Promise.reject(error),
  });
  const { port } = await serveConsole({ ...operator, registry }, (fault) => faults.push(fault));
  const { status, body } = await send(port, { host: `127.0.0.1:${port}` });
  expect([status, JSON.parse(body)]).toEqual([expected, { problem }]);
  expect(faults).toEqual([error]);
});

test("no file of the console names an operation that writes", () => {
  const folder = join(import.meta.dirname, "..", "..", "..", "host", "console");
  const writing = /\.(?:put|update|transact|putOnce|move|publish\w*|create|suspend|resume|setPlan|revoke)\(/;
  for (const name of readdirSync(folder))
    expect([name, writing.exec(readFileSync(join(folder, name), "utf8"))?.[0]]).toEqual([name, undefined]);
});
