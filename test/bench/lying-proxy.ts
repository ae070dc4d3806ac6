// The recorded answers of a service, with one of them changed: what a service that lies or loses would show the oracle.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Recorded {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** The answer to show in place of what the service said under this path, or null to leave it. */
export type Lie = (path: string, honest: Recorded) => Recorded | null;

export class LyingProxy {
  readonly url: string;
  /** What is changed at the moment. */
  lie: Lie = () => null;
  /** How many answers were changed since it was asked last. */
  lies = 0;
  readonly #service: string;
  readonly #server: Server;
  readonly #answers = new Map<string, Promise<Recorded>>();

  constructor(service: string, server: Server) {
    this.#service = service;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    const honest = await this.#ask(path, request);
    const changed = this.lie(path, honest);
    if (changed !== null) this.lies += 1;
    const { status, type, body } = changed ?? honest;
    response.writeHead(status, { "content-type": type, "content-length": body.length }).end(body);
  }

  /** The service is asked once for each path and key: all runs of the oracle see the same service. */
  #ask(path: string, { headers }: IncomingMessage): Promise<Recorded> {
    const { accept = "*/*", authorization } = headers;
    const name = `${path} ${accept} ${authorization}`;
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const asked = fetch(this.#service + path, {
      headers: { accept, ...(authorization !== undefined && { authorization }) },
    }).then(async (answer) => ({
      status: answer.status,
      type: answer.headers.get("content-type") ?? "",
      body: Buffer.from(await answer.arrayBuffer()),
    }));
    this.#answers.set(name, asked);
    return asked;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((stopped) => this.#server.close(stopped));
  }
}

export async function startLyingProxy(service: string): Promise<LyingProxy> {
  let proxy: LyingProxy | undefined;
  const server = createServer((request, response) => {
    proxy?.answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  proxy = new LyingProxy(service, server);
  return proxy;
}

type Step = string | number;
type Change = (old: unknown) => unknown;

/** Changes one member of the JSON that is answered under paths that fit; a negative place counts from a list's end. */
export function changedJson(paths: RegExp, steps: readonly Step[], change: Change): Lie {
  return (path, { status, type, body }) => {
    if (!paths.test(path) || status !== 200) return null;
    const changed = changedAt(JSON.parse(body.toString()), steps, change);
    return { status, type, body: Buffer.from(JSON.stringify(changed)) };
  };
}

/** A copy of the value with one member changed. */
export function changedAt(value: unknown, [step, ...steps]: readonly Step[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    const place = typeof step === "number" && step < 0 ? value.length + step : step;
    return value.map((member, index) => (index === place ? changedAt(member, steps, change) : member));
  }
  if (typeof value !== "object" || value === null) throw new Error(`there is no ${step} to change`);
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [step]: changedAt(members[step], steps, change) };
}

/** Changes the bytes that are answered under paths that fit. */
export function changedBytes(paths: RegExp, change: (body: Buffer) => void): Lie {
  return (path, { status, type, body }) => {
    if (!paths.test(path) || status !== 200) return null;
    const changed = Buffer.from(body);
    change(changed);
    return { status, type, body: changed };
  };
}

/** Answers this status under paths that fit. */
export function answering(status: number, paths: RegExp): Lie {
  return (path, { type }) => (paths.test(path) ? { status, type, body: Buffer.from("{}") } : null);
}

/** Says that there is nothing under paths that fit. */
export const missing = (paths: RegExp): Lie => answering(404, paths);
