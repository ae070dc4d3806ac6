// Tables, items and tokens in one SQLite file. A write is on disk when it returns, or when the group that it is in ends.
import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Key, KeySchema } from "./keys.ts";

/**
 * EXCLUSIVE keeps every other process out, and the kernel ends it with this one. FULL waits for the disk at every commit.
 * What is deleted is overwritten, for it may be an identifier that was erased; `forgetDeleted` does so for the journal.
 * An item is its JSON, so that a read need not parse it. SQLite compares texts by their bytes, as DynamoDB does.
 */
const SCHEMA = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS tables (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, partitionKey TEXT NOT NULL, sortKey TEXT NOT NULL,
    timeToLive TEXT, createdAt INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS items (
    tableId INTEGER NOT NULL, partition TEXT NOT NULL, sort TEXT NOT NULL,
    json TEXT NOT NULL, bytes INTEGER NOT NULL, expiresAt INTEGER,
    PRIMARY KEY (tableId, partition, sort)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS expiring ON items (expiresAt) WHERE expiresAt IS NOT NULL;
  CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, digest BLOB NOT NULL, usedAt INTEGER NOT NULL)
    STRICT, WITHOUT ROWID`;

/** Times are milliseconds since the epoch. */
export interface StoredTable extends KeySchema {
  readonly id: number;
  readonly name: string;
  /** The attribute that says when an item ends; null where none does. */
  readonly timeToLive: string | null;
  readonly createdAt: number;
}

/** An item as DynamoDB's JSON, and its size as DynamoDB counts it. */
export interface StoredItem {
  readonly json: string;
  readonly bytes: number;
}

/** An item, and when it ends, in seconds since the epoch; null where it does not say so. */
export interface DatedItem extends StoredItem {
  readonly expiresAt: number | null;
}

/** A part of a partition, without `after` where that is given: it was the last item of the page before. */
export interface KeySpan {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
  readonly isDescending: boolean;
  readonly after: string | null;
}

const inOrder = (from: string, to: string, order: string): string =>
  `SELECT json, bytes FROM items WHERE tableId = ? AND partition = ? AND sort ${from} ? AND sort ${to} ? ORDER BY sort ${order}`;

const STATEMENTS = {
  begin: "BEGIN IMMEDIATE",
  commit: "COMMIT",
  rollback: "ROLLBACK",
  addTable: "INSERT INTO tables (name, partitionKey, sortKey, createdAt) VALUES (?, ?, ?, ?)",
  setTimeToLive: "UPDATE tables SET timeToLive = ? WHERE id = ?",
  get: "SELECT json, bytes FROM items WHERE tableId = ? AND partition = ? AND sort = ?",
  put: "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)",
  delete: "DELETE FROM items WHERE tableId = ? AND partition = ? AND sort = ?",
  up: inOrder(">=", "<=", "ASC"),
  upAfter: inOrder(">", "<=", "ASC"),
  down: inOrder(">=", "<=", "DESC"),
  downAfter: inOrder(">=", "<", "DESC"),
  scan: "SELECT json, bytes FROM items WHERE tableId = ? AND (partition, sort) > (?, ?) ORDER BY partition, sort",
  getToken: "SELECT digest FROM tokens WHERE token = ? AND usedAt > ?",
  putToken: "INSERT OR REPLACE INTO tokens VALUES (?, ?, ?)",
  endTokens: "DELETE FROM tokens WHERE usedAt <= ?",
  checkpoint: "PRAGMA wal_checkpoint(TRUNCATE)",
  endItems: "DELETE FROM items WHERE expiresAt <= ? AND expiresAt > ?",
} as const;

const SQLITE_BUSY = 5;
const OWNER_ONLY_FILE = 0o600;

export class Store {
  readonly #database: DatabaseSync;
  readonly #statements: Readonly<Record<keyof typeof STATEMENTS, StatementSync>>;
  readonly #tables = new Map<string, StoredTable>();

  /** Opens or makes the database `file`. Throws, with what SQLite says, where it can't be had. */
  constructor(file: string) {
    this.#database = openDatabase(file);
    const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, this.#database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared);
    this.#readTables();
  }

  table(name: string): StoredTable | undefined {
    return this.#tables.get(name);
  }

  addTable(name: string, { partition, sort }: KeySchema, now: number): void {
    this.#statements.addTable.run(name, partition, sort, now);
    this.#readTables();
  }

  /** The attribute that says when items end, of those that are written from now on. */
  setTimeToLive({ id }: StoredTable, attribute: string): void {
    this.#statements.setTimeToLive.run(attribute, id);
    this.#readTables();
  }

  get({ id }: StoredTable, { partition, sort }: Key): StoredItem | undefined {
    return this.#statements.get.get(id, partition, sort) as StoredItem | undefined;
  }

  put({ id }: StoredTable, { partition, sort }: Key, item: DatedItem): void {
    this.#statements.put.run(id, partition, sort, item.json, item.bytes, item.expiresAt);
  }

  delete({ id }: StoredTable, { partition, sort }: Key): void {
    this.#statements.delete.run(id, partition, sort);
  }

  /** The items of a range in the order of their sort keys. */
  range({ id }: StoredTable, { partition, from, to, isDescending, after }: KeySpan): Iterable<StoredItem> {
    const { up, upAfter, down, downAfter } = this.#statements;
    const rows = isDescending
      ? (after === null ? down : downAfter).iterate(id, partition, from, after ?? to)
      : (after === null ? up : upAfter).iterate(id, partition, after ?? from, to);
    return rows as Iterable<StoredItem>;
  }

  /** All items behind this key. */
  scan({ id }: StoredTable, { partition, sort }: Key): Iterable<StoredItem> {
    return this.#statements.scan.iterate(id, partition, sort) as Iterable<StoredItem>;
  }

  /** The digest of the request that has used the token after `since`. */
  tokenDigest(token: string, since: number): Uint8Array | undefined {
    return this.#statements.getToken.get(token, since)?.digest as Uint8Array | undefined;
  }

  putToken(token: string, digest: Uint8Array, now: number): void {
    this.#statements.putToken.run(token, digest, now);
  }

  endTokens(until: number): void {
    this.#statements.endTokens.run(until);
  }

  /** Deletes the items that ended between two times, in seconds since the epoch. */
  endItems(after: number, until: number): void {
    this.#statements.endItems.run(until, after);
  }

  /** Empties the journal, which holds what was there before. Not within a group of writes. */
  forgetDeleted(): void {
    this.#statements.checkpoint.get();
  }

  /** Runs all writes of `write` as one: after a crash, or an error of the disk, there is none of them. */
  asOne(write: () => void): void {
    this.#statements.begin.run();
    try {
      write();
      this.#statements.commit.run();
    } catch (error) {
      if (this.#database.isTransaction) this.#statements.rollback.run();
      this.#readTables();
      throw error;
    }
  }

  /** A second call does nothing. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #readTables(): void {
    const rows = this.#database
      .prepare(
        "SELECT id, name, partitionKey AS partition, sortKey AS sort, timeToLive, createdAt FROM tables",
      )
      .all();
    this.#tables.clear();
    for (const row of rows as unknown as StoredTable[]) this.#tables.set(row.name, row);
  }
}

function openDatabase(file: string): DatabaseSync {
  // SQLite would make a file that others can read, and gives its journal the rights that the file has. One that is there
  // is left alone: to close it would release the locks that this process may have on it.
  if (!existsSync(file)) closeSync(openSync(file, "wx", OWNER_ONLY_FILE));
  const database = new DatabaseSync(file);
  try {
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    database.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    throw isBusy ? new Error("another process has the file open", { cause: error }) : error;
  }
}
