// A folder that several processes share, such as the jobs of one worker: each takes a numbered folder in it for itself.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ClientError, isClientError } from "../errors.ts";
import { lockFolder } from "./folder-lock.ts";
import { OWNER_ONLY_FOLDER, requirePrivate } from "./private-folder.ts";

/** The most processes that share a folder. */
const MAX_PROCESSES = 256;

export interface LockedFolder {
  readonly folder: string;
  readonly unlock: () => void;
}

/**
 * Takes the first numbered folder that is free, one with disclosures of a process that died before all others: they are
 * sent by whoever starts next. Throws `queue_in_use` where all are taken.
 */
export function takeFreeFolder(root: string): LockedFolder {
  const folders = Array.from({ length: MAX_PROCESSES }, (_, number) => join(root, String(number)));
  const left = folders.filter((folder) => journalBytes(folder) > 0);
  for (const folder of new Set([...left, ...folders])) {
    const unlock = tryToLock(folder);
    if (unlock !== null) return { folder, unlock };
  }
  throw new ClientError("queue_in_use", `${MAX_PROCESSES} processes have folders of this queue`);
}

function tryToLock(folder: string): (() => void) | null {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  requirePrivate(folder);
  try {
    return lockFolder(folder);
  } catch (error) {
    if (isClientError(error, "queue_in_use")) return null;
    throw error;
  }
}

const journalBytes = (folder: string): number =>
  statSync(join(folder, "journal"), { throwIfNoEntry: false })?.size ?? 0;
