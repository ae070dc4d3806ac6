// A host of the vectors' metachain that can be made slow, failing or dishonest.
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll } from "vitest";
import { headOf, logFiles, SEALS, vector } from "./command-line.ts";

/** Answers the request itself and returns true, or leaves it to the server. */
export type Trick = (path: string, response: ServerResponse) => boolean | Promise<boolean>;

export interface MetachainServer {
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  /** How many seals are published. */
  size: number;
  trick: Trick;
}

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const known = new Map<number, Map<string, Buffer>>();
const filesAt = (size: number): Map<string, Buffer> => {
  const files = known.get(size) ?? logFiles(size);
  known.set(size, files);
  return files;
};

const ROOT = /^\/v1\/metachain\/roots\/(\d+)$/;

export async function serveMetachain(trick: Trick = () => false): Promise<MetachainServer> {
  const server = createServer(async ({ url: path = "" }, response) => {
    state.asked.push(path);
    if (await state.trick(path, response)) return;
    const body = bodyOf(path, state.size);
    response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" }).end(body ?? "{}");
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: MetachainServer = { url, asked: [], size: SEALS, trick };
  return state;
}

function bodyOf(path: string, size: number): string | Buffer | null {
  if (path === "/v1/metachain") return headOf(size);
  if (path.startsWith("/v1/metachain/tile/"))
    return filesAt(size).get(path.slice("/v1/metachain/".length)) ?? null;
  const [, index] = ROOT.exec(path) ?? [];
  return index !== undefined && Number(index) < size
    ? readFileSync(vector(`seals/${index}.json`), "utf8")
    : null;
}

/** Answers paths that match with `body`. */
export const replace =
  (pattern: RegExp, body: string, status = 200, headers: Record<string, string> = {}): Trick =>
  (path, response) => {
    if (!pattern.test(path)) return false;
    response.writeHead(status, headers).end(body);
    return true;
  };

/** Answers every path later than it could. */
export const slowly =
  (ms: number): Trick =>
  async () => {
    await delay(ms);
    return false;
  };
