// The folder where the local stack keeps everything: its format version, and the lock that reserves it for one stack.
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { secretFile } from "./secret-file.ts";

/** Raise it when a stack of this code can no longer read what an older one wrote. */
const FORMAT_VERSION = "2";
const OWNER_ONLY_FOLDER = 0o700;
const SQLITE_BUSY = 5;

/** Keeps the databases referenced: the garbage collector would close them, and release their locks. */
const held = new Set<DatabaseSync>();

export type DataFolder = {
  /** The path of the file `name` inside the folder. */
  readonly file: (name: string) => string;
  /** Releases the folder for another stack. */
  readonly close: () => void;
};

/** Opens or makes the folder. Throws `misconfigured` if it is in use, has another format, or can't be written. */
export function openDataFolder(path: string): DataFolder {
  makeFolder(path);
  const lock = lockFolder(path);
  try {
    requireVersion(path);
  } catch (error) {
    release(lock);
    throw error;
  }
  return { file: (name) => join(path, name), close: () => release(lock) };
}

function makeFolder(path: string): void {
  try {
    makeFolders(resolve(path));
    accessSync(path, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error;
    const message = `data folder ${path} can't be written (${reason}); set DATA_DIR to another folder`;
    throw new DisclosureError("misconfigured", message, { path }, error);
  }
}

/** By `recursive`, Node would try for ever where the system has a parent in which nothing can be made, such as /proc. */
function makeFolders(path: string): void {
  if (isFolder(path)) return;
  makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: OWNER_ONLY_FOLDER });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The lock is a transaction that never ends. The kernel releases it with the process, even on kill -9. */
function lockFolder(path: string): DatabaseSync {
  const database = new DatabaseSync(join(path, "lock.sqlite"));
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    const message = `data folder ${path} is in use by another stack; stop it or set DATA_DIR`;
    throw new DisclosureError("misconfigured", message, { path }, error);
  }
  held.add(database);
  return database;
}

/** A second call does nothing. */
function release(lock: DatabaseSync): void {
  if (held.delete(lock)) lock.close();
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;

function requireVersion(path: string): void {
  const actual = secretFile(join(path, "version"), () => `${FORMAT_VERSION}\n`).trim();
  if (actual === FORMAT_VERSION) return;
  const message = `data folder ${path} has format ${actual}, this stack writes ${FORMAT_VERSION}; set DATA_DIR to another folder`;
  throw new DisclosureError("misconfigured", message, { path, expected: FORMAT_VERSION, actual });
}
