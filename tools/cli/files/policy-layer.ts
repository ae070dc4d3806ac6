// A wording policy layer in a file, as the deployment publishes it or as its operator keeps it.
import { DisclosureError } from "../../../evidence/core/errors.ts";
import {
  companionName,
  isEvidence,
  type PolicyLayerFile,
  parseDocument,
} from "../../../evidence/reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { type ReadBytes, readBytes } from "./read-file.ts";

export const LAYER_OPTION = { layer: { type: "string", multiple: true } } as const;

/** Throws `malformed`, naming the option, for what is no layer. */
export const readLayer = (file: string, read: ReadBytes = readBytes): Promise<PolicyLayerFile> =>
  naming(`--layer ${file}`, async () => {
    const document = parseDocument(await read(file, MAX_FILE_BYTES));
    if (document.kind === "policy_layer") return document;
    const what = isEvidence(document) ? "evidence" : companionName(document);
    throw new DisclosureError("malformed", `expected a wording policy layer, this is ${what}`);
  });
