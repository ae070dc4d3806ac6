// The fault proxy, a process of its own: every request of the service to table, bucket, keys, authorities and witness
// passes through it. It has a port for each kind of process, and is told by its parent which faults to make.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { randomOf } from "../../throughput/random.ts";
import { ArmedFaults } from "./armed-faults.ts";
import { countingUnits, unitsIn } from "./capacity.ts";
import { type Disturbed, disturb } from "./disturb.ts";
import { failure } from "./errors.ts";
import { type ForwardedRequest, forward } from "./forward.ts";
import { OtherBytes } from "./lies.ts";
import {
  AUTHORITY_PREFIX,
  CLIENT_ROLES,
  type ClientRole,
  type FromProxy,
  type ProxyCounts,
  type ToProxy,
  type Upstreams,
  WITNESS_PREFIX,
} from "./messages.ts";
import { type AskedOperation, operationOf, type RequestHead } from "./operations.ts";

const COUNTS_MS = 500;
const MIN_FULL_MS = 1_000;
const MAX_FULL_MS = 3_000;
/** Longer than a client's pause between two requests. */
const KEEP_ALIVE_MS = 120_000;

class FaultProxy {
  readonly #upstreams: Upstreams;
  readonly #armed = new ArmedFaults();
  readonly #otherBytes = new OtherBytes();
  readonly #requests: Record<string, number> = {};
  readonly #units: Record<string, number> = {};
  readonly #faults: Record<string, number> = {};
  #held = 0;
  #fullUntil = 0;

  constructor(upstreams: Upstreams) {
    this.#upstreams = upstreams;
  }

  get counts(): ProxyCounts {
    return {
      requests: this.#requests,
      units: this.#units,
      faults: this.#faults,
      held: this.#held,
      shownOtherBytes: this.#otherBytes.shown,
    };
  }

  tell(message: ToProxy): void {
    if (message.kind === "calm") {
      this.#armed.clear();
      this.#otherBytes.clear();
      this.#fullUntil = 0;
    } else if (message.kind === "arm" && message.fault.name === "disk-full") {
      const random = randomOf(message.fault.seed);
      this.#fullUntil = performance.now() + MIN_FULL_MS + random() * (MAX_FULL_MS - MIN_FULL_MS);
      add(this.#faults, "disk-full");
    } else if (message.kind === "arm") this.#armed.arm(message.fault);
  }

  async serve(role: ClientRole, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new Uint8Array(await buffer(incoming));
    const { method = "GET", url: path = "/", headers } = incoming;
    const head: RequestHead = { method, path, headers };
    const operation = operationOf(head);
    add(this.#requests, `${role} ${operation.name}`);
    const counted = operation.upstream === "table" ? countingUnits(operation.name, body) : body;
    const request = { method, url: this.#addressOf(operation, path), headers, body: counted };
    const answer = await this.#answer(role, operation, head, request);
    if (answer === null) return;
    if (answer === "cut") return void incoming.socket.destroy();
    if (operation.upstream === "table") add(this.#units, unitsName(role, operation), unitsIn(answer.body));
    response.writeHead(answer.status, {
      ...answer.headers,
      "content-length": Buffer.byteLength(answer.body),
    });
    response.end(method === "HEAD" ? undefined : answer.body);
  }

  async #answer(
    role: ClientRole,
    operation: AskedOperation,
    head: RequestHead,
    request: ForwardedRequest,
  ): Promise<Disturbed> {
    if (operation.isWrite && performance.now() < this.#fullUntil) return failure(operation);
    const other = role === "seal" && operation.upstream === "objects" ? this.#otherBytes.read(request) : null;
    if (other !== null) return other;
    const fault = this.#armed.take(role, operation, head);
    if (fault === null) return forward(request);
    add(this.#faults, `${fault.name} ${role} ${operation.name}`);
    const hold = (by: 1 | -1): void => {
      this.#held += by;
    };
    return disturb({ fault, operation, request, otherBytes: this.#otherBytes, hold });
  }

  #addressOf({ upstream }: AskedOperation, path: string): string {
    const { table, objects, keys, authorities, witness } = this.#upstreams;
    if (upstream === "table") return table + path;
    if (upstream === "keys") return keys + path;
    if (upstream === "objects") return objects + path;
    if (upstream === "witness") return witness + path.slice(WITNESS_PREFIX.length);
    return authorities[Number(path.slice(AUTHORITY_PREFIX.length))] ?? "";
  }
}

const unitsName = (role: ClientRole, { isWrite }: AskedOperation): string =>
  `${role} ${isWrite ? "write" : "read"}`;

function add(counts: Record<string, number>, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

async function listenFor(role: ClientRole, proxy: FaultProxy): Promise<string> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, response) => {
    // A client that gave up, or an upstream that ended: the connection is cut, as a network does it.
    proxy.serve(role, incoming, response).catch(() => incoming.socket.destroy());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function open(upstreams: Upstreams): Promise<FaultProxy> {
  const opened = new FaultProxy(upstreams);
  const urls = await Promise.all(
    CLIENT_ROLES.map(async (role) => [role, await listenFor(role, opened)] as const),
  );
  send({ kind: "open", urls: Object.fromEntries(urls) as Record<ClientRole, string> });
  setInterval(() => send({ kind: "count", counts: opened.counts }), COUNTS_MS);
  return opened;
}

const send = (message: FromProxy): void => void process.send?.(message);
let proxy: FaultProxy | null = null;

process.on("message", async (message: ToProxy) => {
  if (message.kind === "open") proxy = await open(message.upstreams);
  else proxy?.tell(message);
});
process.on("disconnect", () => process.exit(0));
