// The text of a wording, as an operator spoke or showed it.
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { readText } from "./read-file.ts";

/** An editor ends the last line of a file; what is spoken or shown has no such end. Throws `malformed`, naming the file. */
export const readWording = (file: string): Promise<string> =>
  naming(file, async () => (await readText(file, MAX_FILE_BYTES)).replace(/\r?\n$/, ""));
