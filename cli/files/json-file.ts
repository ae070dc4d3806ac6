// A JSON object in a file: the request behind a receipt, as it was sent, or a receipt alone.
import { type JsonObject, parseJson } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import { isObject } from "../../reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../reader/limits.ts";
import { naming } from "../../reader/naming.ts";
import { type ReadBytes, readBytes } from "./read-file.ts";

/** Throws `malformed`, naming the file, for what is no JSON object. */
export const readRequest = (path: string, read: ReadBytes = readBytes): Promise<JsonObject> =>
  naming(path, async () => {
    const value = parseJson(await read(path, MAX_FILE_BYTES));
    if (isObject(value)) return value;
    throw new DisclosureError("malformed", "a request is a JSON object");
  });
