// The request behind a receipt, as it was sent.
import { type JsonObject, parseJson } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import { isObject } from "../../reader/evidence.ts";
import { MAX_EVIDENCE_BYTES, naming, readBytes } from "./read-file.ts";

/** Throws `malformed`, naming the file, for what is no JSON object. */
export const readRequest = (path: string): Promise<JsonObject> =>
  naming(path, async () => {
    const value = parseJson(await readBytes(path, MAX_EVIDENCE_BYTES));
    if (isObject(value)) return value;
    throw new DisclosureError("malformed", "a request is a JSON object");
  });
