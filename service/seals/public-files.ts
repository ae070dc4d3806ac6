// The public files as S3 objects: read, written once, or moved under a condition. AWS errors end here.
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  type ObjectLockMode,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from "@aws-sdk/client-s3";
import { DAY_MS } from "../../contract/time.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { errorNameOf } from "../table/aws-error.ts";

/** A file that is written once never changes; the others do with every seal. */
export const IMMUTABLE_CACHE = "public, max-age=31536000, immutable";
export const MOVING_CACHE = "public, max-age=5";
export const JSON_TYPE = "application/json";
/** 412, and 409 while another write of the same object is under way. */
const CONDITION_FAILED: ReadonlySet<string> = new Set(["PreconditionFailed", "ConditionalRequestConflict"]);

/** The time for which S3 Object Lock keeps what is written once, and whether an administrator may still lift the lock. */
export interface Retention {
  readonly mode: ObjectLockMode;
  readonly days: number;
}

/** A file that moves, as it was read. */
export interface StoredText {
  readonly text: string;
  /** By which a later write can say that nobody has moved it meanwhile. */
  readonly etag: string;
}

export interface NewFile {
  readonly path: string;
  readonly body: string | Uint8Array;
  readonly type: string;
}

export class PublicFiles {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #retention: Retention | null;

  constructor(client: S3Client, bucket: string, retention: Retention | null) {
    this.#client = client;
    this.#bucket = bucket;
    this.#retention = retention;
  }

  /** Null where there is none. */
  text(path: string): Promise<StoredText | null> {
    return this.#read(path, async ({ Body, ETag }) => ({
      text: (await Body?.transformToString("utf-8")) ?? "",
      etag: ETag ?? "",
    }));
  }

  /** Null where there is none. */
  bytes(path: string): Promise<Uint8Array | null> {
    return this.#read(path, async ({ Body }) => (await Body?.transformToByteArray()) ?? new Uint8Array());
  }

  /** Writes a file that never changes. False where there is one, or another write of it is under way. */
  putOnce(file: NewFile, now: Date): Promise<boolean> {
    return this.#put(file, { CacheControl: IMMUTABLE_CACHE, IfNoneMatch: "*", ...this.#lock(now) });
  }

  /** Writes a file that moves, in the place of the one that was read. False where another write came between. */
  move(file: NewFile, from: StoredText | null): Promise<boolean> {
    const condition = from === null ? { IfNoneMatch: "*" } : { IfMatch: from.etag };
    return this.#put(file, { CacheControl: MOVING_CACHE, ...condition });
  }

  #lock(now: Date): Partial<PutObjectCommandInput> {
    if (this.#retention === null) return {};
    const { mode, days } = this.#retention;
    return { ObjectLockMode: mode, ObjectLockRetainUntilDate: new Date(now.getTime() + days * DAY_MS) };
  }

  /** False where the condition did not hold, or another write was under way. */
  async #put({ path, body, type }: NewFile, rest: Partial<PutObjectCommandInput>): Promise<boolean> {
    const input = { Bucket: this.#bucket, Key: path, Body: body, ContentType: type, ...rest };
    try {
      await this.#client.send(new PutObjectCommand(input));
      return true;
    } catch (error) {
      if (CONDITION_FAILED.has(errorNameOf(error))) return false;
      throw unavailable(error);
    }
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

/** For a write that failed since another one of the same object was under way: the outcome is open. */
export const underWay = (what: string): DisclosureError =>
  unavailable(new Error(`another write of this ${what} was under way`));

const unavailable = (error: unknown): DisclosureError =>
  new DisclosureError(
    "publication_unavailable",
    "the published files can't be reached",
    { error: errorNameOf(error) },
    error,
  );
