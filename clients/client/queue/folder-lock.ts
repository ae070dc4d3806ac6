// A folder that belongs to one process at a time.
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ClientError } from "../errors.ts";
import { OWNER_ONLY_FILE } from "./private-folder.ts";

const SQLITE_BUSY = 5;

/** A database that is no longer referred to is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>();

/** Throws `invalid_options` in one line on a Node that has no SQLite, where an import would end with a trace. */
export function requireSqlite(): typeof import("node:sqlite") {
  const sqlite = process.getBuiltinModule?.("node:sqlite");
  if (sqlite !== undefined) return sqlite;
  const message = `DurableQueue needs Node 22.18 or later; this is ${process.version}`;
  throw new ClientError("invalid_options", message);
}

/**
 * Takes the folder and returns what gives it back. The lock is a transaction that never ends: the kernel releases it
 * with the process, even on kill -9, where a file with a process id would stay behind. Throws `queue_in_use`.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "lock.sqlite");
  makeFile(file);
  const database = new (requireSqlite().DatabaseSync)(file);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw cause;
    throw new ClientError("queue_in_use", "another process has the folder of this queue", { cause });
  }
  held.add(database);
  return () => {
    if (held.delete(database)) database.close();
  };
}

/**
 * SQLite would make it readable for others, who could then hold the lock. A file that is there must not be opened here: to
 * close it would end the lock of another queue of this process.
 */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", OWNER_ONLY_FILE));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
