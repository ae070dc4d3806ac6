// DynamoDB's protocol, JSON 1.0 over HTTP: the operation is named in a header, and an error by its type in the answer.
import type { IncomingMessage } from "node:http";
import { MINUTE_MS } from "../../../contract/time.ts";
import { type HttpHandler, type Listening, listen, type Reply, readBody } from "../../server/http-server.ts";
import { withFullDiskNamed } from "../full-disk.ts";
import { forOwnClients } from "../own-clients.ts";
import { DynamoDbError } from "./errors.ts";
import { GroupCommit } from "./group-commit.ts";
import { operationNamed } from "./operations.ts";
import { parseRequest } from "./request.ts";
import { Store } from "./store.ts";
import { deleteExpired } from "./time-to-live.ts";
import { endTokens } from "./transaction.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const HEADERS = { "content-type": "application/x-amz-json-1.0" };
const TARGET = /^DynamoDB_20120810\.(\w+)$/;
const OK = 200;
/** Connections of clients that pause are kept, for one that is closed at the moment of a request fails it. */
const KEEP_ALIVE_MS = 10 * MINUTE_MS;
const CLEANING_MS = MINUTE_MS;

/** Where the engine's file is, the port that it listens on (any free one without), and whom it answers. */
export interface Where {
  readonly file: string;
  readonly port?: number;
  readonly accessKey?: string;
}

/** The engine without its port: `close` comes after the last request. */
export interface Engine {
  readonly handler: HttpHandler;
  readonly close: () => void;
}

/** Serves the database `file` on `port`, or on any free one. Throws where the file or the port can't be had. */
export async function serveDynamoDb({ file, port, accessKey }: Where): Promise<Listening> {
  const engine = openDynamoDb(file);
  const http = { keepAliveTimeout: KEEP_ALIVE_MS };
  const server = await listen(forOwnClients(engine.handler, accessKey), port, { http }).catch((error) => {
    engine.close();
    throw error;
  });
  return { ...server, close: () => server.close().finally(engine.close) };
}

/** Answers requests out of the database `file`, and cleans it up meanwhile. Throws where the file can't be had. */
export function openDynamoDb(file: string): Engine {
  const store = new Store(file);
  const group = new GroupCommit(store);
  cleanUp(store);
  const cleaning = setInterval(() => cleanUp(store), CLEANING_MS);
  const close = (): void => {
    clearInterval(cleaning);
    store.close();
  };
  return { handler: withFullDiskNamed((request) => reply(store, group, request), file), close };
}

async function reply(store: Store, group: GroupCommit, request: IncomingMessage): Promise<Reply> {
  try {
    return { status: OK, headers: HEADERS, body: await answer(store, group, request) };
  } catch (error) {
    if (!(error instanceof DynamoDbError)) throw error;
    return { status: error.status, headers: HEADERS, body: error.toJson() };
  }
}

async function answer(store: Store, group: GroupCommit, message: IncomingMessage): Promise<string> {
  const [, name = ""] = TARGET.exec(String(message.headers["x-amz-target"])) ?? [];
  const body = await readBody(message, MAX_BODY_BYTES);
  const { isWrite, run } = operationNamed(name);
  const request = parseRequest(body);
  // Between groups the store holds what is on disk, and nothing else.
  return isWrite ? group.write(() => run(store, request, Date.now())) : run(store, request, Date.now());
}

function cleanUp(store: Store): void {
  deleteExpired(store, Date.now());
  endTokens(store, Date.now());
  store.forgetDeleted();
}
