// A metachain over HTTP. The server is not trusted: it may send no more bytes, and take no more time or redirects, than a
// root needs. No other origin than the one that the reader named is ever contacted.
import { setTimeout as sleep } from "node:timers/promises";
import { MAX_ROOT_BYTES } from "../../contract/limits.ts";
import {
  HEAD_FILE,
  HEAD_PATH,
  logFilePath,
  rootPath,
  timestampPath,
} from "../../contract/metachain-paths.ts";
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import type { LogSource, MetachainSource } from "../../reader/metachain.ts";
import { collect } from "../files/read-file.ts";

/** From the request to the last byte of the answer. */
const REQUEST_MS = 15_000;
const MAX_REDIRECTS = 5;
const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/** A failure that may pass: the answer says so, or there was no answer. */
class Passing extends Error {
  readonly pauseMs: number | null;

  constructor(message: string, pauseMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.pauseMs = pauseMs;
  }
}

export class HttpMetachain implements MetachainSource, LogSource {
  readonly name: string;
  readonly #base: URL;

  /** `base` is the address of the service or mirror, or of its head. */
  constructor(name: string, base: URL) {
    this.name = name;
    this.#base = new URL(base.pathname.replace(/\/*(?:v1\/metachain\/?)?$/, "/"), base);
  }

  /** A static host has a mirror's head as an index file, and may not serve index files for their folders. */
  async head(): Promise<Uint8Array> {
    const served = await this.#get(HEAD_PATH).catch((error: unknown) => error);
    if (served instanceof Uint8Array && isJsonObject(served)) return served;
    const file = await this.#get(HEAD_FILE).catch(() => null);
    if (file !== null) return file;
    throw served instanceof Error ? served : unavailable(`no metachain is published at ${this.name}`);
  }

  root(index: number): Promise<Uint8Array | null> {
    return this.#get(rootPath(index));
  }

  timestamp(index: number, n: number): Promise<Uint8Array | null> {
    return this.#get(timestampPath(index, n));
  }

  logFile(path: string): Promise<Uint8Array | null> {
    return this.#get(logFilePath(path));
  }

  /** The body, or null for a 404; a fault that may pass is tried again, after longer and longer pauses. */
  async #get(path: string): Promise<Uint8Array | null> {
    const url = new URL(path, this.#base);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryOnce(url);
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        if (attempt === MAX_TRIES) throw unavailable(`${url}: ${error.message}`, error);
        const pause = error.pauseMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
        await sleep(Math.min(pause, MAX_PAUSE_MS));
      }
    }
  }

  async #tryOnce(url: URL): Promise<Uint8Array | null> {
    const signal = AbortSignal.timeout(REQUEST_MS);
    try {
      return await readAnswer(await this.#follow(url, signal));
    } catch (error) {
      if (isDisclosureError(error, "payload_too_large")) throw unavailable(`${url}: ${error.message}`, error);
      if (error instanceof Passing || isDisclosureError(error)) throw error;
      throw new Passing(reasonOf(error), null, error);
    }
  }

  async #follow(start: URL, signal: AbortSignal): Promise<Response> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await fetch(url, { redirect: "manual", signal });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      url = this.#redirected(location, url);
    }
    throw unavailable(`${start} redirects in circles`);
  }

  /** A stranger's redirect could lead to a machine inside the reader's own network. */
  #redirected(location: string, from: URL): URL {
    const url = URL.parse(location, from);
    if (url?.origin === this.#base.origin && url.username === "" && url.password === "") return url;
    throw unavailable(`${from} redirects to another host, which is not contacted`);
  }
}

async function readAnswer(response: Response): Promise<Uint8Array | null> {
  if (response.status === 200 && response.body !== null) return collect(response.body, MAX_ROOT_BYTES);
  await response.body?.cancel();
  if (response.status === 404 || response.status === 410) return null;
  const message = `the answer is ${response.status}`;
  if (response.status !== 429 && response.status < 500) throw unavailable(`${response.url}: ${message}`);
  throw new Passing(message, pauseOf(response.headers.get("retry-after")));
}

/** Retry-After in seconds, as milliseconds; null for one that is a date. */
const pauseOf = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : null;

const isJsonObject = (bytes: Uint8Array): boolean =>
  /^\s*\{/.test(new TextDecoder().decode(bytes.slice(0, 64)));

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  const cause = error instanceof Error ? error.cause : undefined;
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === "string" ? `can't be reached (${code})` : "can't be reached";
}

const unavailable = (message: string, cause?: unknown): DisclosureError =>
  new DisclosureError("publication_unavailable", message, {}, cause);
