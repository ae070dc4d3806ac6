// The labels of the entries that an audit has walked, in a file beside its state. They are appended as the audit goes on:
// a year of them is 17 MB, too much to be written anew every two seconds.
import { open } from "node:fs/promises";
import { DisclosureError } from "../../core/errors.ts";
import { LABEL_BYTES } from "../../core/log/entry.ts";
import { exists, readBytes } from "../files/read-file.ts";

/** Thirty years of news every minute. */
const MAX_LABELS_BYTES = 512 * 1024 * 1024;

export const labelsFile = (statePath: string): string => `${statePath}.labels`;

/** The labels of the first `count` entries; a killed audit may have left more. Throws `malformed` where they are fewer. */
export async function readLabels(path: string, count: number): Promise<Uint8Array> {
  if (count === 0) return new Uint8Array();
  const bytes = (await exists(path)) ? await readBytes(path, MAX_LABELS_BYTES) : new Uint8Array();
  if (bytes.length >= count * LABEL_BYTES) return bytes.subarray(0, count * LABEL_BYTES);
  throw new DisclosureError(
    "malformed",
    `${path} is damaged; remove the state file, and the audit begins anew`,
  );
}

/** Writes labels from this place on, and flushes them: the state that counts on them is written after that. */
export async function writeLabels(path: string, place: number, labels: Uint8Array): Promise<void> {
  if (labels.length === 0) return;
  const file = await open(path, (await exists(path)) ? "r+" : "w");
  try {
    await file.write(labels, 0, labels.length, place * LABEL_BYTES);
    await file.sync();
  } finally {
    await file.close();
  }
}
