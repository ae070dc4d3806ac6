// A metachain over HTTP: the service's own, or that of any host of a mirror.
import {
  HEAD_FILE,
  HEAD_PATH,
  logFilePath,
  rootPath,
  timestampPath,
} from "../../../contract/metachain-paths.ts";
import { layerPath, POLICY_FILE, POLICY_PATH } from "../../../contract/policy-paths.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { HttpReader, unavailable } from "./http-reader.ts";
import type { PolicySource } from "./policy-source.ts";

export class HttpMetachain implements MetachainSource, LogSource, PolicySource {
  readonly name: string;
  readonly #reader: HttpReader;

  /** `base` is the address of the service or mirror, or of its head. */
  constructor(name: string, base: URL) {
    this.name = name;
    this.#reader = new HttpReader(new URL(base.pathname.replace(/\/*(?:v1\/metachain\/?)?$/, "/"), base));
  }

  async head(): Promise<Uint8Array> {
    const bytes = await this.#index(HEAD_PATH, HEAD_FILE);
    if (bytes !== null) return bytes;
    throw unavailable(`no metachain is published at ${this.name}`);
  }

  root(index: number): Promise<Uint8Array | null> {
    return this.#reader.get(rootPath(index));
  }

  timestamp(index: number, n: number): Promise<Uint8Array | null> {
    return this.#reader.get(timestampPath(index, n));
  }

  layer(digest: string): Promise<Uint8Array | null> {
    return this.#reader.get(layerPath(digest));
  }

  logFile(path: string): Promise<Uint8Array | null> {
    return this.#reader.get(logFilePath(path));
  }

  policyList(path: string): Promise<Uint8Array | null> {
    return path === POLICY_PATH ? this.#index(POLICY_PATH, POLICY_FILE) : this.#reader.get(path);
  }

  /** A static host has these of a mirror as index files, and may not serve index files for their folders. */
  async #index(path: string, file: string): Promise<Uint8Array | null> {
    const served = await this.#reader.get(path).catch((error: unknown) => error);
    if (served instanceof Uint8Array && isJsonObject(served)) return served;
    const bytes = await this.#reader.get(file).catch(() => null);
    if (bytes === null && served instanceof Error) throw served;
    return bytes;
  }
}

const isJsonObject = (bytes: Uint8Array): boolean =>
  /^\s*\{/.test(new TextDecoder().decode(bytes.slice(0, 64)));
