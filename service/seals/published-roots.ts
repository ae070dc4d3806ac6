// The published metachain: S3 objects under the very paths by which the public reads them. All but the head are written
// once.
import type { S3Client } from "@aws-sdk/client-s3";
import type { ZodType } from "zod";
import {
  HEAD_PATH,
  logFilePath,
  ROOT_ROUTE,
  rootPath,
  timestampPath,
} from "../../contract/metachain-paths.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import {
  type LogName,
  type Metachain,
  metachainSchema,
  type Seal,
  sealSchema,
  type TsaTimestamp,
  tsaTimestampSchema,
} from "../../evidence/core/formats/metachain.ts";
import { JSON_TYPE, PublicFiles, type Retention, underWay } from "./public-files.ts";

export const TILE_TYPE = "application/octet-stream";
/** The most tries to move the head while other runs move it too. */
const MAX_HEAD_TRIES = 5;

export class PublishedRoots {
  readonly files: PublicFiles;

  constructor(client: S3Client, bucket: string, retention: Retention | null) {
    this.files = new PublicFiles(client, bucket, retention);
  }

  /** The published head; an empty one before the first seal. Throws `ledger_corrupt` for a damaged one. */
  async head(): Promise<Metachain> {
    const stored = await this.files.text(HEAD_PATH);
    return stored === null ? emptyHead() : readPublished(metachainSchema, stored.text);
  }

  /** A seal as it is published, in its own bytes; null where that index is not published. */
  async sealText(index: number): Promise<string | null> {
    return (await this.files.text(rootPath(index)))?.text ?? null;
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
    if (await this.files.putOnce({ path: rootPath(index), body: text, type: JSON_TYPE }, now)) return;
    const published = await this.sealText(index);
    if (published === text) return;
    if (published === null) throw underWay("root");
    throw new DisclosureError("publication_conflict", "another root is published under this index", {
      index,
    });
  }

  /** A later token as it is published, in its own bytes; null where there is none. */
  async timestampText(index: number, n: number): Promise<string | null> {
    return (await this.files.text(timestampPath(index, n)))?.text ?? null;
  }

  /** Publishes a token next to a seal, unless another run was faster. Returns the one that is published then. */
  async publishTimestamp(index: number, n: number, token: TsaTimestamp, now: Date): Promise<TsaTimestamp> {
    const file = { path: timestampPath(index, n), body: JSON.stringify(token), type: JSON_TYPE };
    if (await this.files.putOnce(file, now)) return token;
    const published = await this.timestampText(index, n);
    if (published === null) throw underWay("token");
    return readPublished(tsaTimestampSchema, published);
  }

  /** A file of the log by its path below the log's prefix, as `tile/0/000`; null where there is none. */
  logFile(path: string): Promise<Uint8Array | null> {
    return this.files.bytes(logFilePath(path));
  }

  /**
   * Publishes a file of the log, which can't be undone. Safe to repeat: where it is published already, equal bytes are
   * success. Throws `publication_conflict` where other bytes are: the log would have two histories.
   */
  async publishLogFile(path: string, bytes: Uint8Array, now: Date): Promise<void> {
    if (await this.files.putOnce({ path: logFilePath(path), body: bytes, type: TILE_TYPE }, now)) return;
    const published = await this.logFile(path);
    if (published === null) throw underWay("file");
    if (equalBytes(published, bytes)) return;
    throw new DisclosureError("publication_conflict", "other bytes are published under a path of the log", {
      path,
    });
  }

  /** Moves the head to `seal`, never back. Safe to repeat. */
  publishHead(seal: Seal | null): Promise<void> {
    const size = seal === null ? 0 : seal.index + 1;
    return this.#moveHead((head) => {
      if (head !== null && head.size >= size) return null;
      return { ...(head ?? emptyHead()), size, latest: seal };
    });
  }

  /**
   * Names the log in the head, which keeps that from then on. Safe to repeat. Throws `publication_conflict` where
   * another one is named: readers would hold our checkpoints against its key.
   */
  nameLog(log: LogName): Promise<void> {
    return this.#moveHead((head) => {
      const named = head?.log ?? null;
      if (named === null) return { ...(head ?? emptyHead()), log };
      if (named.origin === log.origin && named.vkey === log.vkey) return null;
      throw new DisclosureError("publication_conflict", "the public head names another log", { named, log });
    });
  }

  /** Puts the head that `change` makes in the place of the published one; it makes null where nothing is to be done. */
  async #moveHead(change: (head: Metachain | null) => Metachain | null): Promise<void> {
    for (let attempt = 0; attempt < MAX_HEAD_TRIES; attempt++) {
      const stored = await this.files.text(HEAD_PATH);
      const head = change(stored === null ? null : readPublished(metachainSchema, stored.text));
      if (head === null) return;
      // The condition keeps a slow run from putting an older head over a newer one.
      const file = { path: HEAD_PATH, body: JSON.stringify(head), type: JSON_TYPE };
      if (await this.files.move(file, stored)) return;
    }
    throw new DisclosureError("publication_unavailable", "other runs kept moving the head");
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

const emptyHead = (): Metachain => ({ size: 0, latest: null, roots: ROOT_ROUTE, log: null });
