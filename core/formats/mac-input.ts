// The input of the service's HMAC: a domain label and a hash, so that a code for one is never good for the other.
import { concatBytes, utf8 } from "../bytes.ts";
import { canonicalBytes } from "../canonical-json.ts";
import { hashBytes } from "../merkle/hash.ts";
import { withoutAuthentication } from "./receipt.ts";

const RECEIPT_LABEL = utf8("disclosure-receipt/1/receipt\n");
const RESPONSE_LABEL = utf8("disclosure-receipt/1/response\n");

/** The message behind a receipt's `signature`. */
export const receiptMacInput = (leafHash: Uint8Array): Uint8Array => concatBytes(RECEIPT_LABEL, leafHash);

/** The message behind a response's `signature`; hashed, because KMS GenerateMac takes at most 4,096 bytes. */
export const responseMacInput = (response: object): Uint8Array =>
  concatBytes(RESPONSE_LABEL, hashBytes(canonicalBytes(withoutAuthentication(response))));
