// The published metachain: S3 objects under the very paths by which the public reads them. All but the head are written
// once.
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  type ObjectLockMode,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { ZodType } from "zod";
import {
  HEAD_PATH,
  logFilePath,
  ROOT_ROUTE,
  rootPath,
  timestampPath,
} from "../../contract/metachain-paths.ts";
import { equalBytes } from "../../core/bytes.ts";
import { parseJson } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import {
  type Metachain,
  metachainSchema,
  type Seal,
  sealSchema,
  type TsaTimestamp,
  tsaTimestampSchema,
} from "../../core/formats/metachain.ts";
import { errorNameOf } from "../table/aws-error.ts";

/** A root never changes, nor does a token; the head does with every seal. */
export const ROOT_CACHE = "public, max-age=31536000, immutable";
export const HEAD_CACHE = "public, max-age=5";
const JSON_TYPE = "application/json";
export const TILE_TYPE = "application/octet-stream";
/** The most tries to move the head while other runs move it too. */
const MAX_HEAD_TRIES = 5;
/** 412, and 409 while another write of the same object is under way. */
const CONDITION_FAILED: ReadonlySet<string> = new Set(["PreconditionFailed", "ConditionalRequestConflict"]);
const DAY_MS = 24 * 60 * 60 * 1000;

/** The time for which S3 Object Lock keeps a published root, and whether an administrator may still lift the lock. */
export interface Retention {
  readonly mode: ObjectLockMode;
  readonly days: number;
}

interface StoredText {
  readonly text: string;
  readonly etag: string;
}

export class PublishedRoots {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #retention: Retention | null;

  constructor(client: S3Client, bucket: string, retention: Retention | null) {
    this.#client = client;
    this.#bucket = bucket;
    this.#retention = retention;
  }

  /** The published head; an empty one before the first seal. Throws `ledger_corrupt` for a damaged one. */
  async head(): Promise<Metachain> {
    const stored = await this.#get(HEAD_PATH);
    return stored === null ? emptyHead() : readPublished(metachainSchema, stored.text);
  }

  /** A seal as it is published, in its own bytes; null where that index is not published. */
  async sealText(index: number): Promise<string | null> {
    return (await this.#get(rootPath(index)))?.text ?? null;
  }

  async seal(index: number): Promise<Seal | null> {
    const text = await this.sealText(index);
    return text === null ? null : readPublished(sealSchema, text);
  }

  /**
   * Publishes a seal, which can't be undone. Safe to repeat: where it is published already, equal bytes are success.
   * Throws `publication_conflict` where other bytes are, which must raise an alarm: a root would have two values.
   */
  async publishSeal(index: number, text: string, now: Date): Promise<void> {
    if (await this.#putOnce(rootPath(index), text, JSON_TYPE, now)) return;
    const published = await this.sealText(index);
    if (published === text) return;
    if (published === null) throw unavailable(new Error("another write of this root was under way"));
    throw new DisclosureError("publication_conflict", "another root is published under this index", {
      index,
    });
  }

  /** A later token as it is published, in its own bytes; null where there is none. */
  async timestampText(index: number, n: number): Promise<string | null> {
    return (await this.#get(timestampPath(index, n)))?.text ?? null;
  }

  /** Publishes a token next to a seal, unless another run was faster. Returns the one that is published then. */
  async publishTimestamp(index: number, n: number, token: TsaTimestamp, now: Date): Promise<TsaTimestamp> {
    if (await this.#putOnce(timestampPath(index, n), JSON.stringify(token), JSON_TYPE, now)) return token;
    const published = await this.timestampText(index, n);
    if (published === null) throw unavailable(new Error("another write of this token was under way"));
    return readPublished(tsaTimestampSchema, published);
  }

  /** A file of the log by its path below the log's prefix, as `tile/0/000`; null where there is none. */
  logFile(path: string): Promise<Uint8Array | null> {
    return this.#read(
      logFilePath(path),
      async ({ Body }) => (await Body?.transformToByteArray()) ?? new Uint8Array(),
    );
  }

  /**
   * Publishes a file of the log, which can't be undone. Safe to repeat: where it is published already, equal bytes are
   * success. Throws `publication_conflict` where other bytes are: the log would have two histories.
   */
  async publishLogFile(path: string, bytes: Uint8Array, now: Date): Promise<void> {
    if (await this.#putOnce(logFilePath(path), bytes, TILE_TYPE, now)) return;
    const published = await this.logFile(path);
    if (published === null) throw unavailable(new Error("another write of this file was under way"));
    if (equalBytes(published, bytes)) return;
    throw new DisclosureError("publication_conflict", "other bytes are published under a path of the log", {
      path,
    });
  }

  /** Moves the head to `seal`, never back. Safe to repeat. */
  async publishHead(seal: Seal | null): Promise<void> {
    const size = seal === null ? 0 : seal.index + 1;
    for (let attempt = 0; attempt < MAX_HEAD_TRIES; attempt++) {
      const stored = await this.#get(HEAD_PATH);
      if (stored !== null && readPublished(metachainSchema, stored.text).size >= size) return;
      const text = JSON.stringify({ size, latest: seal, roots: ROOT_ROUTE } satisfies Metachain);
      // The condition keeps a slow run from putting an older head over a newer one.
      const condition = stored === null ? { IfNoneMatch: "*" } : { IfMatch: stored.etag };
      const rest = { CacheControl: HEAD_CACHE, ContentType: JSON_TYPE, ...condition };
      if (await this.#put(HEAD_PATH, text, rest)) return;
    }
    throw new DisclosureError("publication_unavailable", "other runs kept moving the head", { size });
  }

  #lock(now: Date): Partial<PutObjectCommandInput> {
    if (this.#retention === null) return {};
    const { mode, days } = this.#retention;
    return { ObjectLockMode: mode, ObjectLockRetainUntilDate: new Date(now.getTime() + days * DAY_MS) };
  }

  /** Writes an object that never changes. False where there is one, or another write of it is under way. */
  #putOnce(key: string, body: string | Uint8Array, ContentType: string, now: Date): Promise<boolean> {
    const rest = { CacheControl: ROOT_CACHE, ContentType, IfNoneMatch: "*", ...this.#lock(now) };
    return this.#put(key, body, rest);
  }

  /** False where the condition did not hold, or another write was under way. */
  async #put(Key: string, Body: string | Uint8Array, rest: Partial<PutObjectCommandInput>): Promise<boolean> {
    const input = { Bucket: this.#bucket, Key, Body, ...rest };
    try {
      await this.#client.send(new PutObjectCommand(input));
      return true;
    } catch (error) {
      if (CONDITION_FAILED.has(errorNameOf(error))) return false;
      throw unavailable(error);
    }
  }

  #get(key: string): Promise<StoredText | null> {
    return this.#read(key, async ({ Body, ETag }) => ({
      text: (await Body?.transformToString("utf-8")) ?? "",
      etag: ETag ?? "",
    }));
  }

  async #read<T>(Key: string, read: (object: GetObjectCommandOutput) => Promise<T>): Promise<T | null> {
    try {
      return await read(await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key })));
    } catch (error) {
      if (errorNameOf(error) === "NoSuchKey") return null;
      throw unavailable(error);
    }
  }
}

/** Throws `ledger_corrupt` for an object that is not as we wrote it: the fault is ours, never the reader's. */
function readPublished<T>(schema: ZodType<T>, text: string): T {
  try {
    return schema.parse(parseJson(text));
  } catch (cause) {
    throw new DisclosureError("ledger_corrupt", "a published object is damaged", {}, cause);
  }
}

const emptyHead = (): Metachain => ({ size: 0, latest: null, roots: ROOT_ROUTE });

const unavailable = (error: unknown): DisclosureError =>
  new DisclosureError(
    "publication_unavailable",
    "the published roots can't be reached",
    { error: errorNameOf(error) },
    error,
  );
