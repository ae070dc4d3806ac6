// A folder in which nobody else can leave, change or read a file.
import { statSync } from "node:fs";
import { ClientError } from "../errors.ts";

export const OWNER_ONLY_FILE = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;
const OTHERS_MAY_WRITE = 0o022;

export const diskFailed = (what: string, cause?: unknown): ClientError =>
  new ClientError("queue_disk_failed", `the queue's folder: ${what}`, { cause });

/**
 * Whoever may write in it could leave disclosures that this process would send, and whoever owns it could do so at any
 * time. Throws `queue_disk_failed`. On Windows the folder's own permissions decide.
 */
export function requirePrivate(folder: string): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  const { uid, mode } = statSync(folder);
  if (uid !== own)
    throw diskFailed(`${folder} belongs to user ${uid}, not ${own}: name one that the queue can make itself`);
  if ((mode & OTHERS_MAY_WRITE) !== 0)
    throw diskFailed(`others may write in ${folder}: take out what is not yours, then give it the mode 0700`);
}
