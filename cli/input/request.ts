// The request behind a receipt, as it was sent.
import { type JsonObject, parseJson } from "../../core/canonical-json.ts";
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import { isObject } from "./evidence.ts";
import { MAX_EVIDENCE_BYTES, readBytes } from "./read-file.ts";

/** Throws `malformed`, naming the file, for what is no JSON object. */
export async function readRequest(path: string): Promise<JsonObject> {
  try {
    const value = parseJson(await readBytes(path, MAX_EVIDENCE_BYTES));
    if (isObject(value)) return value;
    throw new DisclosureError("malformed", "a request is a JSON object");
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    throw new DisclosureError(error.code, `${path}: ${error.message}`, {}, error);
  }
}
