// The objects of the S3 stand-in in one SQLite file: an accepted put is on disk before it returns.
import { createHash } from "node:crypto";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import * as z from "zod";

const SCHEMA = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, etag TEXT NOT NULL,
    contentType TEXT NOT NULL, cacheControl TEXT, lockMode TEXT, retainUntil INTEGER, lastModified INTEGER NOT NULL,
    PRIMARY KEY (bucket, key)
  ) STRICT`;
const SELECT = "SELECT * FROM objects WHERE bucket = ? AND key = ?";
const REPLACE = "INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
const DELETE = "DELETE FROM objects WHERE bucket = ? AND key = ?";

const storedObjectSchema = z.object({
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  etag: z.string(),
  contentType: z.string(),
  cacheControl: z.string().nullable(),
  lockMode: z.enum(["COMPLIANCE", "GOVERNANCE"]).nullable(),
  retainUntil: z.int().nullable(),
  lastModified: z.int(),
});

/** Times are milliseconds since the epoch. `etag` is the quoted MD5 of the body, as S3 makes it. */
export type StoredObject = Readonly<z.infer<typeof storedObjectSchema>>;
export type NewObject = Omit<StoredObject, "etag" | "lastModified">;
export type ObjectName = { readonly bucket: string; readonly key: string };

/** The conditions of a put: the object must be absent, or have this ETag. */
export type PutCondition = { readonly absent: boolean; readonly etag: string | null };

/** Why a write is refused, by S3's error code. */
export type ConditionRefusal = "PreconditionFailed" | "NoSuchKey" | "AccessDenied";

/** Each call is one synchronous step, and no other process can open the file, so each call is atomic. */
export class ObjectTable {
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #replace: StatementSync;
  readonly #delete: StatementSync;

  /** Opens or makes the database `file`. */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(SCHEMA);
    this.#select = this.#database.prepare(SELECT);
    this.#replace = this.#database.prepare(REPLACE);
    this.#delete = this.#database.prepare(DELETE);
  }

  get({ bucket, key }: ObjectName): StoredObject | null {
    const row = this.#select.get(bucket, key);
    return row === undefined ? null : storedObjectSchema.parse(row);
  }

  /** Stores the object and returns its ETag, or says why not. */
  put(
    name: ObjectName,
    object: NewObject,
    condition: PutCondition,
    now: number,
  ): { etag: string } | ConditionRefusal {
    const existing = this.get(name);
    const refusal = unmetCondition(existing, condition) ?? retained(existing, now);
    if (refusal !== null) return refusal;
    const { body, contentType, cacheControl, lockMode, retainUntil } = object;
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    const attributes = [etag, contentType, cacheControl, lockMode, retainUntil, now];
    this.#replace.run(name.bucket, name.key, body, ...attributes);
    return { etag };
  }

  /** Deletes the object, if there is one, or says why not. */
  remove(name: ObjectName, now: number): null | ConditionRefusal {
    const refusal = retained(this.get(name), now);
    if (refusal === null) this.#delete.run(name.bucket, name.key);
    return refusal;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

function unmetCondition(
  existing: StoredObject | null,
  { absent, etag }: PutCondition,
): ConditionRefusal | null {
  if (absent && existing !== null) return "PreconditionFailed";
  if (etag === null) return null;
  if (existing === null) return "NoSuchKey";
  return existing.etag === etag ? null : "PreconditionFailed";
}

/**
 * S3 with Object Lock always keeps versions: it would accept an overwrite as a new version and a delete as a marker, and
 * protect only the old version. There is one version here, so either would lose the retained object. Refusing both, in
 * either mode and with no bypass, also exposes code that relies on rewriting.
 */
function retained(existing: StoredObject | null, now: number): ConditionRefusal | null {
  const locked = existing?.retainUntil != null && existing.retainUntil > now;
  return locked ? "AccessDenied" : null;
}
