// Names for the files of a session: two files may have one name on the reader's device, and pasted text has none.
import type { TakenFile } from "./given-file.ts";

/** The name of pasted text in a session. */
export const PASTED = "pasted text";

export function namedFiles(files: readonly TakenFile[]): ReadonlyMap<string, TakenFile> {
  const named = new Map<string, TakenFile>();
  for (const file of files) {
    const name = file.name ?? PASTED;
    let unique = name;
    for (let n = 2; named.has(unique); n++) unique = `${name} (${n})`;
    named.set(unique, file);
  }
  return named;
}
