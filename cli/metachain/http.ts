// A metachain over HTTP: the service's own, or that of any host of a mirror.
import {
  HEAD_FILE,
  HEAD_PATH,
  logFilePath,
  rootPath,
  timestampPath,
} from "../../contract/metachain-paths.ts";
import type { LogSource, MetachainSource } from "../../reader/metachain.ts";
import { HttpReader, unavailable } from "./http-reader.ts";

export class HttpMetachain implements MetachainSource, LogSource {
  readonly name: string;
  readonly #reader: HttpReader;

  /** `base` is the address of the service or mirror, or of its head. */
  constructor(name: string, base: URL) {
    this.name = name;
    this.#reader = new HttpReader(new URL(base.pathname.replace(/\/*(?:v1\/metachain\/?)?$/, "/"), base));
  }

  /** A static host has a mirror's head as an index file, and may not serve index files for their folders. */
  async head(): Promise<Uint8Array> {
    const served = await this.#reader.get(HEAD_PATH).catch((error: unknown) => error);
    if (served instanceof Uint8Array && isJsonObject(served)) return served;
    const file = await this.#reader.get(HEAD_FILE).catch(() => null);
    if (file !== null) return file;
    throw served instanceof Error ? served : unavailable(`no metachain is published at ${this.name}`);
  }

  root(index: number): Promise<Uint8Array | null> {
    return this.#reader.get(rootPath(index));
  }

  timestamp(index: number, n: number): Promise<Uint8Array | null> {
    return this.#reader.get(timestampPath(index, n));
  }

  logFile(path: string): Promise<Uint8Array | null> {
    return this.#reader.get(logFilePath(path));
  }
}

const isJsonObject = (bytes: Uint8Array): boolean =>
  /^\s*\{/.test(new TextDecoder().decode(bytes.slice(0, 64)));
