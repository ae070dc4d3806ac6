// A JSON object in a file: the request behind a receipt, as it was sent, or a receipt alone.
import { type JsonObject, parseJson } from "../../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { isObject } from "../../../evidence/reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { type ReadBytes, readBytes } from "./read-file.ts";

/** Throws `malformed`, naming the file, for what is no JSON object. */
export const readRequest = (path: string, read: ReadBytes = readBytes): Promise<JsonObject> =>
  naming(path, async () => {
    const value = parseJson(await read(path, MAX_FILE_BYTES));
    if (isObject(value)) return value;
    throw new DisclosureError("malformed", "a request is a JSON object");
  });
